/// A store whose state is the number of its commits, and that can be watched: this library's, or one that is known to
/// be wrong.
protocol WatchedSubject: Sendable {
  typealias Filter = @Sendable (_ previous: Int?, _ new: Int) -> Bool

  init()

  /// Makes one commit; false when the store was closed before.
  func commit() async -> Bool

  func states(keepingNewest: Int?, _ filter: Filter?) async -> AsyncStream<Int>

  func close() async
}

extension AsyncStream<Int>.Continuation.BufferingPolicy {
  init(keepingNewest count: Int?) {
    self = count.map { .bufferingNewest($0) } ?? .unbounded
  }
}
