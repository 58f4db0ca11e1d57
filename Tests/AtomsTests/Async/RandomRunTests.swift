import ActorStore
import ActorStoreTesting
import SeededRandom
import TestSize
import Testing

@testable import Atoms

/// Random graphs with asynchronous atoms, against the plain formulas, under many schedules (A2, A24 to A28).
@Suite struct RandomRunTests {
  /// Each graph runs under ten schedules.
  #if DEBUG
    private static let graphs = 40
  #else
    private static let graphs = 1_000
  #endif

  @Test func resultsBelongToTheirRevision() throws {
    try Self.explore(graphs: TestSize.count(Self.graphs, few: 10))
  }

  #if DEBUG
    @Test(arguments: [GraphFaults.staleRunWins, .loseRestart, .loadLate])
    func aFaultIsFoundInAKnownBadGraph(_ fault: GraphFaults) {
      #expect(throws: (any Error).self) { try Self.explore(graphs: 40, fault) }
    }
  #endif

  private static func explore(graphs: Int, _ faults: GraphFaults = []) throws {
    for seed in 0..<UInt64(graphs) {
      try Simulation.explore(.mixed(seed: seed), schedules: 10) {
        var random = SplitMix64(seed)
        let subject = RandomRuns(&random)
        subject.store.plant(faults)
        try await change(subject, &random)
      }
    }
  }

  /// Sets, reloads, cancels, watches, and checks atoms from several tasks.
  private static func change(_ subject: RandomRuns, _ random: inout SplitMix64) async throws {
    let store = subject.store
    let sets = (0..<6).map { _ in (random.below(3), random.below(4)) }
    let watched = random.below(subject.atoms.count)
    let canceled = random.below(3) == 0 ? random.below(subject.atoms.count) : nil
    try await withThrowingTaskGroup { group in
      for half in [sets.prefix(3), sets.suffix(3)] {
        group.addTask {
          for (source, value) in half {
            store.set(subject.sources[source], value)
            try subject.check()
            await Task.yield()
          }
        }
      }
      group.addTask {
        for await state in store.values(of: subject.atoms[watched]) {
          try subject.check()
          if !state.loading { break }
        }
      }
      group.addTask {
        for _ in 0..<3 {
          try subject.check()
          await Task.yield()
        }
        store.callAsCurrent { subject.atoms[watched].reload() }
      }
      if let canceled {
        group.addTask {
          await Task.yield()
          subject.cancel(canceled)
          try subject.check()
        }
      }
      try await group.waitForAll()
    }
    // In the end, each atom has a result. The result of an atom starts runs of the atoms that read it.
    let uses = store.callAsCurrent { subject.atoms.map { UseAtomValue($0) } }
    subject.reloadCanceled()
    for _ in subject.atoms {
      for atom in subject.atoms { _ = try? await store.result(of: atom) }
    }
    try subject.check()
    try Simulation.expect(uses.allSatisfy { !$0.wrappedValue.loading }, "an atom is still loading")
    try Simulation.expect(subject.torn.all.isEmpty, "runs have seen two revisions: \(subject.torn.all)")
  }
}
