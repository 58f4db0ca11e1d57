import ActorStore
import Foundation

/// A violation, a stall, and figures above their limits, which the load test must report.
///
/// The scenarios exist only if the environment variable `STORELOADTEST_PLANT` is set.
enum Planted {
  static let all =
    ProcessInfo.processInfo.environment["STORELOADTEST_PLANT"] == nil ? [] : [mistakes, limits, Chaos.planted]

  private static let mistakes = Scenario(
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

  // MARK: Limits

  private static let limits = Scenario(
    name: "planted-limits", summary: "figures above their limits, which the load test must mark", isOptional: true
  ) { _ in [slow, disturbed, large] }

  /// A case that is always too slow, but a little faster in each measurement.
  private static var slow: Case {
    let measured = Tally()
    return Case(name: "slow", limit: .ratio(3)) { _ in
      measured.add(1)
      return Figures(operations: 1_000, ratio: Spread([9.5 - Double(measured.total)]))
    }
  }

  /// A case that is too slow only in its first measurement.
  private static var disturbed: Case {
    let measured = Tally()
    return Case(name: "disturbed", limit: .ratio(3)) { _ in
      measured.add(1)
      return Figures(operations: 1_000, ratio: Spread([measured.total == 1 ? 3.5 : 2]))
    }
  }

  private static let large = Case(name: "large", limit: .bytes(400)) { _ in Figures(operations: 1, heapBytes: 401) }
}
