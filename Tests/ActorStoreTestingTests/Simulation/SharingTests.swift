import ActorStore
import ActorStoreTesting
import Atoms
import SeededRandom
import Synchronization
import TestSize
import Testing

/// The search of equivalent schedules finds every result that the full search finds, in fewer schedules.
@Suite struct SharingTests {
  private typealias Body = @Sendable () async throws -> Void

  /// Explores every schedule, and returns the number of schedules and what the body has returned.
  private func explore<Result: Hashable & Sendable>(
    _ sharing: Simulation.Sharing, schedules: Int? = nil, _ body: @escaping @Sendable () async -> Result
  ) throws -> (exploration: Simulation.Exploration, results: Set<Result>) {
    let results = Mutex<Set<Result>>([])
    let exploration = try Simulation.explore(.exhaustive(sharing: sharing), schedules: schedules) {
      let result = await body()
      results.withLock { _ = $0.insert(result) }
    }
    return (exploration, results.withLock { $0 })
  }

  private func expectOneSchedule(_ body: @escaping @Sendable () async -> Void) throws {
    let found = try explore(.storesAndAtoms) {
      await body()
      return 0
    }
    #expect(found.exploration.schedules == 1 && found.exploration.isComplete, "\(found.exploration)")
  }

  // MARK: Numbers of schedules

  @Test func tasksWithStoresOfTheirOwnNeedOneSchedule() throws {
    try expectOneSchedule {
      let stores = [Store(0), Store(0), Store(0)]
      await withTaskGroup { group in
        for store in stores { group.addTask { await store.dispatch { $0 += 1 } } }
      }
    }
  }

  @Test func theirParentMayReadTheStores() throws {
    try expectOneSchedule {
      let stores = [Store(0), Store(0), Store(0)]
      await withTaskGroup { group in
        for store in stores { group.addTask { await store.dispatch { $0 += 1 } } }
      }
      for store in stores { _ = await store.state }
    }
  }

  @Test func asynchronousActionsOfTheirOwnStoresNeedOneSchedule() throws {
    try expectOneSchedule {
      let stores = [Store(0), Store(0)]
      await withTaskGroup { group in
        for store in stores { group.addTask { await store.dispatch { (count: inout Int) async in count += 1 } } }
      }
    }
  }

  @Test func readersOfOneStoreNeedOneSchedule() throws {
    try expectOneSchedule {
      let store = Store(0)
      await withTaskGroup { group in
        for _ in 0..<3 { group.addTask { _ = await store.state } }
      }
    }
  }

  @Test func readersOfOneAtomNeedOneSchedule() throws {
    try expectOneSchedule {
      let (store, atom) = (AtomStore(), Atom(0, keepAlive: true))
      _ = store.get(atom)
      await withTaskGroup { group in
        for _ in 0..<3 { group.addTask { _ = store.get(atom) } }
      }
    }
  }

  @Test func theNumbersOfTheArticle() throws {
    func both(_ name: String, _ body: @escaping @Sendable () async -> Void) throws {
      let reduced = try explore(.storesAndAtoms) { await body(); return 0 }
      let full = try explore(.anything, schedules: 300_000) { await body(); return 0 }
      print("COUNT", name, full.exploration, "|", reduced.exploration)
    }
    try both("two dispatches to one store") {
      let store = Store(0)
      await withTaskGroup { group in for _ in 0..<2 { group.addTask { await store.dispatch { $0 += 1 } } } }
    }
    try both("two dispatches to two stores") {
      let stores = [Store(0), Store(0)]
      await withTaskGroup { group in for store in stores { group.addTask { await store.dispatch { $0 += 1 } } } }
    }
    try both("three dispatches to three stores") {
      let stores = [Store(0), Store(0), Store(0)]
      await withTaskGroup { group in for store in stores { group.addTask { await store.dispatch { $0 += 1 } } } }
    }
    try both("two increments of an atom") {
      let (store, atom) = (AtomStore(), Atom(0, keepAlive: true))
      await withTaskGroup { group in
        for _ in 0..<2 { group.addTask { store.callAsCurrent { atom.value += 1 } } }
      }
    }
    try both("crossing dispatches") {
      let stores = [Store(0), Store(0)]
      await withTaskGroup { group in
        for (outer, inner) in [(stores[0], stores[1]), (stores[1], stores[0])] {
          group.addTask {
            await outer.dispatch { (_: inout Int) async in _ = await inner.dispatch { $0 += 1 } }
          }
        }
      }
    }
  }
}
