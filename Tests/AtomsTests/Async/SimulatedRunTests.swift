#if DEBUG
  import ActorStore
  import ActorStoreTesting
  import Testing

  @testable import Atoms

  /// Runs that race with sets, reloads, cancellations, releases, and injections, under many schedules.
  ///
  /// The same schedules find planted faults.
  @Suite struct SimulatedRunTests {
    /// An atom whose runs suspend, and what its runs have noted.
    private struct Subject: Sendable {
      let store = AtomStore()
      let number = Atom(1, keepAlive: true)
      let double: AsyncAtom<Int>
      /// The number of runs that were alive and not canceled at the same time.
      let alive = Recorder<Int>()

      init(_ faults: GraphFaults, keepAlive: Bool) {
        store.core.state.withLock { $0.logic.faults = faults }
        let count = Locked(0)
        double = AsyncAtom(keepAlive: keepAlive) { [number, alive] () async -> Int in
          alive.add(Task.isCancelled ? 0 : count.withLock { $0 } + 1)
          return await withTaskCancellationHandler {
            count.withLock { $0 += 1 }
            let first = number.value
            await Task.yield()
            let second = number.value
            await Task.yield()
            if !Task.isCancelled { count.withLock { $0 -= 1 } }
            // A run sees one revision.
            return first == second ? first + second : -1
          } onCancel: {
            count.withLock { $0 -= 1 }
          }
        }
      }

      /// Fails if the state belongs to a former number.
      func check() throws {
        let (state, current) = store.snapshot { (double.value, number.value) }
        if case .success(let value) = state {
          try Simulation.expect(value == 2 * current, "\(value) is not the double of \(current)")
        }
      }
    }

    private static func explore(_ faults: GraphFaults = [], keepAlive: Bool) throws {
      try Simulation.explore(.mixed(seed: 5), schedules: 200) {
        let subject = Subject(faults, keepAlive: keepAlive)
        let (store, number, double) = (subject.store, subject.number, subject.double)
        try await withThrowingTaskGroup { group in
          group.addTask {
            for value in 2...4 {
              store.set(number, value)
              try subject.check()
              await Task.yield()
            }
          }
          group.addTask {
            for _ in 0..<2 {
              store.callAsCurrent { double.reload() }
              try Simulation.expect(store.get(double).loading, "a reload is not loading")
              await Task.yield()
            }
          }
          group.addTask {
            for await _ in store.values(of: double) { break }
            try subject.check()
            _ = try await store.result(of: double)
            try subject.check()
          }
          try await group.waitForAll()
        }
        let last = try await store.result(of: double)
        try Simulation.expect(last == 8, "the last result is \(last)")
        // Late results change nothing.
        while store.diagnostics.isPinned {
          await Task.yield()
          try subject.check()
        }
        try Simulation.expect(subject.alive.all.allSatisfy { $0 <= 1 }, "\(subject.alive.all) runs at the same time")
      }
    }

    @Test(arguments: [true, false]) func theNewestRunWins(keepAlive: Bool) throws {
      try Self.explore(keepAlive: keepAlive)
    }

    @Test(arguments: [GraphFaults.staleRunWins, .loadLate, .loseRestart, .keepFormerRun])
    func plantedFaultsAreFound(_ fault: GraphFaults) {
      #expect(throws: (any Error).self) { try Self.explore(fault, keepAlive: true) }
    }
  }
#endif
