/// A store that can be watched, which is the library's or a known-bad one.
///
/// Its state is the number of its commits.
protocol WatchedSubject: Sendable {
  typealias Filter = @Sendable (_ previous: Int?, _ new: Int) -> Bool

  init()

  /// Makes one commit, or returns `false` if the store is already closed.
  func commit() async -> Bool

  func states(keepingNewest: Int?, _ filter: Filter?) async -> AsyncStream<Int>

  func close() async
}

extension AsyncStream<Int>.Continuation.BufferingPolicy {
  init(keepingNewest count: Int?) {
    self = count.map { .bufferingNewest($0) } ?? .unbounded
  }
}
