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
    /// Sets a source to the value of a node, plus one.
    case copy(Int, to: Int)
    case release(Int)
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
    case got(Int)
    case exchange(Int, Int)
    case mark
    case publish
    case peek(Int)
    case deliver
    case check([Int])
  }

  typealias Move = Int

  let formulas: [Formula?]
  let watched: Int?
  var logic = Logic()
  var cells: [Cell]
  var published: Revision = 0
  var threads: [Thread]
  var lockedBy: Int?
  /// The values of the sources at each revision.
  var states: [[Int: Int]]
  var delivered: [Int] = []
  var deliveredVersion: Version = 0
  private(set) var violation: String?

  init(
    sources: [Int], formulas: [Formula], watched: Int? = nil, faults: GraphFaults = [], isWarm: Bool = true,
    _ threads: [[Call]]
  ) {
    self.formulas = sources.map { _ in nil } + formulas
    self.watched = watched
    cells = sources.map { Cell(value: $0, dirtyAt: .never) } + formulas.map { _ in Cell() }
    states = [Dictionary(uniqueKeysWithValues: sources.enumerated().map { ($0.offset, $0.element) })]
    self.threads = [Thread(calls: formulas.indices.map { .read(sources.count + $0) })]
    for formula in self.formulas { _ = logic.add(isSource: formula == nil) }
    if isWarm { while !isFinished { take(0) } }
    if let watched {
      logic.watch(Self.id(watched))
      delivered = [plain(watched, states[0])]
      deliveredVersion = logic[Self.id(watched)].version
    }
    #if DEBUG
      logic.faults = faults
    #endif
    self.threads = threads.map { Thread(calls: $0) }
  }

  private static func id(_ node: Int) -> NodeID { NodeID(index: Int32(node)) }

  /// The value that the plain formulas give.
  private func plain(_ node: Int, _ state: [Int: Int]) -> Int {
    guard let formula = formulas[node] else { return state[node] ?? 0 }
    var values: [Int] = []
    while let next = formula.next(after: values) { values.append(plain(next, state)) }
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
    case .got(let value): end(value, index)
    case .exchange(let node, let value): exchange(node, value, index)
    case .mark: mark(index)
    case .publish: publish(index)
    case .peek(let node): peek(node, index)
    case .deliver: deliver(index)
    case .check(let nodes): check(nodes, index)
    }
    if isFinished { verifyEnd() }
  }

  private mutating func begin(_ index: Int) {
    switch threads[index].calls[0] {
    case .set(let node, let value):
      lockedBy = index
      change([node: value])
      threads[index].task = logic.has(.markLate) ? .publish : .mark
      if logic.has(.markLate) { published = logic.revision }
      threads[index].task = .exchange(node, value)
    case .read(let node), .copy(let node, _):
      var isTransaction = false
      if case .copy = threads[index].calls[0] { isTransaction = true }
      threads[index].evaluation = logic.begin(isTransaction: isTransaction)
      threads[index].task = .need(node)
    case .peek(let node):
      threads[index].loaded = published
      threads[index].task = .peek(node)
    case .release(let node):
      _ = logic.remove(Self.id(node))
      cells[node] = Cell()
      publishMarks()
      states.append(states[states.count - 1])
      done(index)
    }
  }

  /// Begins a revision and changes sources in the logic.
  private mutating func change(_ values: [Int: Int]) {
    logic.advance()
    var state = states[states.count - 1]
    for (node, value) in values {
      let id = Self.id(node)
      _ = logic.replaceValue(of: id, old: logic.mustKeep(id) ? state[node] : nil, new: nil)
      state[node] = value
    }
    states.append(state)
  }

  private mutating func publishMarks() {
    for id in logic.marked where cells[Int(id.index)].dirtyAt == .never {
      cells[Int(id.index)].dirtyAt = logic.revision
    }
    published = logic.revision
  }

  private mutating func exchange(_ node: Int, _ value: Int, _ index: Int) {
    cells[node] = Cell(value: value, validFrom: logic.revision, dirtyAt: .never)
    threads[index].task = .mark
  }

  private mutating func mark(_ index: Int) {
    for id in logic.marked where cells[Int(id.index)].dirtyAt == .never {
      cells[Int(id.index)].dirtyAt = logic.revision
    }
    threads[index].task = .publish
  }

  private mutating func publish(_ index: Int) {
    published = logic.revision
    lockedBy = nil
    done(index)
  }

  /// Ends a call, and delivers if the thread must.
  private mutating func done(_ index: Int) {
    threads[index].calls.removeFirst()
    threads[index].evaluation = nil
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

  private mutating func expect(_ value: Int, _ node: Int, at revision: Revision, _ what: String) {
    let right = plain(node, states[Int(revision)])
    if value != right { violation = "\(what) of \(node) at \(revision) has \(value), not \(right)" }
  }

  // MARK: Evaluating

  private mutating func need(_ node: Int, _ index: Int) {
    let id = Self.id(node)
    guard let found = logic.find(id, for: threads[index].evaluation!) else {
      threads[index].bases.append(threads[index].evaluation!.visits.count)
      threads[index].evaluation!.visits.append(.init(node: id, index: 0))
      threads[index].task = .step
      return
    }
    let value: Int
    switch found {
    case .current:
      value = cells[node].value ?? -1
      let validity = logic.validity(id)
      cells[node].validFrom = validity.validFrom
      cells[node].dirtyAt = validity.dirtyAt
    case .kept(_, let kept): value = kept
    }
    threads[index].evaluation!.track(id, found.stamp, isSource: formulas[node] == nil, .unknown)
    if threads[index].runs.isEmpty {
      threads[index].task = .got(value)
    } else {
      threads[index].runs[threads[index].runs.count - 1].values.append(value)
      readNext(index)
    }
  }

  private mutating func readNext(_ index: Int) {
    let run = threads[index].runs[threads[index].runs.count - 1]
    threads[index].task = formulas[run.node]!.next(after: run.values).map { .need($0) } ?? .finish
  }

  private mutating func step(_ index: Int) {
    switch logic.step(&threads[index].evaluation!, base: threads[index].bases[threads[index].bases.count - 1]) {
    case .done:
      threads[index].bases.removeLast()
      // The node that was needed is up to date now.
      if threads[index].runs.isEmpty {
        threads[index].task = .need(target(index))
      } else {
        readNext(index)
      }
    case .compute(let id, let isPrivate):
      threads[index].evaluation!.push(id, isPrivate: isPrivate)
      threads[index].runs.append(Run(node: Int(id.index), isPrivate: isPrivate))
      readNext(index)
    case .cycle: violation = "a cycle where there is none"
    }
  }

  /// The node that the thread reads at the top level.
  private func target(_ index: Int) -> Int {
    if let round = threads[index].round { return Int(round.checks[0].index) }
    switch threads[index].calls[0] {
    case .read(let node), .copy(let node, _): return node
    default: return -1
    }
  }

  private mutating func finish(_ index: Int) {
    let run = threads[index].runs.removeLast()
    let id = Self.id(run.node)
    let value = formulas[run.node]!.result(run.values)
    let isUnchanged = !run.isPrivate && cells[run.node].value == value
    if !run.isPrivate, logic.publish(&threads[index].evaluation!, isUnchanged: isUnchanged) != nil {
      let validity = logic.validity(id)
      cells[run.node] = Cell(value: value, validFrom: validity.validFrom, dirtyAt: validity.dirtyAt)
    } else {
      logic.keep(value, &threads[index].evaluation!)
    }
    threads[index].task = .step
  }

  // MARK: Ending

  private mutating func end(_ value: Int, _ index: Int) {
    let evaluation = threads[index].evaluation!
    if threads[index].round != nil { return delivered(value, index) }
    let node = target(index)
    expect(value, node, at: evaluation.revision, "a read")
    if case .copy(_, let other) = threads[index].calls[0] {
      guard logic.isCurrent(evaluation) else {
        _ = logic.end(evaluation)
        threads[index].evaluation = logic.begin(isTransaction: true)
        threads[index].task = .need(node)
        return
      }
      expect(value, node, at: logic.revision, "a transaction")
      _ = logic.end(evaluation)
      lockedBy = index
      change([other: value + 1])
      threads[index].task = .exchange(other, value + 1)
      return
    }
    _ = logic.end(evaluation)
    done(index)
  }

  // MARK: Delivering

  private mutating func deliver(_ index: Int) {
    guard let (round, evaluation) = logic.takeRound() else {
      threads[index].task = .idle
      return
    }
    threads[index].evaluation = evaluation
    threads[index].round = round
    threads[index].task = round.checks.isEmpty ? .check([]) : .need(Int(round.checks[0].index))
  }

  private mutating func delivered(_ value: Int, _ index: Int) {
    let evaluation = threads[index].evaluation!
    expect(value, target(index), at: evaluation.revision, "a delivery")
    let id = Self.id(target(index))
    let version = logic.find(id, for: evaluation)?.stamp.version ?? 0
    if version != deliveredVersion, value != delivered.last { delivered.append(value) }
    deliveredVersion = version
    threads[index].task = .check([target(index)])
  }

  private mutating func check(_ nodes: [Int], _ index: Int) {
    let evaluation = threads[index].evaluation!
    for node in nodes { logic.delivered(Self.id(node), version: deliveredVersion, at: evaluation.revision) }
    _ = logic.end(evaluation)
    threads[index].evaluation = nil
    threads[index].round = nil
    threads[index].task = .deliver
  }

  private mutating func verifyEnd() {
    if violation != nil { return }
    if !logic.pins.isEmpty || logic.keptCount != 0 { violation = "something is left behind" }
    if let watched, !threads.isEmpty, threads.allSatisfy({ $0.calls.isEmpty }), !delivered.isEmpty,
      // A node whose value was valid for one revision is checked when the next one begins.
      logic.checkedNext.isEmpty, delivered.last != plain(watched, states[states.count - 1])
    {
      violation = "the last delivery has \(delivered.last ?? -1)"
    }
  }
}
