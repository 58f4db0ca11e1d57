import ActorStore
import Foundation

/// A violation and a stall, which the load test must report.
///
/// The scenario exists only if the environment variable `STORELOADTEST_PLANT` is set.
enum Planted {
  static let all = ProcessInfo.processInfo.environment["STORELOADTEST_PLANT"] == nil ? [] : [scenario]

  private static let scenario = Scenario(
    name: "planted", summary: "a violation and a stall, which the load test must report", isOptional: true
  ) { _ in [violation, stall] }

  private static let violation = Case(name: "violation") { bench in
    bench.expect("answer", 41, 42)
    return Figures(operations: 1)
  }

  private static let stall = Case(name: "stall") { bench in
    let store = Store(Counter(), name: "stalled")
    bench.watch { "\(store.diagnostics)" }
    let (gate, open) = AsyncStream<Void>.makeStream()
    store.send(label: "endless action") { _ async in for await _ in gate {} }
    await store.dispatch(Increment(task: 0))
    open.finish()
    return Figures(operations: 1)
  }
}
