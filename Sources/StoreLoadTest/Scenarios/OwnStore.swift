import ActorStore

/// Actions that dispatch to their own store (P7).
///
/// Each action ends, and each of its deferred dispatches runs once.
enum OwnStore {
  /// A record of the members that have run, which checks the order of the direct dispatches of each action.
  private struct Roll: Sendable {
    var called: Set<Int> = []
    var twice = 0
    var lastDirect = -1
    var disorder = 0
  }

  private struct Call: Mutation {
    let member: Int
    var isDirect = false

    func run(_ roll: inout Roll) {
      if !roll.called.insert(member).inserted { roll.twice += 1 }
      if isDirect {
        if member % 8 != (roll.lastDirect + 1) % 5 { roll.disorder += 1 }
        roll.lastDirect = member % 8
      }
    }
  }

  /// Dispatches to its own store directly, from child tasks, and from an unstructured task.
  ///
  /// The first five members are dispatched directly.
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

  static func run(_ bench: Bench, _ tasks: Int) async -> Figures {
    await bench.time(atLeast: tasks, atMost: 10_000) { count in
      // Each round has its own store, so that its roll is no longer than the round.
      let store = Store(Roll(), name: "own store")
      let deferred = Tally()
      bench.watch { "\(store.diagnostics)" }
      let elapsed = await nanoseconds {
        await inTasks(tasks, sharing: count) { task, share in
          for nest in 0..<share {
            let first = (task + nest * tasks) * 8
            deferred.add(await store.dispatch(Nest(store: store, first: first)).output ?? 0)
          }
        }
      }
      await store.dispatch { _ in }
      let roll = await store.state
      bench.expect("deferred (P7)", deferred.total, count * 8)
      bench.expect("members that ran", roll.called.count, count * 8)
      bench.expect("ran more than once", roll.twice, 0)
      bench.expect("out of order (P2)", roll.disorder, 0)
      return elapsed
    }
  }
}
