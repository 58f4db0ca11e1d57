import ActorStore
import HeapCalls

/// The heap calls of dispatches and commits in steady state.
///
/// An uncontended dispatch makes none (P17).
enum Allocations {
  struct Count: Codable, Equatable {
    let name: String
    let operations: Int
    let heapCalls: Int
    /// Whether the library promises zero heap calls.
    let isPromised: Bool

    var isViolation: Bool { isPromised && heapCalls > 0 }
  }

  /// Returns the counts, or `nil` if heap calls cannot be counted.
  static func counts() -> [Count]? {
    guard heap_calls_are_counted() else { return nil }
    return [
      count("dispatch of a mutation", isPromised: true) { await $0.dispatch(Increment(task: 0)) },
      count("dispatch of an action", isPromised: true) { await $0.dispatch(IncrementLater(task: 0)) },
      count("dispatch of a closure", isPromised: true) { await $0.dispatch { $0.count += 1 } },
      count("commit, one stream behind", watches: true, isPromised: false) { await $0.dispatch(Increment(task: 0)) },
      count("commit, one subscriber parked", watches: true, reads: true, isPromised: false) { store in
        await store.dispatch(Increment(task: 0))
        await Task.yield()
      },
    ]
  }

  private static let operations = 10_000

  private static func count(
    _ name: String,
    watches: Bool = false,
    reads: Bool = false,
    isPromised: Bool,
    _ dispatch: @escaping @Sendable (Store<Counter>) async -> Void
  ) -> Count {
    let calls = Tally()
    OneThread.run {
      let store = Store(Counter())
      let states = watches ? store.states : nil
      async let reading: Void = { if reads, let states { for await _ in states {} } }()
      await Task.yield()
      // The first operations allocate memory that later ones reuse.
      for _ in 0..<operations { await dispatch(store) }
      let before = heap_calls_of_this_thread()
      for _ in 0..<operations { await dispatch(store) }
      calls.add(heap_calls_of_this_thread() - before)
      store.close()
      await reading
      withExtendedLifetime(states) {}
    }
    return Count(name: name, operations: operations, heapCalls: calls.total, isPromised: isPromised)
  }
}
