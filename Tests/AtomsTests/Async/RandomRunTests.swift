import ActorStore
import ActorStoreTesting
import SeededRandom
import Testing

@testable import Atoms

/// Random graphs with asynchronous atoms, against the plain formulas, under many schedules (A2, A24 to A28).
@Suite struct RandomRunTests {
  /// Each graph runs under ten schedules.
  #if DEBUG
    private static let graphs = 30
  #else
    private static let graphs = 1_000
  #endif

  /// An input of a formula, with its factor.
  private enum Input: Sendable {
    case source(Int, Int)
    case asynchronous(Int, Int)
  }

  /// Atoms whose values are sums of products of others.
  private struct Subject: Sendable {
    let store = AtomStore()
    let sources: [Atom<Int>]
    let formulas: [[Input]]
    let atoms: [AsyncAtom<Int>]

    init(_ random: inout SplitMix64) {
      let sources = (0..<3).map { Atom($0, keepAlive: true) }
      var (formulas, atoms): ([[Input]], [AsyncAtom<Int>]) = ([], [])
      for index in 0..<3 {
        let formula = (0..<Int.random(in: 1...3, using: &random)).map { _ -> Input in
          let factor = Int.random(in: 1...5, using: &random)
          if index > 0, Bool.random(using: &random) {
            return .asynchronous(Int.random(in: 0..<index, using: &random), factor)
          }
          return .source(Int.random(in: 0..<3, using: &random), factor)
        }
        let others = atoms
        formulas.append(formula)
        atoms.append(
          AsyncAtom(keepAlive: Bool.random(using: &random)) { () async -> Int in
            var sum = 0
            for input in formula {
              switch input {
              case .source(let source, let factor): sum += sources[source].value * factor
              case .asynchronous(let other, let factor): sum += (others[other].value.value ?? -1) * factor
              }
              await Task.yield()
            }
            return sum
          })
      }
      (self.sources, self.formulas, self.atoms) = (sources, formulas, atoms)
    }

    /// Fails if an atom has a result that does not belong to the values at the same revision.
    func check() throws {
      let (sources, states) = store.snapshot {
        let states = atoms.map { $0.value.value }
        return (self.sources.map { $0.value }, states)
      }
      for (index, formula) in formulas.enumerated() {
        guard let result = states[index] else { continue }
        let expected = formula.reduce(0) { sum, input in
          switch input {
          case .source(let source, let factor): sum + sources[source] * factor
          case .asynchronous(let other, let factor): sum + (states[other] ?? -1) * factor
          }
        }
        try Simulation.expect(result == expected, "atom \(index) is \(result) and not \(expected)")
      }
    }
  }

  @Test func resultsBelongToTheirRevision() throws {
    try Self.explore(graphs: Self.graphs)
  }

  #if DEBUG
    @Test(arguments: [GraphFaults.staleRunWins, .loseRestart])
    func aFaultIsFoundInAKnownBadGraph(_ fault: GraphFaults) {
      #expect(throws: (any Error).self) { try Self.explore(graphs: 30, fault) }
    }
  #endif

  private static func explore(graphs: Int, _ faults: GraphFaults = []) throws {
    for seed in 0..<UInt64(graphs) {
      try Simulation.explore(.mixed(seed: seed), schedules: 10) {
        var random = SplitMix64(seed)
        let subject = Subject(&random)
        #if DEBUG
          subject.store.core.state.withLock { $0.logic.faults = faults }
        #endif
        try await change(subject, &random)
      }
    }
  }

  /// Sets, reloads, watches, and checks atoms from several tasks.
  private static func change(_ subject: Subject, _ random: inout SplitMix64) async throws {
    let store = subject.store
    let sets = (0..<6).map { _ in (random.below(3), random.below(4)) }
    let watched = random.below(3)
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
      try await group.waitForAll()
    }
    // In the end, each atom has a result. The result of an atom starts runs of the atoms that read it.
    let uses = store.callAsCurrent { subject.atoms.map { UseAtomValue($0) } }
    for _ in subject.atoms {
      for atom in subject.atoms { _ = try await store.result(of: atom) }
    }
    try subject.check()
    try Simulation.expect(uses.allSatisfy { !$0.wrappedValue.loading }, "an atom is still loading")
  }
}
