/// The kinds of operations of the chaos program.
enum ChaosKind: String, CaseIterable, Sendable {
  case readSource = "read of a source"
  case readDerived = "read of a derived atom"
  case readOwn = "read of an atom that only this thread sets"
  case snapshot = "snapshot, recomputed"
  case setShared = "set of a shared atom"
  case setOwn = "set of an own atom"
  case update = "update of a counter"
  case reset = "reset"
  case setGetSet = "set of a GetSetAtom"
  case setNested = "set of a GetSetAtom that sets another one"
  case setWillSet = "set or reset of a WillSetAtom"
  case transaction = "transaction"
  case failingTransaction = "transaction that throws"
  case nestedTransaction = "nested transaction"
  case transfer = "transfer in a transaction"
  case readAsync = "read of an AsyncAtom"
  case reload = "reload of an AsyncAtom"
  case setAsync = "set of an AsyncAtom"
  case cancel = "cancellation of an AsyncAtom"
  case result = "wait for a result"
  case element = "element of an AsyncSequenceAtom"
  case sequence = "read, reload, or set of an AsyncSequenceAtom"
  case member = "set and read of a family member"
  case view = "read of a derived family member"
  case object = "change of an observable object"
  case actorObject = "change of an object on an actor"
  case observe = "observation begun or ended"
  case follow = "stream begun or ended"
  case followOwn = "stream of an own atom begun"
  case inject = "injection or removal"
  case injectSource = "injection of a source, or removal"
  case injectAsync = "injection of an operation, or removal"
  case use = "use begun or ended"
  case setThroughUse = "set through a wrapper"
  case advance = "advance of the clock"
  case setElement = "set or removal of an element"
  case append = "insertion of an element"
  case bind = "set through a binding by identity"
  case dispatch = "dispatch to a Store"
  case setSelection = "set of an atom of a Store"
  case otherStore = "set and snapshot in another AtomStore"
  case step = "step of an atom with onUpdate"
  case readDebounced = "read of a debounced atom"
  case readThrottled = "read of a throttled atom"
  case readSearch = "read of an AsyncAtom with debounce"
  case model = "AtomModel begun or ended"
  case readModel = "read of an AtomModel"
  case setResettable = "set of an atom with onReset"
  case resetResettable = "reset of an atom with onReset"
  case inspect = "diagnostics or graph"

  /// The share of the operations.
  private var weight: Int {
    switch self {
    case .readDerived: 240
    case .setShared: 120
    case .readSource, .readOwn, .snapshot, .setOwn: 80
    case .update, .transaction, .transfer, .setGetSet: 40
    case .readAsync: 30
    case .inspect, .injectAsync, .injectSource, .actorObject, .followOwn, .model: 4
    case .readModel, .follow, .inject, .result, .cancel, .advance, .object: 8
    default: 20
    }
  }

  private static let indices = Dictionary(uniqueKeysWithValues: allCases.enumerated().map { ($0.element, $0.offset) })

  /// The position among all kinds.
  var index: Int { Self.indices[self] ?? 0 }

  /// Each kind as often as its weight.
  static let wheel = allCases.flatMap { kind in Array(repeating: kind, count: kind.weight) }
}

/// The number of operations of each kind, and the longest one of each.
struct ChaosCounts: Sendable {
  private var counts = [Int](repeating: 0, count: ChaosKind.allCases.count)
  private var longest = [UInt64](repeating: 0, count: ChaosKind.allCases.count)
  private(set) var latencies = Latencies()
  /// The number of times that a transaction ran again.
  var repeats = 0

  mutating func record(_ kind: ChaosKind, _ nanoseconds: UInt64) {
    let index = kind.index
    counts[index] += 1
    longest[index] = max(longest[index], nanoseconds)
    latencies.record(nanoseconds)
  }

  mutating func add(_ other: ChaosCounts) {
    for index in counts.indices {
      counts[index] += other.counts[index]
      longest[index] = max(longest[index], other.longest[index])
    }
    latencies.add(other.latencies)
    repeats += other.repeats
  }

  var total: Int { counts.reduce(0, +) }

  var kinds: [OperationKind] {
    zip(ChaosKind.allCases, zip(counts, longest)).map { kind, figures in
      OperationKind(name: kind.rawValue, operations: figures.0, longestNanoseconds: figures.1)
    } + [OperationKind(name: "repeat of a transaction", operations: repeats)]
  }
}
