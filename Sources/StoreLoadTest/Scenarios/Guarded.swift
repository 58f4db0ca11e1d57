import ActorStore

/// What guards cost a mutation, and that they see each one exactly as they should.
enum Guarded {
  static let all = [
    scenario("a guard, empty", [Empty()]),
    scenario("a guard that keeps the books", [Bookkeeper()]),
    scenario("five guards, empty", [Empty(), Empty(), Empty(), Empty(), Empty()]),
    vetoed,
  ]

  private struct Empty: Guard {
    typealias State = Counter
  }

  /// Compares the state before with the one after.
  private struct Bookkeeper: Guard {
    let disorder = Tally()

    var wantsOldState: Bool { true }

    func didUpdate<A: Action<Counter>>(_ action: A, old: Counter?, new: Counter) {
      if new.count != (old?.count ?? 0) + 1 { disorder.add(1) }
    }
  }

  private struct Refuse: Guard {
    func shouldUpdate<A: Action<Counter>>(_ action: A, state: Counter) -> Veto? { Veto("no") }
  }

  @concurrent
  private static func mutations(_ store: Store<Counter>, _ count: Int) async {
    for step in 0..<count {
      await store.dispatch(Increment(task: 0))
      _ = work(step, 1)
    }
  }

  @concurrent
  private static func bareCalls(_ bare: BareCounter, _ count: Int) async {
    for step in 0..<count {
      _ = await bare.increment(by: 0)
      _ = work(step, 1)
    }
  }

  /// The figures are what the guards add to the same store without them, as a ratio to a bare actor's call.
  private static func scenario(
    _ name: String,
    _ guards: [any Guard<Counter>]
  ) -> Scenario {
    Scenario(name: name) { context in
      let operations = context.scaled(200_000)
      let rounds = context.options.isQuick ? 3 : 5
      let bare = BareCounter()
      let plain = Store(Counter())
      let guarded = Store(Counter(), guards: guards, name: name)
      context.watch { "\(guarded.diagnostics)" }
      var added: [Double] = []
      var baselines: [Double] = []
      for _ in 0..<rounds {
        baselines.append(await nanosecondsPerOperation(operations) { await bareCalls(bare, operations) })
        let without = await nanosecondsPerOperation(operations) { await mutations(plain, operations) }
        let with = await nanosecondsPerOperation(operations) { await mutations(guarded, operations) }
        added.append(with - without)
        context.beat()
      }
      let disorder = guards.reduce(0) { $0 + (($1 as? Bookkeeper)?.disorder.total ?? 0) }
      return Row(
        name: name, operations: operations * rounds, nanoseconds: Spread(added), baseline: Spread(baselines),
        ratio: Spread(zip(added, baselines).map { $0 / $1 }),
        violations: context.expect("\(name), count", await guarded.state.count, operations * rounds)
          + context.expect("\(name), guards that saw a wrong state", disorder, 0))
    }
  }

  private static let vetoed = Scenario(name: "vetoed") { context in
    let count = context.scaled(200_000)
    let store = Store(Counter(), guards: [Refuse()], name: "vetoed")
    let bare = BareCounter()
    context.watch { "\(store.diagnostics)" }
    let figures = await compare(rounds: 3, operations: count) {
      await bareCalls(bare, count)
      context.beat()
    } subject: {
      await mutations(store, count)
      context.beat()
    }
    return Row(
      name: "vetoed", operations: 3 * count, nanoseconds: figures.nanoseconds, baseline: figures.baseline,
      ratio: figures.ratio, violations: context.expect("vetoed, commits", await store.state.count, 0))
  }
}
