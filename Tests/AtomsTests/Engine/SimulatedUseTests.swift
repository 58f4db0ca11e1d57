#if DEBUG
  import ActorStore
  import ActorStoreTesting
  import Testing

  @testable import Atoms

  /// Uses, members of families, and injections that come and go among sets and reads, under many schedules.
  ///
  /// The same schedules find planted faults.
  @Suite struct SimulatedUseTests {
    private typealias Scenario = @Sendable (GraphFaults) async throws -> Void

    private static func makeStore(_ faults: GraphFaults) -> AtomStore {
      let store = AtomStore()
      store.core.state.withLock { $0.logic.faults = faults }
      return store
    }

    /// Wrappers of two stores, which die while either is the current one.
    private static let uses: Scenario = { faults in
      let (store, other, number) = (makeStore(faults), makeStore(faults), Atom(0))
      let double = DerivedAtom { number.value * 2 }
      other.set(number, 100)
      let held = other.callAsCurrent { UseAtomValue(double) }
      try await withThrowingTaskGroup { group in
        for index in 0..<3 {
          group.addTask {
            let box = Recorder<UseAtomValue<Int>>()
            store.callAsCurrent { box.add(UseAtomValue(double)) }
            store.update(number) { $0 += 1 }
            let seen = store.get(double)
            await Task.yield()
            try Simulation.expect(seen >= 2 && store.get(double) >= seen, "an atom in use lost \(seen)")
            (index == 0 ? store : other).callAsCurrent { box.reset() }
            await Task.yield()
          }
        }
        group.addTask {
          for _ in 0..<3 {
            try Simulation.expect(store.snapshot { double.value == 2 * number.value }, "a release broke a value")
            await Task.yield()
          }
        }
        try await group.waitForAll()
      }
      try Simulation.expect(store.get(number) == 0, "\(store.get(number)) after the last use")
      try Simulation.expect(other.get(double) == 200, "the other store has \(other.get(double))")
      withExtendedLifetime(held) {}
    }

    /// Members that are set, read, and used while others come and go.
    private static let members: Scenario = { faults in
      let store = makeStore(faults)
      let family = AtomFamily { (key: Int) in Atom(key) }
      let sum = DerivedAtom { family(1).value + family(2).value }
      try await withThrowingTaskGroup { group in
        group.addTask {
          store.set(family(3), 30)
          await Task.yield()
          try Simulation.expect(store.get(family(3)) == 30, "a set value was lost")
        }
        group.addTask {
          let use = store.callAsCurrent { UseAtomValue(sum) }
          await Task.yield()
          store.update(family(1)) { $0 += 10 }
          await Task.yield()
          try Simulation.expect(use.wrappedValue == 13, "a value in use is \(use.wrappedValue)")
          withExtendedLifetime(use) {}
        }
        for start in [1_000, 2_000] {
          group.addTask {
            for key in start..<start + 50 { _ = store.get(family(key)) }
            await Task.yield()
            for key in start + 50..<start + 100 { _ = store.get(family(key)) }
          }
        }
        try await group.waitForAll()
      }
      try Simulation.expect(store.get(family(3)) == 30 && store.get(family(1)) == 1, "what was not in use")
    }

    /// Injections during runs, and runs during injections.
    private static let injections: Scenario = { faults in
      let (store, number, double) = (makeStore(faults), Atom(1), Recorder<DerivedAtom<Int>>())
      double.add(
        DerivedAtom { () -> Int in
          let value = number.value * 2
          // As another thread would, in the middle of the run.
          for atom in double.all { _ = Evaluation.setAside { store.inject(atom, value: 50) } }
          return value
        })
      let atom = double.all[0]
      let quadruple = DerivedAtom { atom.value * 2 }
      try await withThrowingTaskGroup { group in
        group.addTask {
          for _ in 0..<3 {
            _ = store.get(quadruple)
            let seen = store.get(atom)
            try Simulation.expect(seen == 50, "a run undid an injection: \(seen)")
            await Task.yield()
          }
        }
        group.addTask {
          for value in 2...4 {
            store.set(number, value)
            await Task.yield()
            store.removeInjection(of: atom)
            await Task.yield()
          }
        }
        try await group.waitForAll()
      }
      _ = store.get(quadruple)
      try Simulation.expect(store.get(quadruple) == 100, "\(store.get(quadruple)) instead of 100")
      double.reset()
    }

    private static func explore(_ scenario: @escaping Scenario, _ faults: GraphFaults = []) throws {
      try Simulation.explore(.mixed(seed: 3), schedules: 200) { try await scenario(faults) }
    }

    @Test func usesEndInTheStoreOfTheirWrappers() throws {
      try Self.explore(Self.uses)
      #expect(throws: (any Error).self) { try Self.explore(Self.uses, .endElsewhere) }
    }

    @Test func neededMembersStay() throws {
      try Self.explore(Self.members)
      #expect(throws: (any Error).self) { try Self.explore(Self.members, .loseMember) }
    }

    @Test func runsUndoNoInjections() throws {
      try Self.explore(Self.injections)
      #expect(throws: (any Error).self) { try Self.explore(Self.injections, .undoInjection) }
    }
  }
#endif
