import ActorStore

/// Actions of one store that dispatch to another and wait for it, in one direction and in both (P8).
enum Nested {
  static let all = [oneWay, bothWays]

  private struct Pass: Action {
    let other: Store<Counter>

    /// Whether the other store's commit came before this one's.
    func run(_ counter: inout Counter) async -> Bool {
      counter.count &+= 1
      return await other.dispatch(IncrementLater(task: 0)).isCommitted
    }
  }

  /// The baseline is two bare calls, one after the other.
  private static let oneWay = Scenario(name: "nested, 1 task") { context in
    let (outer, inner) = (Store(Counter(), name: "outer"), Store(Counter(), name: "inner"))
    let (bareOuter, bareInner) = (BareCounter(), BareCounter())
    let count = context.scaled(100_000)
    context.watch { "\(outer.diagnostics)\n\(inner.diagnostics)" }
    let figures = await compare(rounds: 5, operations: count) {
      for step in 0..<count {
        _ = await bareOuter.increment(by: step)
        _ = await bareInner.increment(by: step)
      }
      context.beat()
    } subject: {
      for _ in 0..<count { await outer.dispatch(Pass(other: inner)) }
      context.beat()
    }
    return Row(
      name: "nested, 1 task", operations: 5 * count, nanoseconds: figures.nanoseconds, baseline: figures.baseline,
      ratio: figures.ratio,
      violations: context.expect("nested, outer commits", await outer.state.count, 5 * count)
        + context.expect("nested, inner commits", await inner.state.count, 5 * count))
  }

  private static let bothWays = Scenario(name: "nested both ways, 8 tasks") { context in
    let (one, other) = (Store(Counter(), name: "one"), Store(Counter(), name: "other"))
    let count = context.scaled(40_000) / 8
    context.watch { "\(one.diagnostics)\n\(other.diagnostics)" }
    let nanoseconds = await nanosecondsPerOperation(8 * count) {
      await inTasks(8) { task in
        for round in 0..<count {
          let (first, second) = (task + round) % 2 == 0 ? (one, other) : (other, one)
          await first.dispatch(Pass(other: second))
          context.beat()
        }
      }
    }
    // The last place in each queue is behind whatever was deferred.
    for store in [one, other] { await store.dispatch { _ async in } }
    let total = await one.state.count + other.state.count
    return Row(
      name: "nested both ways, 8 tasks", operations: 8 * count, nanoseconds: Spread([nanoseconds]),
      violations: context.expect("nested both ways, commits (P8)", total, 2 * 8 * count))
  }
}
