import ActorStore
import ActorStoreTesting
import Atoms
import Synchronization
import TestSize
import Testing

/// The reduced search finds every result that the full search finds, in fewer schedules.
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

  /// Three bodies of the table in the article "Finding the schedule that breaks it".
  @Test func dependentStepsRunInEachOrder() throws {
    func count(_ body: @escaping @Sendable () async -> Void) throws -> Int {
      let found = try explore(.storesAndAtoms) {
        await body()
        return 0
      }
      #expect(found.exploration.isComplete)
      return found.exploration.schedules
    }
    let mutations = try count {
      let store = Store(0)
      await withTaskGroup { group in
        for _ in 0..<2 { group.addTask { await store.dispatch { $0 += 1 } } }
      }
    }
    #expect(mutations == 4)
    let increments = try count {
      let (store, atom) = (AtomStore(), Atom(0, keepAlive: true))
      await withTaskGroup { group in
        for _ in 0..<2 { group.addTask { store.callAsCurrent { atom.value += 1 } } }
      }
    }
    #expect(increments == 4)
    let crossing = try count {
      let stores = [Store(0), Store(0)]
      await withTaskGroup { group in
        for (outer, inner) in [(stores[0], stores[1]), (stores[1], stores[0])] {
          group.addTask {
            await outer.dispatch { (_: inout Int) async in _ = await inner.dispatch { $0 += 1 } }
          }
        }
      }
    }
    #expect(crossing == 16)
  }

  // MARK: Random bodies

  /// Compares the results of both searches for small random bodies.
  @Test func bothSearchesFindTheSameResultsOfRandomBodies() throws {
    var (compared, all, fewer) = (0, 0, 0)
    var seed: UInt64 = 0
    while compared < TestSize.count(1_000, few: 15) {
      let body = RandomBody(seed)
      seed += 1
      let full = try explore(.anything, schedules: 300) { await body.run() }
      // A body with more schedules is not small.
      guard full.exploration.isComplete else { continue }
      let reduced = try explore(.storesAndAtoms) { await body.run() }
      #expect(reduced.exploration.isComplete)
      #expect(reduced.results == full.results, "seed \(seed - 1): \(body)")
      compared += 1
      all += full.exploration.schedules
      fewer += reduced.exploration.schedules
    }
    #expect(fewer < all)
  }

  // MARK: Other memory

  /// Returns the orders in which two tasks, each with a store of its own, append to a shared list.
  private func orders(
    _ sharing: Simulation.Sharing, _ append: @escaping @Sendable (Int, borrowing Mutex<[Int]>) async -> Void
  ) throws -> Set<[Int]> {
    try explore(sharing) {
      let list = Shared(Mutex<[Int]>([]))
      await withTaskGroup { group in
        for number in 0..<2 {
          let store = Store(0)
          group.addTask {
            await store.dispatch { $0 += 1 }
            await append(number, list.value)
          }
        }
      }
      return list.value.withLock { $0 }
    }.results
  }

  private let bothOrders: Set = [[0, 1], [1, 0]]

  @Test func theDefaultFindsEachOrderBehindALock() throws {
    let found = try orders(.anything) { number, list in list.withLock { $0.append(number) } }
    #expect(found == bothOrders)
    // A promise that does not hold loses results.
    let fewer = try orders(.storesAndAtoms) { number, list in list.withLock { $0.append(number) } }
    #expect(fewer.count == 1)
    let kept = try orders(.storesAndAtoms) { number, list in
      Simulation.point()
      list.withLock { $0.append(number) }
    }
    #expect(kept == bothOrders)
  }

  @Test func theDefaultFindsEachOrderOnAnActor() throws {
    let found = try explore(.anything) {
      let log = Log()
      await withTaskGroup { group in
        for number in 0..<2 {
          let store = Store(0)
          group.addTask {
            await store.dispatch { $0 += 1 }
            await log.append(number)
          }
        }
      }
      return await log.numbers
    }
    #expect(found.results == bothOrders && found.exploration.isComplete)
  }

  @Test func theDefaultFindsEachOrderOfTheEndsOfTasks() throws {
    let found = try explore(.anything) {
      await withTaskGroup(of: Int.self) { group in
        for number in 0..<2 {
          let store = Store(0)
          group.addTask {
            await store.dispatch { $0 += 1 }
            return number
          }
        }
        return [await group.next(), await group.next()].compactMap(\.self)
      }
    }
    #expect(found.results == bothOrders && found.exploration.isComplete)
  }

  /// For bodies that share more than stores and atoms, the default search finds each result that random schedules find.
  @Test func theDefaultLosesNoResultOfRandomBodies() throws {
    var compared = 0
    var seed: UInt64 = 0
    while compared < TestSize.length(200, short: 20) {
      let body = RandomBody(seed, sharesMore: true)
      seed += 1
      let full = try explore(.anything, schedules: 1_000) { await body.run() }
      guard full.exploration.isComplete else { continue }
      let sampled = Mutex<Set<[[Int]]>>([])
      try Simulation.explore(.random(seed: seed), schedules: 200) {
        let result = await body.run()
        sampled.withLock { _ = $0.insert(result) }
      }
      #expect(sampled.withLock { $0 }.isSubset(of: full.results), "seed \(seed - 1): \(body)")
      compared += 1
    }
  }

  private actor Log {
    private(set) var numbers: [Int] = []

    func append(_ number: Int) { numbers.append(number) }
  }

  private final class Shared<Value: ~Copyable & Sendable>: Sendable {
    let value: Value

    init(_ value: consuming Value) { self.value = value }
  }
}
