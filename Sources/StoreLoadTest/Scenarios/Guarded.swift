import ActorStore

/// The cost of guards for a mutation, and a check that a guard sees the right states of each commit.
enum Guarded {
  static let scenario = Scenario(
    name: "guarded", summary: "mutations with guards, and mutations that a guard vetoes", sizes: [.dispatches]
  ) { _ in
    [
      whole, added("added by an empty guard", [Empty()]),
      added("added by a guard that checks each commit", [Bookkeeper()]),
      added("added by five empty guards", [Empty(), Empty(), Empty(), Empty(), Empty()]), vetoed,
    ]
  }

  private struct Empty: Guard {
    typealias State = Counter
  }

  /// A guard that compares each new state with the old one.
  private struct Bookkeeper: Guard {
    let disorder = Tally()
    let calls = Tally()

    var wantsOldState: Bool { true }

    func didUpdate<A: Action<Counter>>(_ action: A, old: Counter?, new: Counter) {
      if new.count != (old?.count ?? 0) + 1 { disorder.add(1) }
      calls.add(1)
    }
  }

  private struct Refuse: Guard {
    func veto<A: Action<Counter>>(_ action: A, state: Counter) -> Veto? { Veto("no") }
  }

  @concurrent
  private static func mutations(_ store: Store<Counter>, _ count: Int) async {
    for step in 0..<count {
      await store.dispatch(Increment(task: 0))
      _ = work(step, 1)
    }
  }

  private static let whole = Case(name: "guarded mutation, 1 task", weight: 1.5) { bench in
    let store = Store(Counter(), guards: [Empty()], name: "guarded")
    let (bare, commits) = (BareCounter(), Tally())
    bench.watch { "\(store.diagnostics)" }
    var figures = await bench.compare(to: BareCounter.name) { count in
      await nanoseconds { await bareCalls(bare, count) }
    } subject: { count in
      commits.add(count)
      return await nanoseconds { await mutations(store, count) }
    }
    bench.expect("count", await store.state.count, commits.total)
    figures.latencies = await bench.latencies { _, watch in
      while watch.begin() {
        await store.dispatch(Increment(task: 0))
        watch.stop()
      }
    }
    return figures
  }

  /// Compares the time that guards add to a mutation with a call of a bare actor.
  ///
  /// Each round subtracts the time of a store without guards.
  private static func added(_ name: String, _ guards: [any Guard<Counter>]) -> Case {
    Case(name: name) { bench in
      let bare = BareCounter()
      let plain = Store(Counter())
      let guarded = Store(Counter(), guards: guards, name: name)
      let commits = Tally()
      bench.watch { "\(guarded.diagnostics)" }
      let figures = await bench.compare(to: BareCounter.name) { count in
        await nanoseconds { await bareCalls(bare, count) }
      } subject: { count in
        commits.add(count)
        let without = await nanoseconds { await mutations(plain, count) }
        return await nanoseconds { await mutations(guarded, count) } - without
      }
      bench.expect("count", await guarded.state.count, commits.total)
      for case let bookkeeper as Bookkeeper in guards {
        bench.expect("wrong states that a guard saw", bookkeeper.disorder.total, 0)
        bench.expect("commits that a guard saw", bookkeeper.calls.total, commits.total)
      }
      return figures
    }
  }

  private static let vetoed = Case(name: "vetoed mutation, 1 task", weight: 0.6) { bench in
    let store = Store(Counter(), guards: [Refuse()], name: "vetoed")
    let bare = BareCounter()
    bench.watch { "\(store.diagnostics)" }
    let figures = await bench.compare(to: BareCounter.name) { count in
      await nanoseconds { await bareCalls(bare, count) }
    } subject: { count in
      await nanoseconds { await mutations(store, count) }
    }
    bench.expect("commits", await store.state.count, 0)
    return figures
  }
}
