import ActorStore

/// Groups, transactions, and actions that dispatch to another store or to their own (P7, P8).
enum Nested {
  static let scenario = Scenario(
    name: "nested", summary: "groups, transactions, and dispatches from within actions, without deadlock",
    sizes: [.tasks, .dispatches]
  ) { options in
    let tasks = options.tasks ?? 8
    return [
      group, transaction, asyncTransaction, oneWay,
      Case(name: "both ways, \(tasks) tasks") { await bothWays($0, tasks) },
      Case(name: "own store, \(tasks) tasks") { await OwnStore.run($0, tasks) },
    ] + Children.few
  }

  private struct Twice: ActionGroup {
    func run(with store: Store<Counter>) async {
      await store.dispatch(Increment(task: 0))
      await store.dispatch(Increment(task: 1))
    }
  }

  private struct Pass: Action {
    let other: Store<Counter>

    /// Returns whether the nested dispatch committed, instead of being deferred.
    func run(_ counter: inout Counter) async -> Bool {
      counter.count &+= 1
      return await other.dispatch(IncrementLater(task: 0)).isCommitted
    }
  }

  private static let group = pair("group of two, 1 task") { await $0.dispatch(Twice()) }

  private static let transaction = pair("transaction of two, 1 task") { store in
    await store.transaction { transaction throws(Veto) in
      try transaction.run(Increment(task: 0))
      try transaction.run(Increment(task: 1))
    }
  }

  private static let asyncTransaction = pair("async transaction of two, 1 task") { store in
    await store.transaction { transaction async throws(Veto) in
      try await transaction.run(Increment(task: 0))
      try await transaction.run(Increment(task: 1))
    }
  }

  /// Compares two changes of one store with two consecutive bare calls.
  private static func pair(_ name: String, _ run: @escaping @Sendable (Store<Counter>) async -> Void) -> Case {
    Case(name: name, weight: 0.6) { bench in
      let store = Store(Counter(), name: name)
      let (bare, calls) = (BareCounter(), Tally())
      bench.watch { "\(store.diagnostics)" }
      let figures = await bench.compare(to: "two bare calls") { count in
        await nanoseconds { await bareCalls(bare, 2 * count) }
      } subject: { count in
        calls.add(count)
        return await nanoseconds { for _ in 0..<count { await run(store) } }
      }
      bench.expect("changes", await store.state.count, 2 * calls.total)
      return figures
    }
  }

  private static let oneWay = Case(name: "two stores, 1 task", weight: 0.6) { bench in
    let (outer, inner) = (Store(Counter(), name: "outer"), Store(Counter(), name: "inner"))
    let (bare, calls) = (BareCounter(), Tally())
    bench.watch { "\(outer.diagnostics)\n\(inner.diagnostics)" }
    let figures = await bench.compare(to: "two bare calls") { count in
      await nanoseconds { await bareCalls(bare, 2 * count) }
    } subject: { count in
      calls.add(count)
      return await nanoseconds { for _ in 0..<count { await outer.dispatch(Pass(other: inner)) } }
    }
    bench.expect("commits of the outer store", await outer.state.count, calls.total)
    bench.expect("commits of the inner store", await inner.state.count, calls.total)
    return figures
  }

  private static func bothWays(_ bench: Bench, _ tasks: Int) async -> Figures {
    let (one, other) = (Store(Counter(), name: "one"), Store(Counter(), name: "other"))
    let calls = Tally()
    bench.watch { "\(one.diagnostics)\n\(other.diagnostics)" }
    let figures = await bench.time(atLeast: tasks) { count in
      calls.add(count)
      return await nanoseconds {
        await inTasks(tasks, sharing: count) { task, share in
          for round in 0..<share {
            let (first, second) = (task + round) % 2 == 0 ? (one, other) : (other, one)
            await first.dispatch(Pass(other: second))
          }
        }
      }
    }
    // A dispatch at the end of each queue waits for all deferred actions.
    for store in [one, other] { await store.dispatch { _ async in } }
    bench.expect("commits (P8)", await one.state.count + other.state.count, 2 * calls.total)
    return figures
  }
}
