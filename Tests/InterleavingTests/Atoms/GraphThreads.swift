import ActorStoreTesting

@testable import Atoms

/// Virtual threads that call the steps of `GraphStateMachine` as `Graph` and `Evaluation` do.
///
/// An array of integers replaces the cells. A set holds the lock for three moves. Between these moves, only readers
/// without the lock can move.
struct GraphThreads: VirtualThreads {
  typealias Logic = GraphStateMachine<Int>

  /// What a derived node computes.
  enum Formula: Hashable {
    case sum([Int])
    /// The second node if the first one is 0, and otherwise the third.
    case choice(Int, Int, Int)

    /// The next node to read after some values, or `nil` if the result is known.
    func next(after values: [Int]) -> Int? {
      switch self {
      case .sum(let nodes): values.count < nodes.count ? nodes[values.count] : nil
      case .choice(let condition, let one, let other):
        values.isEmpty ? condition : values.count == 1 ? (values[0] == 0 ? one : other) : nil
      }
    }

    func result(_ values: [Int]) -> Int {
      switch self {
      case .sum: values.reduce(0, +)
      case .choice: values[1]
      }
    }
  }

  enum Call: Hashable {
    case set(Int, Int)
    /// A read that pins a revision.
    case read(Int)
    /// A read without the lock, which has no result if the value is not up to date.
    case peek(Int)
    case transact([Operation])
    /// Releases the atom. No call that begins afterward may read it.
    case release(Int)
    /// Replaces the closure of a node, or restores it.
    case inject(Int, Formula?)
    case use(Int)
    case unuse(Int)
  }

  /// A part of a transaction.
  enum Operation: Hashable {
    case read(Int)
    /// Sets a source to the last value that was read, plus a number.
    case write(Int, plus: Int)
  }

  struct Injection: Hashable {
    let revision: Revision
    let node: Int
    let formula: Formula?
  }

  /// The stamps that a reader without the lock sees.
  struct Cell: Hashable {
    var value: Int?
    var validFrom: Revision = 0
    var dirtyAt: Revision = 0
  }

  struct Thread: Hashable {
    var calls: [Call]
    var task = Task.idle
    var evaluation: EvaluationStateMachine<Int>?
    var runs: [Run] = []
    var bases: [Int] = []
    /// The revision that a reader without the lock has loaded.
    var loaded: Revision = 0
    var round: Logic.Deliveries.Round?
    /// The values that the transaction has read.
    var results: [Int] = []
    /// The sources that the transaction has written, as it sees them.
    var written: [Int: Int] = [:]
    /// The number of the running operation.
    var position = 0
  }

  /// A derivation that runs.
  struct Run: Hashable {
    let node: Int
    let isPrivate: Bool
    var values: [Int] = []
  }

  /// The next move of a thread.
  enum Task: Hashable {
    case idle
    case need(Int)
    case step
    case finish
    /// Publishes a result after its comparison with the value.
    case settle(Int, isUnchanged: Bool)
    case got(Int)
    case write(Int, Int)
    case commit
    case endTransaction
    case exchange([Change])
    case mark
    case publish
    case peek(Int)
    case deliver
    /// Ends a round, and decides whether its node must be checked again.
    case endRound
  }

  struct Change: Hashable {
    let node: Int
    let value: Int
  }

  typealias Move = Int

  let formulas: [Formula?]
  let watched: Int?
  /// The sets that callbacks of the watched node make, one for each value that is delivered.
  var reactions: [Change]
  /// The default values.
  let sources: [Int]
  /// Whether a value may be dropped, so that its comparison is a separate move.
  let hasUses: Bool
  /// Whether closures run on a deep stack, so that the logic brings their former dependencies up to date first.
  var isDeep = false
  var logic = Logic()
  var cells: [Cell]
  var published: Revision = 0
  var threads: [Thread]
  var lockedBy: Int?
  /// The values of the sources at each revision.
  var states: [[Int: Int]]
  /// The injections, oldest first.
  var injections: [Injection] = []
  /// The number of uses of each node except by other nodes.
  var directUses: [Int: Int32] = [:]
  var delivered: [Int] = []
  var deliveredVersion: Version = 0
  var deliveredRevision: Revision = 0
  /// The revisions of the sets in callbacks that are not delivered yet.
  var undelivered: [Revision] = []
  var violation: String?

  init(
    sources: [Int], formulas: [Formula], watched: Int? = nil, reactions: [Change] = [], faults: GraphFaults = [],
    isWarm: Bool = true, _ threads: [[Call]]
  ) {
    self.formulas = sources.map { _ in nil } + formulas
    self.watched = watched
    self.reactions = reactions
    self.sources = sources
    hasUses = threads.joined().contains { if case .unuse = $0 { true } else { false } }
    cells = sources.map { Cell(value: $0, dirtyAt: .never) } + formulas.map { _ in Cell() }
    states = [Dictionary(uniqueKeysWithValues: sources.enumerated().map { ($0.offset, $0.element) })]
    self.threads = [Thread(calls: formulas.indices.map { .read(sources.count + $0) })]
    for formula in self.formulas { _ = logic.add(isSource: formula == nil) }
    if isWarm { while !isFinished { take(0) } }
    if let watched {
      logic.watch(Self.id(watched))
      directUses[watched] = 1
      delivered = [plain(watched, at: 0)]
      deliveredVersion = logic[Self.id(watched)].version
    }
    #if DEBUG
      logic.faults = faults
    #endif
    self.threads = threads.map { Thread(calls: $0) }
  }

  static func id(_ node: Int) -> NodeID { NodeID(index: Int32(node)) }

  func formula(_ node: Int, at revision: Revision) -> Formula? {
    if injections.isEmpty { return formulas[node] }
    return injections.last { $0.node == node && $0.revision <= revision }?.formula ?? formulas[node]
  }

  /// The value that the plain formulas give.
  ///
  /// - Parameter written: The values of sources that a transaction has written.
  func plain(_ node: Int, at revision: Revision, after written: [Int: Int] = [:]) -> Int {
    guard let formula = formula(node, at: revision) else { return written[node] ?? states[Int(revision)][node] ?? 0 }
    var values: [Int] = []
    while let next = formula.next(after: values) { values.append(plain(next, at: revision, after: written)) }
    return formula.result(values)
  }

  // MARK: Moves

  var moves: [Int] { violation == nil ? threads.indices.filter(canMove) : [] }
  var isFinished: Bool { threads.allSatisfy { $0.task == .idle && $0.calls.isEmpty } }

  private func canMove(_ index: Int) -> Bool {
    let thread = threads[index]
    if thread.task == .idle && thread.calls.isEmpty { return false }
    guard let lockedBy, lockedBy != index else { return true }
    if case .peek = thread.task { return true }
    if thread.task == .idle, case .peek = thread.calls[0] { return true }
    return false
  }

  mutating func take(_ index: Int) {
    switch threads[index].task {
    case .idle: begin(index)
    case .need(let node): need(node, index)
    case .step: step(index)
    case .finish: finish(index)
    case .settle(let value, let isUnchanged): settle(value, isUnchanged: isUnchanged, index)
    case .got(let value): end(value, index)
    case .write(let node, let value): write(node, value, index)
    case .commit: commit(index)
    case .endTransaction: endTransaction(index)
    case .exchange(let changes): exchange(changes, index)
    case .mark: mark(index)
    case .publish: publish(index)
    case .peek(let node): peek(node, index)
    case .deliver: deliver(index)
    case .endRound: endRound(index)
    }
    if isFinished { verifyEnd() }
  }

  private mutating func begin(_ index: Int) {
    switch threads[index].calls[0] {
    case .set(let node, let value):
      set([Change(node: node, value: value)], index)
    case .read(let node):
      threads[index].evaluation = logic.begin()
      threads[index].evaluation!.isDeep = isDeep
      threads[index].task = .need(node)
    case .transact:
      beginTransaction(index)
    case .peek(let node):
      threads[index].loaded = published
      threads[index].task = .peek(node)
    case .release(let node):
      let former = logic.revision
      if logic.remove(Self.id(node)).isUnseen { cells[node] = Cell() }
      directUses[node] = nil
      if logic.revision > former {
        publishMarks()
        states.append(states[states.count - 1])
      }
      releaseUnused()
      done(index)
    case .inject(let node, let formula):
      logic.advance()
      let id = Self.id(node)
      let state = states[states.count - 1]
      logic.replaceFormula(of: id, old: logic[id].isSource && logic.mustKeep(id) ? state[node] : nil)
      injections.append(Injection(revision: logic.revision, node: node, formula: formula))
      publishMarks()
      states.append(state)
      releaseUnused()
      done(index)
    case .use(let node):
      directUses[node, default: 0] += 1
      logic.beginUse(of: Self.id(node))
      done(index)
    case .unuse(let node):
      directUses[node, default: 0] -= 1
      logic.endUse(of: Self.id(node))
      releaseUnused()
      done(index)
    }
  }

  mutating func publishMarks() {
    for id in logic.marked where cells[Int(id.index)].dirtyAt == .never {
      cells[Int(id.index)].dirtyAt = logic.revision
    }
    published = logic.revision
  }

  /// Ends a call, and delivers if the thread must.
  mutating func done(_ index: Int) {
    if threads[index].round != nil { return reacted(index) }
    threads[index].calls.removeFirst()
    threads[index].evaluation = nil
    if logic.deliveries.isDelivering { logic.endChange(isInCallback: false) }
    threads[index].task = logic.deliveries.begin() ? .deliver : .idle
  }

  private mutating func peek(_ node: Int, _ index: Int) {
    let (cell, revision) = (cells[node], threads[index].loaded)
    if let value = cell.value, cell.validFrom <= revision, revision < cell.dirtyAt {
      expect(value, node, at: revision, "a read without the lock")
    }
    threads[index].calls.removeFirst()
    threads[index].task = .idle
  }

  mutating func expect(
    _ value: Int, _ node: Int, at revision: Revision, after written: [Int: Int] = [:], _ what: String
  ) {
    let right = plain(node, at: revision, after: written)
    if value != right { violation = "\(what) of \(node) at \(revision) has \(value), not \(right)" }
  }
}
