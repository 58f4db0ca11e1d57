import ActorStore
import ActorStoreTesting
import Testing

@testable import Atoms

/// Threads share the delivery of changes: each delivers its own, and a few of the others (A18, A19).
@Suite struct SharedDeliveryTests {
  private let store = AtomStore()

  private static let limit = DeliveryQueue<Int>.maxRoundsOfOthers

  /// While one thread sets an atom, another thread sets the same one in each callback.
  @Test(arguments: [false, true]) func a18_aSetReturnsWhileOthersSet(isDerived: Bool) async {
    let (a, values) = (Atom(0), Recorder<Int>())
    let (ended, end) = AsyncStream.makeStream(of: Never.self)
    let copy = DerivedAtom { a.value }
    let react: @Sendable (Int) -> Void = { [store] value in
      values.add(value)
      if value == 1_000 { return end.finish() }
      if value > 0 { onAnotherThread { store.set(a, value + 1) } }
    }
    let observation = isDerived ? store.observe(copy, react) : store.observe(a, react)
    store.set(a, 1)
    // The caller's task does not wait for the others.
    #expect(values.all.contains(1))
    for await _ in ended {}
    #expect(values.all == Array(0...1_000))
    withExtendedLifetime(observation) {}
  }

  /// The delivering thread leaves after a few rounds.
  ///
  /// In this schedule, the task does not begin before the second set.
  @Test func a18_theNextSetDeliversWhatAnotherThreadHasLeft() throws {
    try Simulation.explore(.fifo) {
      let (store, a, b, values) = (AtomStore(), Atom(0), Atom(0), Recorder<Int>())
      let observation = store.observe(a) { value in
        values.add(value)
        if value > 0, value < 10 { Evaluation.setAside { store.set(a, value + 1) } }
      }
      let other = store.observe(b) { _ in }
      store.set(a, 1)
      try Simulation.expect(values.all == Array(0...1 + Self.limit), "\(values.all) after the first set")
      // This set first delivers what is left, which another thread continues.
      store.set(b, 1)
      try Simulation.expect(values.all == Array(0...10), "\(values.all) after the second set")
      await Task.yield()
      withExtendedLifetime((observation, other)) {}
    }
  }

  @Test func a18_aSetDoesNotWaitForManyChangesOfOthers() throws {
    try Simulation.explore(.fifo) {
      let (store, a, b, values, others) = (AtomStore(), Atom(0), Atom(0), Recorder<Int>(), Recorder<Int>())
      let observation = store.observe(a) { value in
        values.add(value)
        if value == 1 { Evaluation.setAside { for number in 2...1_000 { store.set(a, number) } } }
      }
      let other = store.observe(b) { others.add($0) }
      let rounds = Self.limit * DeliveryQueue<Int>.maxChangesOfOthers
      store.set(a, 1)
      try Simulation.expect(values.all == Array(0...1 + rounds), "\(values.all) after the first set")
      store.set(b, 1)
      // One round more, because none of them contains the thread's own change.
      let more = rounds + DeliveryQueue<Int>.maxChangesOfOthers
      try Simulation.expect(values.all == Array(0...1 + rounds + more), "\(values.all) after the second set")
      try Simulation.expect(others.all == [0], "\(others.all) after the second set")
      try await SimulationClock().sleep(for: .seconds(1))
      try Simulation.expect(values.all == Array(0...1_000) && others.all == [0, 1], "\(values.all), \(others.all)")
      withExtendedLifetime((observation, other)) {}
    }
  }

  @Test func a18_aTaskDeliversWhatIsLeft() throws {
    try Simulation.explore(.random(seed: 1), schedules: 200, timers: .race(upTo: 0)) {
      let (store, a, values) = (AtomStore(), Atom(0), Recorder<Int>())
      let observation = store.observe(a) { value in
        values.add(value)
        if value > 0, value < 30 { Evaluation.setAside { store.set(a, value + 1) } }
      }
      store.set(a, 1)
      // No time passes before all tasks wait.
      try await SimulationClock().sleep(for: .seconds(1))
      try Simulation.expect(values.all == Array(0...30), "\(values.all)")
      withExtendedLifetime(observation) {}
    }
  }

  /// Callbacks are not a load of other threads, so a set waits for all of them.
  @Test func a18_aSetDeliversAllChangesOfItsCallbacks() {
    let (a, values) = (Atom(0), Recorder<Int>())
    let double = DerivedAtom { a.value * 2 }
    let observations = [
      store.observe(double) { [store] value in
        values.add(value)
        if value > 0, value < 200 { store.update(a) { $0 += 1 } }
      }
    ]
    store.set(a, 1)
    #expect(values.all == Array(stride(from: 0, through: 200, by: 2)))
    withExtendedLifetime(observations) {}
  }

  /// Many changes on one thread are no load of others, either.
  @Test(arguments: [false, true]) func a18_aSetDeliversManyChangesOfOneCallback(inTransaction: Bool) {
    let (go, all, values) = (Atom(false), (0..<1_000).map { _ in Atom(0) }, Tally())
    let observations = all.map { store.observe($0) { if $0 == 1 { values.add() } } }
    let start = store.observe(go) { [store] isOn in
      if !isOn { return }
      if inTransaction {
        store.transaction { for atom in all { atom.value = 1 } }
      } else {
        for atom in all { store.set(atom, 1) }
      }
    }
    store.set(go, true)
    #expect(values.value == 1_000)
    withExtendedLifetime((observations, start)) {}
  }

  /// A read on another thread is no change.
  @Test func a18_readsOfOthersEndNoDelivery() {
    let (a, values, problems) = (Atom(0), Recorder<Int>(), Recorder<AtomProblem>())
    store.onProblem = { problems.add($0) }
    let double = DerivedAtom { a.value * 2 }
    let observation = store.observe(double) { [store] value in
      values.add(value)
      if value > 0, value < 3_000 { store.update(a) { $0 += 1 } }
      Evaluation.setAside { _ = store.get(double) }
    }
    store.set(a, 1)
    #expect(values.all == Array(stride(from: 0, through: 3_000, by: 2)) && problems.all.count == 1)
    withExtendedLifetime(observation) {}
  }

  /// A set in a callback that nothing sees costs the pending deliveries of other threads nothing.
  @Test func a19_aSetThatNothingSeesNeedsNoRound() {
    let (value, other, evaluations, rounds) = (Atom(0), Atom(0), Tally(), Recorder<Int>())
    let derived = DerivedAtom { () -> Int in
      evaluations.add()
      return value.value
    }
    let observation = store.observe(derived) { [store] value_ in
      rounds.add(value_)
      if value_ != 1 { return }
      Evaluation.setAside { store.set(value, 2) }
      for number in 1...3 {
        store.set(other, number)
        Evaluation.setAside { store.set(value, 2 + number) }
      }
      // The current round sees one former value of each atom.
      #expect(store.diagnostics.kept == 2)
    }
    store.set(value, 1)
    #expect(rounds.all == [0, 1, 5])
    #expect(evaluations.value == 3)
    withExtendedLifetime(observation) {}
  }

  @Test func a19_setsInACallbackAreNotCombinedAcrossBranches() {
    let (isLeft, left, right, values) = (Atom(true), Atom(1), Atom(2), Recorder<Int>())
    let chosen = DerivedAtom { isLeft.value ? left.value : right.value }
    let observations = [
      store.observe(left) { [store] value in
        if value != 10 { return }
        store.set(isLeft, false)
        // No edge leads from here to the derived atom yet.
        for number in 20...22 { store.set(right, number) }
      },
      store.observe(chosen) { values.add($0) },
    ]
    store.set(left, 10)
    #expect(values.all == [1, 10, 2, 20, 21, 22])
    withExtendedLifetime(observations) {}
  }
}
