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
    store.plant(faults)
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
    // A value that a snapshot computed when its use ended stays until the next use ends.
    withExtendedLifetime(store.callAsCurrent { UseAtomValue(double) }) {}
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
    let isKept = store.get(family(3)) == 30 && store.get(family(1)) == 1
    try Simulation.expect(isKept, "a set value was lost, or an unused member stayed")
  }

  /// Injections in the middle of runs.
  private static let injections: Scenario = { faults in
    let (store, number) = (makeStore(faults), Atom(1))
    let double = DerivedAtom { number.value * 2 }
    let quadruple = DerivedAtom { double.value * 2 }
    try await withThrowingTaskGroup { group in
      group.addTask {
        for _ in 0..<3 {
          _ = store.get(quadruple)
          await Task.yield()
        }
      }
      group.addTask {
        for value in 2...4 {
          store.set(number, value)
          store.inject(double, value: 50)
          await Task.yield()
          try Simulation.expect(store.get(quadruple) == 100, "a run undid an injection: \(store.get(quadruple))")
          store.removeInjection(of: double)
        }
      }
      try await group.waitForAll()
    }
    try Simulation.expect(store.get(quadruple) == 16, "\(store.get(quadruple)) instead of 16")
  }

  /// Injections whose dependencies change, in addition to those of the atom's own closure.
  private static let overrides: Scenario = { faults in
    let (store, number, other, runs) = (makeStore(faults), Atom(1), Atom(1), Tally())
    let double = DerivedAtom { () -> Int in
      runs.add()
      return number.value * 2
    }
    let next = DerivedAtom { double.value + 1 }
    store.inject(double) { other.value * 100 }
    try await withThrowingTaskGroup { group in
      for atom in [number, other] {
        group.addTask {
          for value in 2...4 {
            store.set(atom, value)
            await Task.yield()
          }
        }
      }
      group.addTask {
        for _ in 0..<3 {
          let seen = store.snapshot { [double.value, next.value - 1, other.value * 100] }
          try Simulation.expect(Set(seen).count == 1, "a dependency undid an injection: \(seen)")
          await Task.yield()
        }
      }
      try await group.waitForAll()
    }
    try Simulation.expect(runs.value == 0, "the closure of an injected atom ran")
    store.removeInjection(of: double)
    try Simulation.expect(store.get(next) == 9, "\(store.get(next)) after the injection")
  }

  /// A value whose comparison ends uses.
  private struct Ending: Equatable, Sendable {
    let number: Int
    let uses: Recorder<UseAtomValue<Ending>>

    static func == (one: Ending, other: Ending) -> Bool {
      // At exactly this moment, as another thread could. A release at another point may cost one more run.
      Evaluation.setAside { one.uses.reset() }
      return one.number == other.number
    }
  }

  /// Uses that end while a run compares its result with the value of their atom.
  private static let releases: Scenario = { faults in
    let (store, number, runs) = (makeStore(faults), Atom(0, keepAlive: true), Tally())
    let uses = Recorder<UseAtomValue<Ending>>()
    let tens = DerivedAtom { () -> Ending in
      runs.add()
      return Ending(number: number.value / 10, uses: uses)
    }
    let next = DerivedAtom { tens.value.number + 1 }
    try await withThrowingTaskGroup { group in
      for values in [[1, 2, 20], [21, 3, 30]] {
        group.addTask {
          for value in values {
            store.callAsCurrent { uses.add(UseAtomValue(tens)) }
            await Task.yield()
            store.set(number, value)
            await Task.yield()
          }
        }
      }
      group.addTask {
        for _ in 0..<4 {
          runs.reset()
          let seen = store.snapshot { [next.value, number.value / 10 + 1] }
          try Simulation.expect(seen[0] == seen[1], "a release during a run broke a value: \(seen)")
          try Simulation.expect(runs.value <= 1, "a release during a run lost its result")
          await Task.yield()
        }
      }
      try await group.waitForAll()
    }
    uses.reset()
    let last = store.snapshot { [next.value, number.value / 10 + 1] }
    try Simulation.expect(last[0] == last[1], "\(last) after the last use")
  }

  /// Expects that a scenario passes without faults and, in a debug build, fails with the given fault.
  private static func explore(_ scenario: @escaping Scenario, failsOnlyWith fault: GraphFaults) throws {
    try explore(scenario, [])
    #if DEBUG
      #expect(throws: (any Error).self) { try explore(scenario, fault) }
    #endif
  }

  private static func explore(_ scenario: @escaping Scenario, _ faults: GraphFaults) throws {
    try Simulation.explore(.mixed(seed: 3), schedules: 200) { try await scenario(faults) }
  }

  @Test func usesEndInTheStoreOfTheirWrappers() throws {
    try Self.explore(Self.uses, failsOnlyWith: .endElsewhere)
  }

  @Test func neededMembersStay() throws {
    try Self.explore(Self.members, failsOnlyWith: .loseMember)
  }

  @Test func dependenciesUndoNoInjections() throws {
    try Self.explore(Self.overrides, failsOnlyWith: .forgetInjection)
  }

  @Test func releasesDuringEvaluationsLeaveThemTheirValues() throws {
    try Self.explore(Self.releases, failsOnlyWith: .dropClaimed)
  }

  @Test func runsUndoNoInjections() throws {
    try Self.explore(Self.injections, failsOnlyWith: .undoInjection)
  }
}
