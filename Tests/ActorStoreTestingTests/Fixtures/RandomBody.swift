import ActorStore
import Atoms
import SeededRandom
import Synchronization

/// Two or three tasks that use two stores and two atoms.
struct RandomBody: Sendable, CustomStringConvertible {
  enum Operation: Sendable {
    case dispatch(Int), send(Int), state(Int), nested(Int), cancel(Int), close(Int), stream(Int)
    case set(Int), update(Int), read(Int), copy(Int), total, watch(Int), reset(Int)
    case lock, actor
  }

  let tasks: [[Operation]]
  /// Whether the result also depends on a lock, on an actor, and on which task ends first.
  let sharesMore: Bool
  /// Whether the tasks are canceled once all have been created.
  let cancelsAll: Bool

  init(_ seed: UInt64, sharesMore: Bool = false, cancelsAll: Bool = false) {
    var random = SplitMix64(seed)
    let count = random.below(4) == 0 ? 3 : 2
    self.sharesMore = sharesMore
    self.cancelsAll = cancelsAll
    tasks = (0..<count).map { _ in
      (0...random.below(count == 3 ? 1 : 2)).map { _ in
        sharesMore && random.below(2) == 0 ? random.below(2) == 0 ? .lock : .actor : Operation.random(&random)
      }
    }
  }

  actor Log {
    private(set) var numbers: [Int] = []

    func append(_ number: Int) -> Int {
      numbers.append(number)
      return numbers.count
    }
  }

  var description: String { "\(tasks)" }

  /// Everything that the tasks share.
  final class World: Sendable {
    let stores = [Store(1), Store(1)]
    let atoms = AtomStore()
    let values = [Atom(1, keepAlive: true), Atom(1, keepAlive: true)]
    let total: DerivedAtom<Int>
    let numbers = Mutex<[Int]>([])
    let log = Log()
    private let started = Atomic(0)

    init() {
      total = DerivedAtom { [values] in 10 * values[0].value + values[1].value }
    }

    /// Waits for another task for a short time.
    func meet() {
      started.wrappingAdd(1, ordering: .acquiringAndReleasing)
      for _ in 0..<10_000 where started.load(ordering: .acquiring) < 2 {}
    }
  }

  /// Runs the tasks, and returns the values that each of them observed and the final state.
  ///
  /// - Parameter isOnThreads: Whether two tasks begin at about the same time, if the machine lets them.
  func run(isOnThreads: Bool = false) async -> [[Int]] {
    let world = World()
    var seen = await withTaskGroup(of: (Int, [Int]).self) { group in
      for (number, operations) in tasks.enumerated() {
        group.addTask {
          if isOnThreads { world.meet() }
          var mine: [Int] = []
          for (index, operation) in operations.enumerated() {
            mine.append(await operation.run(in: world, number * 2 + index + 2))
          }
          return (number, mine)
        }
      }
      if cancelsAll { group.cancelAll() }
      var seen = [[Int]](repeating: [], count: tasks.count)
      var ends: [Int] = []
      for await (number, mine) in group {
        seen[number] = mine
        ends.append(number)
      }
      return sharesMore ? seen + [ends] : seen
    }
    var end: [Int] = []
    for store in world.stores { end.append(await store.state) }
    end += world.values.map { world.atoms.get($0) }
    end += world.numbers.withLock { $0 }
    // An actor makes the reduced search incomplete.
    if sharesMore { end += await world.log.numbers }
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

  /// Runs the operation, and returns a number that can depend on the order of the steps.
  func run(in world: RandomBody.World, _ number: Int) async -> Int {
    let (stores, atoms, values) = (world.stores, world.atoms, world.values)
    switch self {
    case .dispatch(let index):
      return Self.number(
        await stores[index].dispatch { state in
          state = state * 3 + number
          return state
        })
    case .send(let index):
      return Self.number(
        await stores[index].send {
          $0 = $0 * 3 + number; return $0
        }.outcome)
    case .state(let index): return await stores[index].state
    case .nested(let index):
      let outcome = await stores[index].dispatch { (state: inout Int) async in
        state += number
        return Self.number(
          await stores[1 - index].dispatch {
            $0 = $0 * 3 + number; return $0
          })
      }
      return Self.number(outcome)
    case .cancel(let index):
      let ticket = stores[index].send { (state: inout Int) async in
        state = state * 3 + number; return state
      }
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
    case .lock:
      return world.numbers.withLock {
        $0.append(number); return $0.count
      }
    case .actor: return await world.log.append(number)
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
