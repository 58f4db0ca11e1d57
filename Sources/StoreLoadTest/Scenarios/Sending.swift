import ActorStore

/// Sends: applied in the order of the calls, at once or behind an action that takes its time (P2).
enum Sending {
  static let all = [
    Scenario(name: "send to an idle store", run: idle),
    Scenario(name: "send behind a slow action", run: queued),
  ]

  private struct Journal: Sendable {
    var last = 0
    var disorder = 0

    mutating func enter(_ entry: Int) {
      if entry != last + 1 { disorder += 1 }
      last = entry
    }
  }

  private struct Enter: Mutation {
    let entry: Int

    func run(_ journal: inout Journal) { journal.enter(entry) }
  }

  private struct EnterSlowly: Action {
    let entry: Int

    func run(_ journal: inout Journal) async { journal.enter(entry) }
  }

  @Sendable private static func idle(_ context: Context) async -> Row {
    let count = context.scaled(400_000)
    let store = Store(Journal(), name: "send to an idle store")
    context.watch { "\(store.diagnostics)" }
    let nanoseconds = await nanosecondsPerOperation(count) {
      for entry in 1...count { store.send(Enter(entry: entry)) }
      await store.dispatch { _ in }
    }
    return await row(store, "send to an idle store", count, nanoseconds, context)
  }

  @Sendable private static func queued(_ context: Context) async -> Row {
    let count = context.scaled(100_000)
    let store = Store(Journal(), name: "send behind a slow action")
    let (gate, open) = AsyncStream<Void>.makeStream()
    context.watch { "\(store.diagnostics)" }
    store.send { _ async in for await _ in gate {} }
    let nanoseconds = await nanosecondsPerOperation(count) {
      for entry in 1...count {
        if entry % 2 == 0 { store.send(Enter(entry: entry)) } else { store.send(EnterSlowly(entry: entry)) }
      }
      context.beat()
      open.finish()
      await store.dispatch { _ in }
    }
    return await row(store, "send behind a slow action", count, nanoseconds, context)
  }

  private static func row(
    _ store: Store<Journal>,
    _ name: String,
    _ count: Int,
    _ nanoseconds: Double,
    _ context: Context
  ) async -> Row {
    Row(
      name: name, operations: count, nanoseconds: Spread([nanoseconds]),
      violations: context.expect("\(name), last entry", await store.state.last, count)
        + context.expect("\(name), out of order (P2)", await store.state.disorder, 0))
  }
}
