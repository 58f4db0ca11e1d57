import ActorStore
import Foundation

/// What must be found, on demand: a violation, and a store that stands still.
enum Planted {
  static let all = ProcessInfo.processInfo.environment["STORELOADTEST_PLANT"] == nil ? [] : [scenario]

  private static let scenario = Scenario(
    name: "planted", summary: "a violation and a stall that must be found", isOptional: true
  ) { _ in [violation, stall] }

  private static let violation = Case(name: "violation") { bench in
    bench.expect("answer", 41, 42)
    return Figures(operations: 1)
  }

  private static let stall = Case(name: "stall") { bench in
    let store = Store(Counter(), name: "standing")
    bench.watch { "\(store.diagnostics)" }
    let (gate, open) = AsyncStream<Void>.makeStream()
    store.send(label: "never ends") { _ async in for await _ in gate {} }
    await store.dispatch(Increment(task: 0))
    open.finish()
    return Figures(operations: 1)
  }
}
