import ActorStore
import ActorStoreTesting
import Testing

@testable import Atoms

/// Answers of runs that are no longer the newest or no longer needed (A25, A29).
@Suite struct LateAnswerTests {
  private struct Late: Error {}

  /// The late answer of an older run that ignores its cancellation.
  enum Answer: CaseIterable, Sendable { case result, error, element }
  /// The event that ends an older run.
  enum End: CaseIterable, Sendable { case set, reload, cancel }
  /// The state before the answer.
  enum State: CaseIterable, Sendable { case success, failure, loading }

  /// An atom whose second run answers late.
  private struct Subject: Sendable {
    let store = AtomStore()
    let number = Atom(1, keepAlive: true)
    let late = Gate()
    let newest = Gate()
    let started = Gate()
    let runs = Tally()
    let seen = Recorder<AsyncState<Int>>()
    let atom: AsyncAtom<Int>

    init(_ answer: Answer, _ state: State) {
      let (number, late, newest, started, runs) = (number, late, newest, started, runs)
      atom = AsyncAtom { () async throws -> Int in
        let value = number.value
        switch runs.next() {
        case 1:
          return value
        case 2:
          started.open()
          await late.pass()
          if answer == .error { throw Late() }
          if answer == .element { (SelectedGraph.run as? Run)?.set(RunResult(-1)) }
          return -2
        default:
          if state == .failure { throw Stop() }
          if state == .loading { await newest.pass() }
          return 10
        }
      }
    }

    /// The parts of the atom that code can see.
    var visible: [String] {
      let (state, latest) = store.snapshot { (atom.value, atom.latest.value) }
      return ["\(state)", "\(String(describing: latest))", "\(seen.all)"]
    }

    /// Waits until no task can run anymore.
    func settle() async throws { try await SimulationClock().sleep(for: .seconds(1)) }
  }

  @Test(arguments: Answer.allCases, State.allCases)
  func a25_aLateAnswerChangesNoVisibleState(_ answer: Answer, _ state: State) throws {
    for end in End.allCases { try Self.explore(answer, state, end) }
  }

  #if DEBUG
    @Test(arguments: Answer.allCases) func aLateAnswerIsFoundInAKnownBadGraph(_ answer: Answer) {
      for end in [End.set, .reload] {
        #expect(throws: (any Error).self) { try Self.explore(answer, .loading, end, .staleRunWins) }
      }
    }
  #endif

  private static func explore(_ answer: Answer, _ state: State, _ end: End, _ faults: GraphFaults = []) throws {
    try Simulation.explore(.mixed(seed: 8), schedules: 10, timers: .race(upTo: 0)) {
      let subject = Subject(answer, state)
      subject.store.plant(faults)
      let (store, atom) = (subject.store, subject.atom)
      let observation = store.observe(atom) { subject.seen.add($0) }
      let first = try await store.result(of: atom)
      store.callAsCurrent { atom.reload() }
      await subject.started.pass()
      switch end {
      case .set: store.set(subject.number, 2)
      case .reload: store.callAsCurrent { atom.reload() }
      default: store.callAsCurrent { atom.cancel() }
      }
      try await subject.settle()
      let before = subject.visible
      let expected: AsyncState<Int>
      switch state {
      case _ where end == .cancel: expected = .success(1)
      case .success: expected = .success(10)
      case .failure: expected = .failure(Stop())
      case .loading: expected = .loading
      }
      try Simulation.expect(first == 1 && store.get(atom) == expected, "\(before)")
      let latest = end != .cancel && state == .success ? 10 : 1
      try Simulation.expect(store.get(atom.latest) == latest, "\(before)")
      subject.late.open()
      try await subject.settle()
      try Simulation.expect(subject.visible == before, "\(subject.visible) instead of \(before)")
      // The newest run is not affected.
      subject.newest.open()
      try await subject.settle()
      let last: AsyncState<Int> =
        end == .cancel ? .success(1) : state == .failure ? .failure(Stop()) : .success(10)
      try Simulation.expect(store.get(atom) == last, "\(store.get(atom)) instead of \(last)")
      withExtendedLifetime(observation) {}
    }
  }

  /// Nothing reaches watchers, models, or the log.
  @Test(arguments: Answer.allCases) func a29_nothingIsDeliveredAfterTheLastUse(_ answer: Answer) throws {
    try Simulation.explore(.mixed(seed: 8), schedules: 30, timers: .race(upTo: 0)) {
      let subject = Subject(answer, .success)
      let (store, atom, entries) = (subject.store, subject.atom, Recorder<String>())
      store.enableAtomLogging(debugScope: .include([atom])) { entries.add("\($0)") }
      let observation = store.observe(atom) { subject.seen.add($0) }
      _ = try await store.result(of: atom)
      store.callAsCurrent { atom.reload() }
      await subject.started.pass()
      try await subject.settle()
      observation.cancel()
      let (seen, logged) = (subject.seen.all, entries.all)
      subject.late.open()
      try await subject.settle()
      try Simulation.expect(subject.seen.all == seen, "\(subject.seen.all) instead of \(seen)")
      try Simulation.expect(entries.all == logged, "\(entries.all) instead of \(logged)")
      try Simulation.expect(seen == [.loading, .success(1), .loading], "\(seen)")
      try Simulation.expect(!store.diagnostics.isPinned, "a run is left behind")
      // The next use starts over.
      let (state, latest) = store.snapshot { (atom.value, atom.latest.value) }
      try Simulation.expect(state == .loading && latest == nil, "\(state)")
      let next = try await store.result(of: atom)
      try Simulation.expect(next == 10, "\(next)")
    }
  }

  // MARK: The number of runs

  private let store = AtomStore()
  private let runs = Tally()
  private let one = Atom(1, keepAlive: true)
  private let two = Atom(10, keepAlive: true)

  private func makeSum() -> AsyncAtom<Int> {
    AsyncAtom(keepAlive: true) { [one, two, runs] () async -> Int in
      runs.add()
      return one.value + two.value
    }
  }

  @Test(arguments: [true, false]) func a26_severalChangesAtOnceStartOneRun(isWatched: Bool) async throws {
    let sum = makeSum()
    let observation = isWatched ? store.observe(sum) { _ in } : nil
    #expect(try await store.result(of: sum) == 11)
    store.transaction { [one, two] in
      one.value = 2
      two.value = 20
    }
    #expect(try await store.result(of: sum) == 22 && runs.value == 2)
    withExtendedLifetime(observation) {}
    if isWatched { return }
    // Nothing has read the atom in between.
    store.set(one, 3)
    store.set(two, 30)
    #expect(try await store.result(of: sum) == 33 && runs.value == 3)
  }

  @Test(arguments: [true, false]) func a26_aChangeBackInOneRevisionStartsNoRun(isWatched: Bool) async throws {
    let sum = makeSum()
    let isLarge = DerivedAtom(keepAlive: true) { [one] in one.value > 100 }
    let text = AsyncAtom(keepAlive: true) { [runs] () async -> Bool in
      runs.add()
      return isLarge.value
    }
    let observations = isWatched ? [store.observe(sum) { _ in }, store.observe(text) { _ in }] : []
    #expect(try await store.result(of: sum) == 11)
    #expect(try await store.result(of: text) == false && runs.value == 2)
    store.transaction { [one, two] in
      one.value = 200
      two.value = 20
      one.value = 1
      two.value = 10
    }
    #expect(store.get(sum) == .success(11) && store.get(text) == .success(false) && runs.value == 2)
    // Nothing reads the derived atom in between unless it is watched.
    store.set(one, 2)
    store.set(one, 1)
    #expect(try await store.result(of: sum) == 11)
    #expect(store.get(text) == .success(false))
    // Two sets are two changes, but only the last run counts.
    #expect(runs.value <= (isWatched ? 4 : 3))
    withExtendedLifetime(observations) {}
  }
}
