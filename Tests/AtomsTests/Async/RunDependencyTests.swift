import ActorStore
import ActorStoreTesting
import Testing

@testable import Atoms

/// Dependencies of runs that change at bad moments (A11, A24 to A27).
@Suite struct RunDependencyTests {
  private let store = AtomStore()
  private let number = Atom(1, keepAlive: true)
  private let runs = Tally()

  /// A derived atom whose values are valid for one revision, because it reads an atom that is gone afterward.
  private func makeVolatile() -> DerivedAtom<Int> {
    DerivedAtom(keepAlive: true) { [number] in
      let local = Atom(10)
      return local.value + number.value
    }
  }

  @Test func a26_aDependencyThatIsValidForOneRevisionDoesNotHoldUpTheResult() async throws {
    let volatile = makeVolatile()
    let atom = AsyncAtom(keepAlive: true) { volatile.value }
    #expect(try await store.result(of: atom) == 11)
    store.set(number, 2)
    #expect(try await store.result(of: atom) == 12)
    store.callAsCurrent { atom.cancel() }
  }

  @Test func a26_aChangeOfADependencyThatWasDirtyStartsARun() async throws {
    let volatile = makeVolatile()
    #expect(store.get(volatile) == 11)
    let atom = AsyncAtom(keepAlive: true) { volatile.value }
    #expect(try await store.result(of: atom) == 11)
    for value in 2...4 {
      store.set(number, value)
      #expect(store.get(atom) == .loading)
      #expect(try await store.result(of: atom) == 10 + value)
    }
  }

  @Test func a26_aDelayEndsAlthoughADerivedDependencyHasChanged() throws {
    try Simulation.explore(.mixed(seed: 2), schedules: 30, timers: .race(upTo: 0)) {
      let clock = SimulationClock()
      let (store, text) = (AtomStore(clock: clock), Atom("", keepAlive: true))
      let isEmpty = DerivedAtom(keepAlive: true) { text.value.isEmpty }
      let atom = AsyncAtom(keepAlive: true) { () -> String in
        @UseAtomValue(text, debounce: 1) var value
        return "\(value) \(isEmpty.value)"
      }
      var result = try await store.result(of: atom)
      try Simulation.expect(result == " true", result)
      store.set(text, "a")
      try Simulation.expect(store.get(atom) == .loading, "not loading")
      let canceled = Task.inheritingExecutor { try? await store.result(of: atom) }
      canceled.cancel()
      let none = await canceled.value
      try Simulation.expect(none == nil, "a canceled task gets a result")
      result = try await store.result(of: atom)
      try Simulation.expect(result == "a false", result)
    }
  }

  @Test func a27_aRunThatHasReadTwoRevisionsStartsAgain() async throws {
    let atom = AsyncAtom(keepAlive: true) { [store, number, runs] () -> Int in
      if runs.next() > 1 { return number.value }
      return store.snapshot {
        // Another child task reads a newer value meanwhile.
        Evaluation.setAside {
          store.set(number, 2)
          _ = number.value
        }
        return number.value
      }
    }
    // The result of the first run may be seen, but is not the last one.
    let use = store.callAsCurrent { UseAtomValue(atom) }
    _ = try await store.result(of: atom)
    #expect(try await store.result(of: atom) == 2)
    withExtendedLifetime(use) {}
  }

  @Test func a26_aPinnedReaderSeesLoadingAfterAReload() async throws {
    let atom = AsyncAtom(keepAlive: true) { [number] in number.value * 2 }
    #expect(try await store.result(of: atom) == 2)
    store.set(number, 2)
    let (value, state) = store.snapshot { () -> (Int, AsyncState<Int>) in
      let value = number.value
      Evaluation.setAside { store.callAsCurrent { atom.reload() } }
      return (value, atom.value)
    }
    #expect(value == 2 && state == .loading)
  }

  @Test func a26_aPinnedReaderSeesLoadingAfterARelease() async throws {
    let atom = AsyncAtom { [number] in number.value * 2 }
    let use = Locked<UseAtomValue<AsyncState<Int>>?>(store.callAsCurrent { UseAtomValue(atom) })
    #expect(use.withLock { $0 }?.wrappedValue == .loading)
    #expect(try await store.result(of: atom) == 2)
    store.set(number, 2)
    let (value, state) = store.snapshot { () -> (Int, AsyncState<Int>) in
      let value = number.value
      Evaluation.setAside {
        let former = use.withLock { $0.take() }
        withExtendedLifetime(former) {}
      }
      return (value, atom.value)
    }
    #expect(value == 2 && state == .loading)
  }

  /// The last observation of a derived atom ends while a run reads that atom in a snapshot.
  @Test func a26_aReadOfAReleasedValueIsADependency() async throws {
    let double = DerivedAtom { [number] in number.value * 2 }
    let observation = Locked<AtomObservation?>(store.observe(double) { _ in })
    let atom = AsyncAtom(keepAlive: true) { [store] () -> Int in
      store.snapshot {
        let value = double.value
        Evaluation.setAside { observation.withLock { $0.take() }?.cancel() }
        return value
      }
    }
    #expect(try await store.result(of: atom) == 2)
    store.set(number, 2)
    #expect(try await store.result(of: atom) == 4)
  }

  @Test func a24_aReloadInARunIsNoDependency() async throws {
    let inner = AsyncAtom(keepAlive: true) { () async -> Int in
      await Task.yield()
      return 1
    }
    let outer = AsyncAtom(keepAlive: true) { [runs] () -> Int in
      inner.reload()
      return runs.next()
    }
    #expect(try await store.result(of: outer) == 1)
    #expect(try await store.result(of: inner) == 1)
    #expect(store.get(outer) == .success(1))
  }

  // MARK: Cycles

  private static let first: AsyncAtom<Int> = AsyncAtom { try await second.result }
  private static let second: AsyncAtom<Int> = AsyncAtom { try await first.result }
  private static let own: AsyncAtom<Int> = AsyncAtom { try await own.result }

  @Test func a11_aCycleThatBeginsWithAReloadIsFound() throws {
    let (first, second, own) = (
      Self.first.debugLabel("first"), Self.second.debugLabel("second"), Self.own.debugLabel("own")
    )
    try Simulation.explore(.mixed(seed: 4), schedules: 50, timers: .race(upTo: 0)) {
      let store = AtomStore()
      for (atom, path) in [(first, ["first", "second"]), (second, ["second", "first"]), (own, ["own"])] {
        store.callAsCurrent { atom.reload() }
        // No derivation has read the states of the atoms yet.
        try await SimulationClock().sleep(for: .seconds(1))
        let cycle = store.get(atom).failure as? AtomCycle
        let isClosed = cycle?.path.first == cycle?.path.last && Set(cycle?.path ?? []) == Set(path)
        try Simulation.expect(isClosed, "\(cycle?.path ?? [])")
      }
    }
  }

  @Test func a11_aRunThatIsNoLongerTheNewestIsNotInACycle() throws {
    try Simulation.explore(.mixed(seed: 4), schedules: 50) {
      let (store, flag, gate) = (AtomStore(), Atom(true, keepAlive: true), Gate())
      let second = Locked<AsyncAtom<Int>?>(nil)
      let first = AsyncAtom<Int>(keepAlive: true) {
        guard flag.value, let other = second.withLock({ $0 }) else { return 5 }
        // The cancellation of the run does not reach this task.
        return try await Task.inheritingExecutor { try await other.result }.value
      }
      let other = AsyncAtom<Int>(keepAlive: true) {
        if flag.value {
          await gate.pass()
          return 1
        }
        return try await first.result
      }
      second.withLock { $0 = other }
      try Simulation.expect(store.get(first).loading && store.get(other).loading, "not loading")
      try await SimulationClock().sleep(for: .seconds(1))
      store.set(flag, false)
      let result = try await store.result(of: other)
      try Simulation.expect(result == 5, "\(result)")
      gate.open()
      second.withLock { $0 = nil }
    }
  }
}
