import ActorStore
import Atoms
import HeapCalls

/// The heap calls of dispatches, of commits, and of sets and reads of atoms, in steady state.
///
/// An uncontended dispatch makes none (P17), and neither do setting and reading atoms with numbers.
enum Allocations {
  struct Count: Codable, Equatable {
    let name: String
    let operations: Int
    let heapCalls: Int
    /// The largest number that is not a violation, or `nil` if the count is only for information.
    let accepted: Int?

    var isViolation: Bool { accepted.map { heapCalls > $0 } ?? false }
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
      countAtoms("set of an atom", heapCalls: 0) { _ in },
      countAtoms("set of an atom, read of one derived", heapCalls: 0) { keep($0.value) },
      countAtoms("set of an atom, one derived is watched", isWatched: true, heapCalls: 2) { _ in },
    ]
  }

  /// Counts the heap calls of sets of an atom.
  ///
  /// - Parameter heapCalls: The accepted number of heap calls for each operation. A watched value is in a box, which is
  ///   allocated and freed.
  private static func countAtoms(
    _ name: String, isWatched: Bool = false, heapCalls: Int, _ read: (DerivedAtom<Int>) -> Void
  ) -> Count {
    let atom = Atom(-1)
    let derived = DerivedAtom { atom.value &+ 1 }
    let token = isWatched ? derived.observe { keep($0) } : nil
    func run(_ values: Range<Int>) {
      for value in values {
        atom.value = value
        read(derived)
      }
    }
    run(0..<operations)
    let before = heap_calls_of_this_thread()
    run(operations..<2 * operations)
    let calls = heap_calls_of_this_thread() - before
    token?.cancel()
    return Count(name: name, operations: operations, heapCalls: calls, accepted: heapCalls * operations)
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
    return Count(name: name, operations: operations, heapCalls: calls.total, accepted: isPromised ? 0 : nil)
  }
}
