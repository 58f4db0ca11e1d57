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
      store.plant(faults)
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

    /// Fails if the state belongs to a former number, unless that is possible in a race.
    func check(_ race: Race = .sets) throws {
      let (state, current) = store.snapshot { (double.value, number.value) }
      guard case .success(let value) = state else { return }
      switch race {
      case .sets, .releases:
        try Simulation.expect(value == 2 * current, "\(value) is not the double of \(current)")
      case .cancellations:
        // A cancellation returns to the last result.
        try Simulation.expect([2, 4, 6, 8].contains(value), "\(value) is no result")
      case .injections:
        try Simulation.expect([2 * current, 100, 1_000 + current].contains(value), "\(value) with \(current)")
      }
    }
  }

  /// The other operation that runs while the atom is set, reloaded, and read.
  enum Race: CaseIterable, Sendable { case sets, releases, cancellations, injections }

  private static func explore(_ race: Race, _ faults: GraphFaults = [], keepAlive: Bool) throws {
    try Simulation.explore(.mixed(seed: 5), schedules: 200) {
      let subject = Subject(faults, keepAlive: keepAlive)
      let (store, number, double) = (subject.store, subject.number, subject.double)
      try await withThrowingTaskGroup { group in
        group.addTask {
          for value in 2...4 {
            store.set(number, value)
            try subject.check(race)
            await Task.yield()
          }
        }
        group.addTask {
          for _ in 0..<2 {
            store.callAsCurrent { double.reload() }
            await Task.yield()
          }
        }
        group.addTask {
          for await _ in store.values(of: double) { break }
          try subject.check(race)
          do { _ = try await store.result(of: double) } catch  where race == .cancellations {}
          try subject.check(race)
        }
        group.addTask { try await disturb(subject, race) }
        try await group.waitForAll()
      }
      // After a cancellation, only another run has the newest result.
      if race == .cancellations { store.callAsCurrent { double.reload() } }
      let last = try await store.result(of: double)
      try Simulation.expect(last == 8, "the last result is \(last)")
      // Late results change nothing.
      while store.diagnostics.isPinned {
        await Task.yield()
        try subject.check()
      }
      // A thread that replaces a run may be about to cancel it when another thread has started the next one.
      try Simulation.expect(subject.alive.all.allSatisfy { $0 <= 2 }, "\(subject.alive.all) runs at the same time")
    }
  }

  /// Performs the operation that the race tests.
  private static func disturb(_ subject: Subject, _ race: Race) async throws {
    let (store, double) = (subject.store, subject.double)
    for round in 0..<2 {
      await Task.yield()
      switch race {
      case .sets:
        break
      case .releases:
        let use = store.callAsCurrent { UseAtomValue(double) }
        _ = use.wrappedValue
        await Task.yield()
        withExtendedLifetime(use) {}
      case .cancellations:
        store.callAsCurrent { double.cancel() }
      case .injections:
        if round == 0 {
          store.inject(double, value: .success(100))
          try Simulation.expect(store.get(double) == .success(100), "\(store.get(double)) after an injection")
        } else {
          store.inject(double) { [number = subject.number] in
            await Task.yield()
            return 1_000 + number.value
          }
        }
        await Task.yield()
        store.removeInjection(of: double)
      }
      try subject.check(race)
    }
  }

  @Test(arguments: Race.allCases, [true, false]) func theNewestRunWins(_ race: Race, keepAlive: Bool) throws {
    try Self.explore(race, keepAlive: keepAlive)
  }

  #if DEBUG
    @Test(arguments: [GraphFaults.staleRunWins, .loadLate, .loseRestart, .keepFormerRun], Race.allCases)
    func plantedFaultsAreFound(_ fault: GraphFaults, _ race: Race) {
      // After a cancellation, a former result is correct.
      if fault == .loadLate, race == .cancellations { return }
      #expect(throws: (any Error).self) { try Self.explore(race, fault, keepAlive: true) }
    }
  #endif
}
