import ActorStoreTesting

/// Two stores whose actions dispatch to each other.
///
/// All four actions must commit, even if the stores defer some of them.
struct CrossingWorkload: Sendable {
  /// The number of steps that the second task waits before it begins.
  var lateness = 0

  func run<S: Subject>(on _: S.Type) async throws {
    let (one, other) = (S(name: "one"), S(name: "other"))
    @Sendable func cross(_ first: S, _ second: S, _ id: Int) async {
      let inner = Work<S>(id: id + 1)
      _ = await first.dispatch(Work(id: id, inside: { _ = await second.dispatch(inner) }))
    }
    let early = Simulation.task(name: "early") { await cross(one, other, 0) }
    let late = Simulation.task(name: "late") {
      for _ in 0..<lateness { await Task.yield() }
      await cross(other, one, 10)
    }
    _ = await (early.value, late.value)
    // Deferred actions are ahead of these in the queue.
    for store in [one, other] { _ = await store.dispatch(Work(id: -1, suspensions: 0)) }
    for (store, expected) in [(one, [-1, 0, 11]), (other, [-1, 1, 10])] {
      let applied = await store.log.entries.sorted()
      try Simulation.expect(applied == expected, "\(applied) instead of \(expected)")
    }
  }
}
