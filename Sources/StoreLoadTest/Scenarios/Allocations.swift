import ActorStore
import HeapCalls

/// Heap calls of an uncontended dispatch in steady state (P17): their number stands where others have nanoseconds.
enum Allocations {
  static let all =
    heap_calls_are_counted()
    ? [
      scenario("heap calls of a mutation") { await $0.dispatch(Increment(task: 0)) },
      scenario("heap calls of an action") { await $0.dispatch(IncrementLater(task: 0)) },
    ] : []

  private static func scenario(
    _ name: String,
    _ dispatch: @escaping @Sendable (Store<Counter>) async -> Void
  ) -> Scenario {
    Scenario(name: name) { context in
      let store = Store(Counter(), name: name)
      context.watch { "\(store.diagnostics)" }
      let calls = await heapCalls { for _ in 0..<10_000 { await dispatch(store) } }
      return Row(name: name, operations: 20_000, violations: context.expect("\(name) (P17)", calls, 0))
    }
  }

  @concurrent
  private static func heapCalls(_ body: @Sendable () async -> Void) async -> Int {
    await body()
    let before = heap_calls_of_this_thread()
    await body()
    return heap_calls_of_this_thread() - before
  }
}
