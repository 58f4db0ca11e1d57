import ActorStore
import ActorStoreTesting
import Testing

@testable import Atoms

/// What an asynchronous atom keeps in use after runs that fail or are canceled (A30).
@Suite struct FailedRunTests {
  /// An atom whose runs read a number, then fail or wait if it says so, and then read a filter.
  private struct Subject: Sendable {
    let store = AtomStore()
    let number = Atom(1, lifetime: .kept)
    let filter = Atom(0, lifetime: .whileUsed)
    let others = (0..<3).map { _ in Atom(0, lifetime: .whileUsed) }
    let search: AsyncAtom<Int>

    init() {
      search = AsyncAtom { [number, filter, others] () async throws -> Int in
        let number = number.value
        if number < 0 {
          // Each failing run reads another atom.
          _ = others[-number % 3].value
          throw Stop()
        }
        if number >= 100 {
          // The test cancels it.
          try await SimulationClock().sleep(for: .seconds(1_000_000))
        }
        return number + filter.value
      }
    }

    func result() async -> AsyncState<Int> {
      do { return .success(try await store.result(of: search)) } catch { return .failure(error) }
    }

    func uses(of atom: Atom<Int>) -> Int {
      store.core.state.withLock { state in
        let cell = state.allCells.first { $0.definition === atom.definition }
        return cell.map { Int(state.logic[$0.node].uses) } ?? 0
      }
    }

    func expect(filter value: Int, line: UInt = #line) throws {
      let found = store.get(filter)
      try Simulation.expect(found == value, "the filter is \(found) in line \(line)")
    }
  }

  private static func explore(_ body: @escaping @Sendable (Subject) async throws -> Void) throws {
    try Simulation.explore(.mixed(seed: 21), schedules: 50, timers: .race(upTo: 0)) { try await body(Subject()) }
  }

  @Test func a30_aFailedRunKeepsWhatTheLastSuccessfulRunHasRead() throws {
    try Self.explore { subject in
      let (store, number) = (subject.store, subject.number)
      var use: AtomObservation? = store.observe(subject.search) { _ in }
      _ = await subject.result()
      store.set(subject.filter, 10)
      let first = await subject.result()
      try Simulation.expect(first == .success(11), "\(first)")
      for failing in [-1, -2, -3, -4] {
        store.set(number, failing)
        let state = await subject.result()
        try Simulation.expect(state.failure is Stop, "\(state)")
        try subject.expect(filter: 10)
        // Only the newest failed run counts.
        let used = subject.others.map { subject.uses(of: $0) }
        try Simulation.expect(used.reduce(0, +) == 1 && used[-failing % 3] == 1, "\(used) after \(failing)")
      }
      store.set(number, 2)
      let last = await subject.result()
      try Simulation.expect(last == .success(12), "\(last)")
      let used = subject.others.map { subject.uses(of: $0) }
      try Simulation.expect(used == [0, 0, 0] && subject.uses(of: subject.filter) == 1, "\(used) after a success")
      withExtendedLifetime(use) {}
      use = nil
      try subject.expect(filter: 0)
    }
  }

  /// The filter is used, but it is no dependency.
  @Test func a30_whatAFailedRunHasNotReadIsNoDependency() throws {
    try Self.explore { subject in
      let (store, seen) = (subject.store, Recorder<AsyncState<Int>>())
      let use = store.observe(subject.search) { seen.add($0) }
      _ = await subject.result()
      store.set(subject.number, -1)
      _ = await subject.result()
      // Everything has been delivered then.
      try await SimulationClock().sleep(for: .seconds(1))
      seen.reset()
      store.set(subject.filter, 10)
      await Task.yield()
      try Simulation.expect(seen.all.isEmpty, "\(seen.all)")
      // A canceled run of the failed one does not make it a dependency either.
      store.callAsCurrent {
        subject.search.reload()
        subject.search.cancel()
      }
      // Everything has been delivered then.
      try await SimulationClock().sleep(for: .seconds(1))
      seen.reset()
      store.set(subject.filter, 11)
      try Simulation.expect(seen.all.isEmpty, "\(seen.all) after a cancellation")
      try subject.expect(filter: 11)
      withExtendedLifetime(use) {}
    }
  }

  @Test func a30_aCanceledRunKeepsWhatTheLastSuccessfulRunHasRead() throws {
    try Self.explore { subject in
      let (store, number) = (subject.store, subject.number)
      let use = store.observe(subject.search) { _ in }
      store.set(subject.filter, 10)
      _ = await subject.result()
      for value in [100, -1, 101] {
        store.set(number, value)
        for _ in 0..<5 { await Task.yield() }
        store.callAsCurrent { subject.search.cancel() }
        try subject.expect(filter: 10)
      }
      store.set(number, 2)
      let last = await subject.result()
      try Simulation.expect(last == .success(12), "\(last)")
      withExtendedLifetime(use) {}
    }
  }

  /// An atom that comes into use after a failure uses what its last successful run has read.
  @Test func a30_aLaterUseKeepsWhatTheLastSuccessfulRunHasRead() throws {
    try Self.explore { subject in
      let (store, number) = (subject.store, subject.number)
      store.set(subject.filter, 10)
      _ = await subject.result()
      store.set(number, -1)
      _ = await subject.result()
      let use = store.observe(subject.search) { _ in }
      store.callAsCurrent { withExtendedLifetime(UseAtomValue(subject.filter)) {} }
      try subject.expect(filter: 10)
      withExtendedLifetime(use) {}
    }
  }

  @Test func a30_anEndlessSequenceOfFailuresKeepsNothingElse() throws {
    try Simulation.explore(.mixed(seed: 22), schedules: 5) {
      let (store, number) = (AtomStore(), Atom(0, lifetime: .kept))
      let family = AtomFamily { (key: Int) in Atom(key) }
      let search = AsyncAtom { () async throws -> Int in
        let key = number.value
        let value = family(key).value
        if key > 0 { throw Stop() }
        return value
      }
      let use = store.observe(search) { _ in }
      _ = try await store.result(of: search)
      for key in 1...20 {
        store.set(number, key)
        do { _ = try await store.result(of: search) } catch {}
      }
      let used = store.core.state.withLock { state in
        state.visibleCells.count { state.logic[$0.node].uses > 0 }
      }
      // The search, the number, the first member, and the last one.
      try Simulation.expect(used == 4, "\(used) atoms in use")
      withExtendedLifetime(use) {}
    }
  }
}
