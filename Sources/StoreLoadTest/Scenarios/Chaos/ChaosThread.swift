import ActorStore
import Atoms
import SeededRandom
import Synchronization

/// The place at which a thread is, for the report of a violation or a stall.
final class ChaosPlace: Sendable {
  private let number = Atomic<Int>(0)
  private let kind = Atomic<Int>(0)

  func enter(_ number: Int, _ kind: ChaosKind) {
    self.number.store(number, ordering: .relaxed)
    self.kind.store(kind.index, ordering: .relaxed)
  }

  var text: String {
    "operation \(number.load(ordering: .relaxed)), \(ChaosKind.allCases[kind.load(ordering: .relaxed)].rawValue)"
  }
}

/// One thread of the chaos program: its random numbers, its uses and watchers, and what it knows about the values.
struct ChaosThread: Sendable {
  /// The values of atoms that only this thread sets.
  struct Known: Sendable {
    var own = [Int](repeating: 0, count: ChaosGraph.ownPerThread)
    /// The value that was set last, or `nil` after a reset.
    var willSet: Int?
    /// The sum that was set last.
    var sum: Int?
    var injected: Set<Int> = []
    var isRead = false
  }

  let index: Int
  let graph: ChaosGraph
  let store: AtomStore
  /// A store in which only this thread sets atoms.
  let other: AtomStore
  let clock: ChaosClock
  let bench: Bench
  let seed: UInt64
  let place = ChaosPlace()

  var random: SplitMix64
  var number = 0
  var counts = ChaosCounts()
  var known = Known()
  var knownInOther = Known()
  /// The greatest values of atoms that only grow.
  var greatest = [Int](repeating: 0, count: 3)
  var increments = [0, 0]
  var dispatches = 0
  var changesOfObject = 0
  var knownMember = [Int](repeating: 0, count: 8)
  /// The newest value of the atom that this thread increases.
  var knownStep = 0
  var seenSteps: [ChaosSeenSteps]
  /// The values of the atoms with `onReset` closures, and the number of runs of the first closure.
  var knownResets = (plain: ChaosResets.initialPlain, half: 0, runs: 0)

  var observations: [(watcher: ChaosWatcher, token: AtomObservation)?] = Array(repeating: nil, count: 4)
  var followers: [ChaosFollower?] = Array(repeating: nil, count: 2)
  /// A stream of an own atom, and the values that it must have.
  var ownFollower: (follower: ChaosFollower, values: [Int])?
  var uses: [UseAtom<Int>?] = Array(repeating: nil, count: 4)
  var derivedUses: [UseAtomValue<Int>?] = Array(repeating: nil, count: 4)
  var stepObservations: [AtomObservation] = []
  var models: [ChaosModel?] = Array(repeating: nil, count: 2)

  init(_ index: Int, _ graph: ChaosGraph, _ store: AtomStore, _ clock: ChaosClock, _ bench: Bench, seed: UInt64) {
    self.index = index
    self.graph = graph
    self.store = store
    self.clock = clock
    self.bench = bench
    self.seed = seed
    other = AtomStore()
    random = SplitMix64(seed)
    seenSteps = graph.steps.map { _ in ChaosSeenSteps() }
  }

  /// Runs a number of random operations.
  mutating func run(_ count: Int) async {
    for _ in 0..<count {
      number += 1
      let kind = ChaosKind.wheel[random.below(ChaosKind.wheel.count)]
      place.enter(number, kind)
      let start = now()
      await perform(kind)
      counts.record(kind, now() - start)
      if number % 64 == 0 { bench.beat() }
    }
  }

  /// Records a violation, with the place.
  func expect<Value: Equatable>(_ what: @autoclosure () -> String, _ seen: Value, _ expected: Value) {
    if seen != expected { bench.expect("\(location): \(what())", seen, expected) }
  }

  /// Records a problem, if there is one.
  func expectNone(_ problem: String?) {
    if let problem { bench.expect("\(location): problem", problem, "none") }
  }

  var location: String { "thread \(index) with seed \(seed), \(place.text)" }
}

/// Holds a thread until a task takes it.
final class ChaosBox: Sendable {
  private let thread: Locked<ChaosThread?>

  init(_ thread: ChaosThread) { self.thread = Locked(thread) }

  func take() -> ChaosThread? { thread.withLock { $0.take() } }
}
