import ActorStore

/// Actions that dispatch into their own store: they end, and what was deferred runs once (P7).
enum Deferring {
  static let all = [Scenario(name: "dispatch inside an action", run: run)]

  private struct Nest: Action {
    let store: Store<Counter>

    /// Returns how many of its dispatches were deferred.
    func run(_ counter: inout Counter) async -> Int {
      async let inLet = store.dispatch(Increment(task: 1))
      let inGroup = await withTaskGroup { group in
        group.addTask { await store.dispatch(IncrementLater(task: 2)) }
        return await group.reduce(into: []) { $0.append($1) }
      }
      let inTask = await Task { [store] in await store.dispatch(Increment(task: 3)) }.value
      let direct = await store.dispatch(IncrementLater(task: 4))
      return await ([inLet, inTask, direct] + inGroup).count { $0 == .deferred }
    }
  }

  @Sendable private static func run(_ context: Context) async -> Row {
    let store = Store(Counter(), name: "dispatch inside an action")
    let perTask = context.scaled(400)
    context.watch { "\(store.diagnostics)" }
    let deferred = await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          var deferred = 0
          for _ in 0..<perTask {
            deferred += await store.dispatch(Nest(store: store)).output ?? 0
            context.beat()
          }
          return deferred
        }
      }
      return await group.reduce(0, +)
    }
    await store.dispatch { _ in }
    return Row(
      name: "dispatch inside an action", operations: perTask * 8 * 5,
      violations: context.expect("deferred dispatches", deferred, perTask * 8 * 4)
        + context.expect("deferred actions that ran", await store.state.count, perTask * 8 * 4))
  }
}
