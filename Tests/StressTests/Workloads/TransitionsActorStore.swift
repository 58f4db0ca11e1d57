import ActorStore

/// The library's store, watched through its transitions.
///
/// In place of the state of a wrong transition, a stream delivers -1, so the watcher sees a gap.
struct TransitionsActorStore: WatchedSubject {
  private let store = Store(0)

  func commit() async -> Bool {
    await store.dispatch { count async in
      if count % 2 == 0 { await Task.yield() }
      count += 1
    }.isCommitted
  }

  func states(keepingNewest count: Int?, _ filter: Filter?) async -> AsyncStream<Int> {
    let transitions = store.transitions(
      bufferingPolicy: count.map { .bufferingNewest($0) } ?? .unbounded)
    let cursor = Cursor()
    return AsyncStream {
      // All iterators of a stream share its elements.
      var iterator = transitions.makeAsyncIterator()
      while let transition = await iterator.next() {
        if let state = cursor.state(of: transition, isWithoutGaps: count == nil, filter) { return state }
      }
      return nil
    }
  }

  func close() {
    store.close()
  }

  /// What a stream has delivered last.
  private final class Cursor: Sendable {
    private let last = Locked<Int?>(nil)
    private let accepted = Locked<Int?>(nil)

    /// The new state, -1 if the transition is wrong, or `nil` if the filter refuses the state.
    func state(of transition: Transition<Int>, isWithoutGaps: Bool, _ filter: Filter?) -> Int? {
      let previous = last.withLock { last in
        defer { last = transition.new }
        return last
      }
      let isFirst = transition.action == nil
      if transition.new != transition.revision || transition.old != (isFirst ? nil : transition.new - 1) { return -1 }
      if isWithoutGaps && transition.old != previous { return -1 }
      let before = accepted.withLock { $0 }
      if filter?(before, transition.new) == false { return nil }
      accepted.withLock { $0 = transition.new }
      return transition.new
    }
  }
}
