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

  /// The same five bodies as in the article "Finding the schedule".
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

  /// Both searches find the same results of a thousand small bodies.
  @Test func bothSearchesFindTheSameResultsOfRandomBodies() throws {
    var (compared, all, fewer) = (0, 0, 0)
    var seed: UInt64 = 0
    while compared < TestSize.length(1_000, short: 40) {
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
}

/// Two or three tasks that use two stores and two atoms.
private struct RandomBody: Sendable, CustomStringConvertible {
  fileprivate enum Operation: Sendable {
    case dispatch(Int), send(Int), state(Int), nested(Int), cancel(Int), close(Int), stream(Int)
    case set(Int), update(Int), read(Int), copy(Int), total, watch(Int), reset(Int)
  }

  fileprivate let tasks: [[Operation]]

  init(_ seed: UInt64) {
    var random = SplitMix64(seed)
    let count = random.below(4) == 0 ? 3 : 2
    tasks = (0..<count).map { _ in
      (0...random.below(count == 3 ? 1 : 2)).map { _ in Operation.random(&random) }
    }
  }

  var description: String { "\(tasks)" }

  /// Everything that the tasks share.
  fileprivate struct World: Sendable {
    let stores = [Store(1), Store(1)]
    let atoms = AtomStore()
    let values = [Atom(1, keepAlive: true), Atom(1, keepAlive: true)]
    let total: DerivedAtom<Int>

    init() {
      total = DerivedAtom { [values] in 10 * values[0].value + values[1].value }
    }
  }

  /// Runs the tasks, and returns what each of them has seen and the final state.
  func run() async -> [[Int]] {
    let world = World()
    var seen = await withTaskGroup(of: (Int, [Int]).self) { group in
      for (number, operations) in tasks.enumerated() {
        group.addTask {
          var mine: [Int] = []
          for (index, operation) in operations.enumerated() {
            mine.append(await operation.run(in: world, number * 2 + index + 2))
          }
          return (number, mine)
        }
      }
      return await group.reduce(into: [[Int]](repeating: [], count: tasks.count)) { $0[$1.0] = $1.1 }
    }
    var end: [Int] = []
    for store in world.stores { end.append(await store.state) }
    end += world.values.map { world.atoms.get($0) }
    seen.append(end)
    return seen
  }
}

extension RandomBody.Operation {
  static func random(_ random: inout SplitMix64) -> Self {
    let index = random.below(2)
    switch random.below(20) {
    case 0...1: return .dispatch(index)
    case 2: return .send(index)
    case 3...4: return .state(index)
    case 5: return .nested(index)
    case 6: return .cancel(index)
    case 7: return .close(index)
    case 8: return .stream(index)
    case 9...10: return .set(index)
    case 11...12: return .update(index)
    case 13...15: return .read(index)
    case 16: return .copy(index)
    case 17: return .watch(index)
    case 18: return .reset(index)
    default: return .total
    }
  }

  /// Runs the operation, and returns what it shows of the order of the steps.
  func run(in world: RandomBody.World, _ number: Int) async -> Int {
    let (stores, atoms, values) = (world.stores, world.atoms, world.values)
    switch self {
    case .dispatch(let index):
      return Self.number(
        await stores[index].dispatch { state in
          state = state * 3 + number
          return state
        })
    case .send(let index): return Self.number(await stores[index].send { $0 = $0 * 3 + number; return $0 }.outcome)
    case .state(let index): return await stores[index].state
    case .nested(let index):
      let outcome = await stores[index].dispatch { (state: inout Int) async in
        state += number
        return Self.number(await stores[1 - index].dispatch { $0 = $0 * 3 + number; return $0 })
      }
      return Self.number(outcome)
    case .cancel(let index):
      let ticket = stores[index].send { (state: inout Int) async in state = state * 3 + number; return state }
      ticket.cancel()
      return Self.number(await ticket.outcome)
    case .close(let index):
      stores[index].close()
      return 0
    case .stream(let index):
      for await state in stores[index].states { return state }
      return -1
    case .set(let index):
      atoms.set(values[index], number)
      return 0
    case .update(let index):
      atoms.callAsCurrent { values[index].update { $0 = $0 * 3 + number } }
      return 0
    case .read(let index): return atoms.get(values[index])
    case .copy(let index):
      return atoms.transaction {
        values[index].value += values[1 - index].value
        return values[index].value
      }
    case .total: return atoms.get(world.total)
    case .watch(let index):
      let seen = Mutex(0)
      let observation = atoms.observe(values[index]) { value in seen.withLock { $0 = 10 * $0 + value } }
      atoms.set(values[1 - index], number)
      observation.cancel()
      return seen.withLock { $0 }
    case .reset(let index):
      atoms.reset(values[index])
      return 0
    }
  }

  private static func number(_ outcome: Outcome<Int>) -> Int {
    switch outcome {
    case .committed(let number): number
    case .cancelled: -1
    case .closed: -2
    case .deferred: -3
    default: -4
    }
  }
}
