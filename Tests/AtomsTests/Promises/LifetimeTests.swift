import ActorStore
import ActorStoreTesting
import Testing

@testable import Atoms

/// How long a value outlives its last use (A30).
@Suite struct LifetimeTests {
  /// A store in a simulation, and its time.
  private struct Subject: Sendable {
    let store = AtomStore()
    let clock = SimulationClock()

    func use(_ atom: some ReadableAtom<Int>) -> UseAtomValue<Int> {
      let use = store.callAsCurrent { UseAtomValue(atom) }
      _ = use.wrappedValue
      return use
    }

    /// Begins and ends a use.
    func useForAMoment(_ atom: some ReadableAtom<Int>) { withExtendedLifetime(use(atom)) {} }

    func wait(_ seconds: Int) async throws { try await clock.sleep(for: .seconds(seconds)) }

    func expect(_ value: Int, _ atom: some ReadableAtom<Int>, line: UInt = #line) throws {
      let found = store.get(atom)
      try Simulation.expect(found == value, "\(found), not \(value), at \(clock.now.offset) in line \(line)")
    }
  }

  private func explore(_ body: @escaping @Sendable (Subject) async throws -> Void) throws {
    try Simulation.explore(.mixed(seed: 11), schedules: 30, timers: .race(upTo: 0)) { try await body(Subject()) }
  }

  @Test func a30_aTimeBeginsWhenTheLastUseEnds() throws {
    try explore { subject in
      let atom = Atom(1, lifetime: .kept(for: .seconds(60)))
      subject.store.set(atom, 5)
      try await subject.wait(100)
      // Nothing has used it yet.
      try subject.expect(5, atom)
      var uses = [subject.use(atom), subject.use(atom)]
      uses.removeLast()
      try await subject.wait(100)
      try subject.expect(5, atom)
      uses = []
      try await subject.wait(59)
      try subject.expect(5, atom)
      try await subject.wait(2)
      try subject.expect(1, atom)
    }
  }

  @Test func a30_aUseInBetweenEndsTheTime() throws {
    try explore { subject in
      let atom = Atom(1, lifetime: .kept(for: .seconds(60)))
      subject.store.set(atom, 5)
      subject.useForAMoment(atom)
      try await subject.wait(50)
      let use = subject.use(atom)
      try await subject.wait(50)
      try subject.expect(5, atom)
      withExtendedLifetime(use) {}
    }
    try explore { subject in
      let atom = Atom(1, lifetime: .kept(for: .seconds(60)))
      subject.store.set(atom, 5)
      subject.useForAMoment(atom)
      try await subject.wait(50)
      subject.useForAMoment(atom)
      try await subject.wait(59)
      try subject.expect(5, atom)
      try await subject.wait(2)
      try subject.expect(1, atom)
    }
  }

  @Test func a30_anAtomUsesWhatItHasReadUntilItsTimeIsOver() throws {
    try explore { subject in
      let (source, timed) = (Atom(1), Atom(1, lifetime: .kept(for: .seconds(10))))
      let sum = DerivedAtom(lifetime: .kept(for: .seconds(60))) { source.value + timed.value }
      subject.store.set(source, 2)
      subject.store.set(timed, 3)
      subject.useForAMoment(sum)
      try await subject.wait(59)
      try subject.expect(5, sum)
      try await subject.wait(2)
      try subject.expect(1, source)
      // Its own time begins when that of the sum is over.
      try subject.expect(3, timed)
      try await subject.wait(10)
      try subject.expect(1, timed)
    }
  }

  @Test func a30_anAsynchronousResultIsKeptForATime() throws {
    try explore { subject in
      let runs = Tally()
      let atom = AsyncAtom(lifetime: .kept(for: .seconds(60))) { () async -> Int in runs.next() }
      for run in 1...2 {
        let result = try await subject.store.result(of: atom)
        try Simulation.expect(result == run, "\(result) is not the result of run \(run)")
        try await subject.wait(59)
        try Simulation.expect(subject.store.get(atom).value == run, "run \(run) was lost early")
        try await subject.wait(61)
      }
    }
  }

  @Test func a30_aMemberOfAFamilyStaysUntilItsTimeIsOver() throws {
    try explore { subject in
      let family = AtomFamily { (key: Int) in Atom(key, lifetime: .kept(for: .seconds(60))) }
      subject.store.set(family(1), 5)
      subject.useForAMoment(family(1))
      for key in 1_000..<1_200 { _ = subject.store.get(family(key)) }
      try subject.expect(5, family(1))
      try await subject.wait(61)
      try subject.expect(1, family(1))
    }
  }

  @Test func a30_anAtomHasOneCountdown() throws {
    try explore { subject in
      let atom = Atom(1, lifetime: .kept(for: .seconds(60)))
      for _ in 0..<100 { subject.useForAMoment(atom) }
      let count = subject.store.core.state.withLock { $0.countdowns.count }
      try Simulation.expect(count == 1, "\(count) countdowns")
      try await subject.wait(61)
      let rest = subject.store.core.state.withLock { $0.countdowns.count + $0.logic.countdowns.count }
      try Simulation.expect(rest == 0, "\(rest) countdowns after the time")
    }
  }

  @Test func a30_aCountdownKeepsNeitherItsStoreNorItsAtom() throws {
    try Simulation.explore(.mixed(seed: 11), schedules: 30, timers: .race(upTo: 0)) {
      var store: AtomStore? = AtomStore()
      weak let handle = store?.handle
      var atom: Atom<Int>? = Atom(1, lifetime: .kept(for: .seconds(60)))
      weak let definition = atom?.definition
      for current in [store].compactMap({ $0 }) {
        current.callAsCurrent { atom.map { withExtendedLifetime(UseAtom($0)) {} } }
      }
      await Task.yield()
      atom = nil
      try Simulation.expect(definition == nil, "the atom lives")
      store = nil
      try Simulation.expect(handle == nil, "the store lives")
    }
  }

  /// Uses that begin and end while times end.
  @Test func a30_noValueInUseIsResetInARace() throws {
    try Simulation.explore(.mixed(seed: 12), schedules: 300, timers: .race(upTo: 0)) {
      let subject = Subject()
      let atom = Atom(0, lifetime: .kept(for: .seconds(2)))
      try await withThrowingTaskGroup { group in
        for pause in 1...3 {
          group.addTask {
            for _ in 0..<3 {
              let use = subject.use(atom)
              let seen = subject.store.update(atom) { value -> Int in
                value += 1
                return value
              }
              try await subject.wait(2)
              let now = subject.store.get(atom)
              try Simulation.expect(now >= seen, "\(now) after \(seen), in use")
              withExtendedLifetime(use) {}
              try await subject.wait(pause)
            }
          }
        }
        try await group.waitForAll()
      }
      try await subject.wait(3)
      try subject.expect(0, atom)
    }
  }

  @Test func a30_eachTimeHasAMeaning() {
    #expect(AtomLifetime.kept(for: .zero) == .whileUsed)
    #expect(AtomLifetime.kept(for: .seconds(-1)) == .whileUsed)
    #expect(AtomLifetime.kept(for: .seconds(Int64.min)) == .whileUsed)
    #expect(AtomLifetime.kept(for: .seconds(Int64.max)) == .kept)
    #expect(AtomLifetime.kept(for: .seconds(Double(1e19))) == .kept)
    #expect(AtomLifetime.kept(for: .seconds(100 * 365 * 86_400)) == .kept)
    #expect(AtomLifetime.kept(for: .seconds(60)).time == .seconds(60))
    #expect(AtomLifetime.kept(for: .nanoseconds(1)).time == .nanoseconds(1))
    #expect(AtomLifetime.kept.time == nil && AtomLifetime.whileUsed.time == nil)
  }

  /// The clock of the system must accept the longest time.
  @Test func a30_theLongestTimeNeverEnds() async throws {
    let (store, atom) = (AtomStore(), Atom(1, lifetime: .kept(for: .seconds(100 * 365 * 86_400 - 1))))
    store.callAsCurrent {
      UseAtom(atom).wrappedValue = 5
      withExtendedLifetime(UseAtom(atom)) {}
    }
    for _ in 0..<100 { await Task.yield() }
    #expect(store.get(atom) == 5)
  }

  @Test func a30_keepAliveIsAnOlderSpelling() {
    let store = AtomStore()
    let (kept, older) = (Atom(1, lifetime: .kept), Atom(1, keepAlive: true))
    let (used, both) = (Atom(1, keepAlive: false), Atom(1, lifetime: .whileUsed, keepAlive: true))
    for atom in [kept, older, used, both] {
      store.callAsCurrent {
        UseAtom(atom).wrappedValue = 5
        withExtendedLifetime(UseAtom(atom)) {}
      }
    }
    #expect([kept, older, used, both].map { store.get($0) } == [5, 5, 1, 1])
  }

  #if DEBUG
    /// Sets an atom, ends its last use, and returns the problems that the store reports.
    private func problems(
      _ atom: some WritableAtom<Int>, in store: AtomStore = AtomStore(), setTo value: Int = 5
    ) -> [AtomProblem] {
      let problems = Recorder<AtomProblem>()
      store.onProblem = { problems.add($0) }
      store.set(atom, value)
      store.callAsCurrent { withExtendedLifetime(UseAtom(atom)) {} }
      return problems.all
    }

    @Test func a30_aResetOfASetValueIsAWarningOnce() {
      let (store, warning) = (AtomStore(), AtomProblem.setValueReset("a"))
      let (atom, limited) = (Atom(1).debugLabel("a"), WillSetAtom(1) { min($0, 10) }.debugLabel("a"))
      for atom in [Atom(definition: atom.definition), Atom(definition: limited.definition)] {
        #expect(problems(atom, in: store) == [warning])
        #expect(problems(atom, in: store) == [])
        #expect(store.get(atom) == 1)
      }
      // Another store has other users.
      #expect(problems(atom) == [warning])
      #expect(warning.isWarning && !AtomProblem.injectionInTransaction("a").isWarning)
    }

    @Test func a30_anInjectedValueIsNoSetValue() {
      let (store, atom) = (AtomStore(), Atom(1).debugLabel("a"))
      store.inject(atom, value: 7)
      store.callAsCurrent { withExtendedLifetime(UseAtom(atom)) {} }
      #expect(problems(atom, in: store) == [.setValueReset("a")])
      #expect(store.get(atom) == 7)
    }

    @Test func a30_aChosenLifetimeIsNoWarning() {
      for lifetime in [AtomLifetime.whileUsed, .kept, .kept(for: .zero)] {
        #expect(problems(Atom(1, lifetime: lifetime)) == [])
        #expect(problems(WillSetAtom(1, lifetime: lifetime) { $0 }) == [])
      }
      #expect(problems(Atom(1, keepAlive: true)) == [])
    }

    @Test func a30_aResetThatLosesNothingIsNoWarning() {
      let (store, atom) = (AtomStore(), Atom(1).debugLabel("a"))
      #expect(problems(atom, in: store, setTo: 1) == [])
      store.set(atom, 5)
      #expect(problems(atom, in: store, setTo: 1) == [])
      #expect(problems(atom, in: store) == [.setValueReset("a")])
      let read = AtomStore()
      let found = Recorder<AtomProblem>()
      read.onProblem = { found.add($0) }
      read.callAsCurrent { withExtendedLifetime(UseAtom(atom)) {} }
      #expect(found.all == [])
    }

    @Test func a30_theDefaultHandlerDoesNotTrapForAWarning() {
      let (store, atom) = (AtomStore(), Atom(1))
      store.callAsCurrent { UseAtom(atom).wrappedValue = 5 }
      #expect(store.get(atom) == 1)
    }

    /// A handler may use the store.
    @Test func a30_aWarningIsReportedWithoutALock() {
      let (store, atom, seen) = (AtomStore(), Atom(1), Recorder<Int>())
      store.onProblem = { [store] _ in seen.add(store.get(atom)) }
      store.callAsCurrent { UseAtom(atom).wrappedValue = 5 }
      #expect(seen.all == [1])
    }
  #endif
}
