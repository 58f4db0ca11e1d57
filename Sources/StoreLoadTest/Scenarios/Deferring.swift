import ActorStore

/// Actions that dispatch into their own store: they end, and what was deferred runs once (P7).
enum Deferring {
  static let all = [Scenario(name: "dispatch inside an action", run: run)]

  /// Which members have run, and in which order those that each action dispatched itself.
  private struct Roll: Sendable {
    var called: [Int: Int] = [:]
    var lastDirect = -1
    var disorder = 0
  }

  private struct Call: Mutation {
    let member: Int
    var isDirect = false

    func run(_ roll: inout Roll) {
      roll.called[member, default: 0] += 1
      if isDirect {
        if member % 8 != (roll.lastDirect + 1) % 5 { roll.disorder += 1 }
        roll.lastDirect = member % 8
      }
    }
  }

  /// Dispatches below itself in every way there is; the first five members are dispatched directly.
  private struct Nest: Action {
    let store: Store<Roll>
    let first: Int

    /// Returns how many of its dispatches were deferred.
    func run(_ roll: inout Roll) async -> Int {
      var outcomes: [Outcome<Void>] = []
      for member in 0..<5 { outcomes.append(await store.dispatch(Call(member: first + member, isDirect: true))) }
      async let inLet = store.dispatch(Call(member: first + 5))
      outcomes += await withTaskGroup { group in
        group.addTask { await store.dispatch(Call(member: first + 6)) }
        return await group.reduce(into: []) { $0.append($1) }
      }
      outcomes.append(await Task { [store, first] in await store.dispatch(Call(member: first + 7)) }.value)
      outcomes.append(await inLet)
      return outcomes.count { if case .deferred = $0 { true } else { false } }
    }
  }

  @Sendable private static func run(_ context: Context) async -> Row {
    let name = "dispatch inside an action"
    let store = Store(Roll(), name: name)
    let nests = context.scaled(400) * 8
    context.watch { "\(store.diagnostics)" }
    let deferred = await withTaskGroup { group in
      for task in 0..<8 {
        group.addTask {
          var deferred = 0
          for nest in 0..<nests / 8 {
            let first = (task * nests / 8 + nest) * 8
            deferred += await store.dispatch(Nest(store: store, first: first)).output ?? 0
            context.beat()
          }
          return deferred
        }
      }
      return await group.reduce(0, +)
    }
    await store.dispatch { _ in }
    let roll = await store.state
    return Row(
      name: name, operations: nests * 9,
      violations: context.expect("\(name), deferred (P7)", deferred, nests * 8)
        + context.expect("\(name), members that ran", roll.called.count, nests * 8)
        + context.expect("\(name), ran more than once", roll.called.values.count { $0 > 1 }, 0)
        + context.expect("\(name), out of order (P2)", roll.disorder, 0))
  }
}
