import ActorStore
import ActorStoreTesting
import Testing

@testable import Atoms

/// States of asynchronous atoms that code sets (A28).
@Suite struct SetByHandTests {
  /// An atom with a source and a derived value as dependencies, and runs that can be held.
  private struct Subject: Sendable {
    let store = AtomStore()
    let text = Atom(1, lifetime: .kept)
    let tens: DerivedAtom<Int>
    let other = Atom(0, lifetime: .kept)
    let isHeld = Recorder<Bool>()
    let runs = Tally()
    let canceled = Tally()
    let dogs: AsyncAtom<Int>

    init() {
      let tens = DerivedAtom { [text] in text.value / 10 }
      self.tens = tens
      dogs = AsyncAtom(lifetime: .whileUsed) { [text, other, isHeld, runs, canceled] () async throws -> Int in
        runs.add()
        let value = tens.value * 100 + text.value + other.value
        if isHeld.all.last == true {
          do { try await SimulationClock().sleep(for: .seconds(10)) } catch {
            canceled.add()
            throw error
          }
        }
        return value
      }
    }

    func hold(_ new: Bool) { isHeld.add(new) }

    func expect(_ state: AsyncState<Int>, line: UInt = #line) throws {
      let found = store.get(dogs)
      try Simulation.expect(found == state, "\(found), not \(state), in line \(line)")
    }

    func expect(runs count: Int, canceled: Int, line: UInt = #line) throws {
      let found = [runs.value, self.canceled.value]
      try Simulation.expect(found == [count, canceled], "\(found), not \([count, canceled]), in line \(line)")
    }

    /// Waits until a held run would have ended.
    func wait() async throws { try await SimulationClock().sleep(for: .seconds(20)) }
  }

  private static func explore(_ body: @escaping @Sendable (Subject) async throws -> Void) throws {
    try Simulation.explore(.mixed(seed: 31), schedules: 30, timers: .race(upTo: 0)) { try await body(Subject()) }
  }

  @Test func a28_aSetStateCancelsTheRun() throws {
    try Self.explore { subject in
      let (store, dogs, seen) = (subject.store, subject.dogs, Recorder<AsyncState<Int>>())
      subject.hold(true)
      let use = store.observe(dogs) { seen.add($0) }
      async let result = store.result(of: dogs)
      try await SimulationClock().sleep(for: .seconds(1))
      store.set(dogs, .success(9))
      let waited = try await result
      try Simulation.expect(waited == 9, "\(waited)")
      try await subject.wait()
      try subject.expect(.success(9))
      try subject.expect(runs: 1, canceled: 1)
      try Simulation.expect(seen.all == [.loading, .success(9)], "\(seen.all)")
      // An equal state is no change.
      store.callAsCurrent { dogs.set(.success(9)) }
      try Simulation.expect(seen.all.count == 2, "\(seen.all)")
      withExtendedLifetime(use) {}
    }
  }

  @Test func a28_aStateThatIsSetBeforeTheFirstReadStartsNoRun() throws {
    try Self.explore { subject in
      subject.store.set(subject.dogs, .success(9))
      try subject.expect(.success(9))
      let result = try await subject.store.result(of: subject.dogs)
      try Simulation.expect(result == 9, "\(result)")
      try subject.expect(runs: 0, canceled: 0)
      subject.store.callAsCurrent { subject.dogs.reload() }
      let next = try await subject.store.result(of: subject.dogs)
      try Simulation.expect(next == 1, "\(next)")
    }
  }

  /// A dependency that the canceled run, or only the run of the last result, has read.
  @Test func a24_aChangedDependencyLoadsAfterASet() throws {
    try Self.explore { subject in
      let (store, dogs) = (subject.store, subject.dogs)
      for isRunning in [false, true] {
        _ = try await store.result(of: dogs)
        if isRunning {
          subject.hold(true)
          store.callAsCurrent { dogs.reload() }
          for _ in 0..<3 { await Task.yield() }
        }
        store.set(dogs, .success(9))
        store.set(dogs, .failure(Stop()))
        let latest = store.get(dogs.latest)
        try Simulation.expect(latest == 9, "\(String(describing: latest))")
        store.set(dogs, .success(10))
        subject.hold(false)
        // Equal values are no change, and other atoms are no dependencies.
        store.set(subject.text, store.get(subject.text))
        try subject.expect(.success(10))
        store.update(subject.text) { $0 += 10 }
        try subject.expect(.loading)
        let result = try await store.result(of: dogs)
        let text = store.get(subject.text)
        try Simulation.expect(result == text / 10 * 100 + text, "\(result)")
      }
    }
  }

  /// What has changed before the set does not count, even if nothing has computed it since.
  @Test func a28_aSetStateHoldsForTheNewestDependencies() throws {
    try Self.explore { subject in
      let (store, dogs) = (subject.store, subject.dogs)
      _ = try await store.result(of: dogs)
      for text in [25, 35] {
        store.set(subject.text, text)
        store.set(dogs, .success(9))
        try subject.expect(.success(9))
        store.set(Atom(0), 1)
        try subject.expect(.success(9))
        store.set(subject.other, text)
        try subject.expect(.loading)
        _ = try await store.result(of: dogs)
        // In one transaction, in either order.
        store.transaction {
          subject.text.value += 1
          dogs.set(.success(10))
          subject.text.value += 9
          #expect(dogs.value == .success(10))
        }
        try subject.expect(.success(10))
        store.update(subject.text) { $0 += 0 }
        try subject.expect(.success(10))
        store.update(subject.text) { $0 += 10 }
        try subject.expect(.loading)
        _ = try await store.result(of: dogs)
      }
      try subject.expect(runs: 5, canceled: 0)
    }
  }

  @Test func a13_aStateIsSetTogetherWithOtherAtoms() throws {
    try Self.explore { subject in
      let (store, dogs, other) = (subject.store, subject.dogs, subject.other)
      let seen = Recorder<[Int]>()
      let pair = DerivedAtom { [dogs.value.value ?? -1, other.value] }
      let use = store.observe(pair) { seen.add($0) }
      _ = try await store.result(of: dogs)
      seen.reset()
      store.transaction {
        other.value = 5
        dogs.value = .success(9)
        #expect(pair.value == [9, 5])
        #expect(dogs.latest.value == 9)
      }
      try Simulation.expect(seen.all == [[9, 5]], "\(seen.all)")
      store.update(dogs) { $0 = $0.map { $0 + 1 } }
      try Simulation.expect(seen.all == [[9, 5], [10, 5]], "\(seen.all)")
      withExtendedLifetime(use) {}
    }
  }

  @Test func a13_aTransactionThatThrowsCancelsNoRun() throws {
    try Self.explore { subject in
      let (store, dogs) = (subject.store, subject.dogs)
      subject.hold(true)
      let use = store.observe(dogs) { _ in }
      try await SimulationClock().sleep(for: .seconds(1))
      do {
        try store.transaction {
          dogs.set(.success(9))
          #expect(dogs.value == .success(9))
          throw Stop()
        }
      } catch {}
      store.transaction {
        do {
          try AtomStore.current.transaction {
            dogs.set(.success(9))
            throw Stop()
          }
        } catch {}
        #expect(dogs.value == .loading)
      }
      try subject.expect(.loading)
      try await subject.wait()
      try subject.expect(.success(1))
      try subject.expect(runs: 1, canceled: 0)
      withExtendedLifetime(use) {}
    }
  }

  @Test func a28_theLastOfAReloadAndASetCounts() throws {
    try Self.explore { subject in
      let (store, dogs) = (subject.store, subject.dogs)
      _ = try await store.result(of: dogs)
      store.transaction {
        dogs.reload()
        dogs.set(.success(9))
      }
      try subject.expect(.success(9))
      store.transaction {
        dogs.set(.success(10))
        dogs.reload()
      }
      _ = try await store.result(of: dogs)
      store.set(dogs, .success(9))
      store.set(dogs, .loading)
      let result = try await store.result(of: dogs)
      try Simulation.expect(result == 1, "\(result)")
    }
  }

  @Test func a33_aSetAppliesToAnInjectedOperation() throws {
    try Self.explore { subject in
      let (store, dogs) = (subject.store, subject.dogs)
      store.inject(dogs) { 50 }
      store.set(dogs, .success(9))
      try subject.expect(.success(9))
      store.callAsCurrent { dogs.reload() }
      let result = try await store.result(of: dogs)
      try Simulation.expect(result == 50, "\(result)")
      store.inject(dogs, value: .success(60))
      store.set(dogs, .success(61))
      try subject.expect(.success(61))
      store.removeInjection(of: dogs)
      let own = try await store.result(of: dogs)
      try Simulation.expect(own == 1, "\(own)")
    }
  }

  @Test func a30_aSetStateIsReleasedLikeASetValue() throws {
    try Self.explore { subject in
      let (store, dogs) = (subject.store, subject.dogs)
      for isRead in [true, false] {
        store.set(dogs, .success(9))
        store.callAsCurrent {
          let use = UseAtom(dogs)
          if isRead { _ = use.wrappedValue }
          withExtendedLifetime(use) {}
        }
        try subject.expect(.loading)
        _ = try await store.result(of: dogs)
      }
      let kept = AsyncAtom(lifetime: .kept) { 1 }
      store.callAsCurrent { UseAtom(kept).wrappedValue = .success(9) }
      try Simulation.expect(store.get(kept) == .success(9), "\(store.get(kept))")
    }
  }

  #if DEBUG
    @Test func a30_aResetOfASetStateIsAWarning() {
      let (store, problems) = (AtomStore(), Recorder<AtomProblem>())
      let dogs = AsyncAtom { 1 }.debugLabel("dogs")
      store.onProblem = { problems.add($0) }
      for _ in 0..<2 { store.callAsCurrent { UseAtom(dogs).wrappedValue = .success(9) } }
      #expect(problems.all == [.setValueReset("dogs")])
    }
  #endif

  @Test func a32_aMemberStaysWhileItsStateIsSet() throws {
    try Self.explore { subject in
      let family = AtomFamily { (key: Int) in AsyncAtom { key } }
      subject.store.set(family(1), .success(9))
      for key in 1_000..<1_200 { _ = subject.store.get(family(key)) }
      let state = subject.store.get(family(1))
      try Simulation.expect(state == .success(9), "\(state)")
    }
  }

  @Test func a10_aDerivationSetsNoState() {
    let (store, problems, dogs) = (AtomStore(), Recorder<AtomProblem>(), AsyncAtom { 1 }.debugLabel("dogs"))
    store.onProblem = { problems.add($0) }
    store.snapshot { dogs.set(.success(9)) }
    #expect(problems.all == [.setInDerivation("dogs", in: "a snapshot")])
    #expect(store.get(dogs) == .loading)
  }

  @Test func a29_aSetStateEndsASequence() throws {
    try Simulation.explore(.mixed(seed: 32), schedules: 30) {
      let (store, (stream, continuation)) = (AtomStore(), AsyncStream.makeStream(of: Int.self))
      let newest = AsyncSequenceAtom { stream }
      let use = store.observe(newest) { _ in }
      continuation.yield(1)
      _ = await store.values(of: newest).first { $0 == .success(1) }
      store.set(newest, .success(9))
      continuation.yield(2)
      for _ in 0..<10 { await Task.yield() }
      try Simulation.expect(store.get(newest) == .success(9), "\(store.get(newest))")
      withExtendedLifetime(use) {}
    }
  }

  /// Sets of two atoms in one transaction, while runs begin, end, and are replaced.
  @Test func a13_noReaderSeesASetStateAlone() throws {
    try Simulation.explore(.mixed(seed: 33), schedules: 300) {
      let (store, text, number) = (AtomStore(), Atom(0, lifetime: .kept), Atom(0, lifetime: .kept))
      let half = DerivedAtom { text.value / 2 }
      let dogs = AsyncAtom(lifetime: .kept) { () async -> Int in
        let first = half.value
        await Task.yield()
        return -1_000 - first - half.value
      }
      @Sendable func check() throws {
        let (state, set, text) = store.snapshot { (dogs.value, number.value, text.value) }
        guard let value = state.value else { return }
        let isRight = value > 0 ? value == set : value == -1_000 - text / 2 * 2
        try Simulation.expect(isRight, "\(value) with \(set) and \(text)")
      }
      try await withThrowingTaskGroup { group in
        group.addTask {
          for value in 1...4 {
            store.transaction {
              number.value = value
              dogs.set(.success(value))
            }
            try check()
            await Task.yield()
          }
        }
        group.addTask {
          for value in 1...4 {
            store.set(text, value)
            try check()
            await Task.yield()
          }
        }
        group.addTask {
          for round in 0..<3 {
            if round == 1 { store.callAsCurrent { dogs.reload() } }
            _ = try await store.result(of: dogs)
            try check()
          }
        }
        try await group.waitForAll()
      }
      store.set(text, 10)
      store.transaction {
        number.value = 5
        dogs.set(.success(5))
      }
      let last = store.get(dogs)
      try Simulation.expect(last == .success(5), "\(last) after the last set")
      while store.diagnostics.isPinned { await Task.yield() }
      try Simulation.expect(store.get(dogs) == .success(5), "a late result has won")
    }
  }
}
