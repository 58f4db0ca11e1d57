import ActorStore

/// One read of a value that may have to be computed, or one transaction, on one thread.
///
/// It is the shell around `EvaluationStateMachine`.
final class Evaluation: @unchecked Sendable {
  // Invariant: only the thread that runs the evaluation accesses it, although possibly under the graph's lock. After it
  // ends, the graph can keep it for reuse by another thread.

  let graph: Graph
  @safe @exclusivity(unchecked) var logic: EvaluationStateMachine<AnyPublished>

  /// The number of visits that belong to the derivations around the innermost search.
  @safe @exclusivity(unchecked) private var base = 0
  /// The next closure of the innermost search, or `nil` if it is not known yet.
  ///
  /// It was found when the result of the last closure was published, or when the check of a watched node began.
  @safe @exclusivity(unchecked) private var pending: Next?
  /// The injected closure to run next, or `nil` to run the closure of the atom.
  @safe @exclusivity(unchecked) private var injected: Formula?
  /// The node whose value `passOn` takes in the locked section that publishes it, or `none`.
  @safe @exclusivity(unchecked) private var wanted = NodeID.none
  /// The memory for a copy of that value, or `nil` in the check of a watched node.
  @safe @exclusivity(unchecked) private var destination: ValueSlot?
  /// The result of the check, if a delivery reads the node.
  @safe @exclusivity(unchecked) private var checked: Checked?

  /// The result of the check of a watched node.
  enum Checked: Sendable {
    case value(AnyPublished, Version)
    /// A number, which the `Watch` has already taken.
    case number
  }

  /// The setters of `GetSetAtom`s that the transaction has run or checked.
  var setters = OwnSetters()
  /// Whether setters are being checked.
  var isCheckingSetters = false
  /// What to do when the transaction has committed.
  var effects = Effects()
  /// The atoms of the uses that have ended inside the evaluation, and end with it.
  @safe @exclusivity(unchecked) var endedUses: [AnyAtomDefinition] = []
  /// The runs that derivations have started, which begin when the evaluation ends.
  @safe @exclusivity(unchecked) var exchanges: [RunExchange] = []
  /// The updates around the transaction, followed by its own, or an empty array if it makes no update.
  @safe @exclusivity(unchecked) var updates: [SourceUpdate] = []
  /// Whether a snapshot runs inside the transaction.
  var isInSnapshot = false

  init(_ graph: Graph, _ logic: EvaluationStateMachine<AnyPublished>) {
    self.graph = graph
    self.logic = logic
  }

  /// Whether another call can reuse the evaluation after it ends, because nothing is left in it.
  ///
  /// In a graph that records reads, each evaluation of a caller must record, but those of deliveries do not.
  var isReusable: Bool {
    !graph.isRecording && logic.isReusable && endedUses.isEmpty && exchanges.isEmpty && updates.isEmpty
  }

  // MARK: Computing

  /// A closure that a search calls with the value that it finds, under the graph's lock.
  ///
  /// The evaluation and the cell are arguments, because the search would retain them if the closure captured them.
  typealias FoundBody<Result> = (
    Evaluation, Cell, inout GraphState, GraphStateMachine<AnyPublished>.Found
  ) -> Result

  /// Brings a node up to date, and passes its value to a closure under the graph's lock.
  ///
  /// Only a closure's first read of a node can recurse.
  @inline(__always)  // HP13
  func find<Result: Sendable>(
    _ cell: Cell, base: Int? = nil, _ body: FoundBody<Result>
  ) -> Result {
    let outer = beginSearch(base ?? logic.visits.count)
    defer { endSearch(outer) }
    var result: Result?
    while true {
      let next = search(cell, &result, body)
      if let result { return result }
      runAll(next)
    }
  }

  /// Runs one locked section, which ends with a closure to run, or with the value.
  @inline(never)  // HP13
  private func search<Result: Sendable>(
    _ cell: Cell, _ result: inout Result?,
    _ body: FoundBody<Result>
  ) -> Next? {
    graph.state.withLockBackingOff { state in
      while true {
        if logic.visits.count == base {
          if let found = state.logic.find(cell.node, for: logic) {
            result = body(self, cell, &state, found)
            return nil
          }
          logic.visits.append(.init(node: cell.node))
        }
        if let next = step(&state) { return next }
      }
    }
  }

  /// Brings a node up to date, and copies its value.
  ///
  /// Usually, publishing the result of the node's own closure also copies it, which saves a locked section. Otherwise,
  /// `body` gets the value under the graph's lock. Returns the result of `body`, or `nil` if `body` was not called.
  @inline(__always)  // HP24
  func find<Result: Sendable>(
    _ cell: Cell, base: Int, copyingTo destination: ValueSlot,
    _ body: FoundBody<Result>
  ) -> Result? {
    let outer = beginSearch(base, for: cell.node, destination)
    defer { endSearch(outer) }
    var result: Result?
    while wanted != .none {
      let next = search(cell, &result, body)
      if result != nil { break }
      runAll(next)
    }
    return result
  }

  private typealias Search = (base: Int, isDeep: Bool, wanted: NodeID, destination: ValueSlot?)

  /// Begins a search, and returns the properties of the outer search, which `endSearch` restores.
  @inline(__always)  // HP19
  private func beginSearch(_ base: Int, for wanted: NodeID = .none, _ destination: ValueSlot? = nil) -> Search {
    let outer = (self.base, logic.isDeep, self.wanted, self.destination)
    (self.base, logic.isDeep, self.wanted, self.destination) = (base, CurrentThread.isDeep, wanted, destination)
    return outer
  }

  @inline(__always)  // HP19
  private func endSearch(_ outer: Search) { (base, logic.isDeep, wanted, destination) = outer }

  /// Returns the next closure to run, or `nil` if all visits of the innermost search are done.
  @inline(__always)  // HP13
  private func step(_ state: inout GraphState, claimsRuns: Bool = true) -> Next? {
    switch state.logic.step(&logic, base: base, claimsRuns: claimsRuns) {
    case .done: return nil
    case .compute(let node, let isPrivate): return makeNext(node, isPrivate: isPrivate, &state)
    case .keep(let node): return .keep(state.unretainedCell(node))
    case .cycle(let node): return .cycle(node)
    }
  }

  /// Returns the closure of a node as the next one to run.
  @inline(__always)  // HP24
  private func makeNext(_ node: NodeID, isPrivate: Bool, _ state: inout GraphState) -> Next {
    assert(injected == nil, "Atoms: a closure was found before the last one ran. This is a bug in Atoms.")
    if !state.injections.isEmpty { injected = state.injectedFormula(node, at: logic.revision) }
    return .compute(state.unretainedCell(node), isPrivate, run: state.newRun())
  }

  // MARK: Reading for a caller outside evaluations

  /// Begins a read, and returns its first closure, or `nil` if the value needs none.
  ///
  /// The evaluation has just begun, or has only checked watched nodes. The caller passes the closure to
  /// `read(_:after:to:)`, or makes it the pending one.
  @inline(__always)  // HP19
  func begin(_ cell: Cell, _ state: inout GraphState) -> Next? {
    logic.visits.append(.init(node: cell.node))
    return step(&state)
  }

  /// Computes a value and copies it.
  ///
  /// Usually, publishing the result of the atom's own closure also copies it, which saves a locked section.
  @inline(__always)  // HP19
  func read(_ cell: Cell, after first: Next?, to destination: ValueSlot) {
    (wanted, self.destination) = (cell.node, destination)
    runAll(first)
    if wanted == .none { return }
    wanted = .none
    readSlowly(cell, base: 0, to: destination)
  }

  /// Begins the check of a watched node, which `finishCheck` ends.
  ///
  /// The evaluation has just begun, or has only checked other nodes.
  func beginCheck(_ cell: Cell, _ state: inout GraphState) {
    let validity = state.logic.validity(cell.node)
    if validity.isValid(at: logic.revision) {
      checked = .value(cell.knownBox, validity.version)
    } else {
      (wanted, destination) = (cell.node, nil)
      pending = begin(cell, &state)
    }
  }

  /// Ends the check of a watched node, whose value it computes if necessary, and returns the result.
  func finishCheck(_ cell: Cell) -> Checked {
    while pending != nil { runPending() }
    if let checked = checked.take() { return checked }
    wanted = .none
    let (value, version) = box(cell, base: 0)
    return .value(value, version)
  }

  enum Next: Sendable {
    /// The graph holds the cell while it is pinned.
    case compute(Unretained<Cell>, Bool, run: UInt64)
    case keep(Unretained<Cell>)
    case cycle(NodeID)
  }

  /// Runs a closure, and then each further closure that publishing a result has found.
  @inline(__always)  // HP19
  private func runAll(_ first: Next?) {
    if let first { run(first) }
    while pending != nil { runPending() }
  }

  @inline(never)  // HP19
  private func runPending() {
    if let next = pending.take() { run(next) }
  }

  private func run(_ next: Next) {
    switch next {
    case .keep(let cell):
      cell.with(keepBeforeRevalidation)
    case .cycle(let node):
      trapBecauseOfCycle(through: node)
    case .compute(let next, let isPrivate, let run):
      if !CurrentThread.hasStack { next.with { trapBecauseOfStack($0.node) } }
      next.with { next in
        logic.push(next.node, isPrivate: isPrivate, run: run)
        if isPrivate {
          compute(next)
        } else if ObjectFollower.isNeeded {
          ObjectFollower.follow(next.node, in: graph) { compute(next) }
        } else {
          compute(next)
          // The derivation may have made the first atom with an object.
          if ObjectFollower.isNeeded { ObjectFollower.followFromNow(next.node, in: graph) }
        }
      }
    }
  }

  private func keepBeforeRevalidation(_ cell: Cell) {
    graph.state.withLockBackingOff { state in
      // Another thread may have brought the node up to date.
      if state.logic.mustKeepBeforeRevalidation(cell.node) {
        state.logic.keepBeforeRevalidation(cell.node, cell.knownBox)
      }
    }
  }

  @inline(__always)  // HP13
  private func compute(_ cell: Cell) {
    if let injected = injected.take() { injected(cell, self) } else { cell.compute(in: self) }
  }

  /// Keeps the result of the innermost derivation, a value in memory.
  ///
  /// Returns whether the memory is still initialized, so that the caller releases the value.
  func finish(_ cell: Cell, _ new: ValueSlot) -> Bool {
    if logic.frame.isPrivate {
      keep(cell, new)
      return true
    }
    // The holder of the claim is the only possible writer, so it may compare without the lock.
    var isUnchanged = false
    if cell.hasNumbers {
      isUnchanged = cell.isEqual(toNumber: new)
    } else if cell.isComparable {
      isUnchanged = Self.outside { cell.isEqual(to: new) }
    } else if ObjectFollower.isNeeded {
      isUnchanged = ObjectFollower.seesTheSame(cell, new, in: graph)
    }
    return graph.state.withLockBackingOff { state in
      guard let validity = state.logic.publish(&logic, isUnchanged: isUnchanged) else {
        // The evaluation has had no value of a node that it computes for all.
        _ = state.logic.keep(cell.makeBox(of: new), &logic)
        return true
      }
      var mustRelease = true
      if ObjectFollower.isNeeded { state.looks.notePublished(cell.node) }
      if isUnchanged {
        cell.keepValue(validity)
      } else {
        if state.log != nil { state.note(cell, new, at: logic.revision) }
        mustRelease = cell.exchange(validity, with: new)
      }
      goOn(from: cell, validity, &state, mayRunUserCode: mustRelease && !cell.hasNumbers)
      return mustRelease
    }
  }

  /// Finds the next closure in the locked section that has published a result, or passes on the wanted value.
  @inline(__always)  // HP19
  private func goOn(from cell: Cell, _ validity: Validity, _ state: inout GraphState, mayRunUserCode: Bool) {
    // Releasing a value can run user code, which must not run after the outer derivation has recorded the read.
    if wanted == cell.node, logic.visits.count == base + 1, !mayRunUserCode || !logic.isDeriving {
      passOn(cell, validity, &state)
    } else if cell.hasNumbers, logic.visits.count > base {
      // No user code may run between the claim of a node and its closure. The release of other values can run some.
      findPending(after: cell, validity.version, &state)
    }
  }

  @inline(never)  // HP19
  private func findPending(after cell: Cell, _ version: Version, _ state: inout GraphState) {
    // The value is valid now. Ending its visit here is faster than leaving it to the step.
    logic.endVisit()
    if let next = state.logic.claimReader(of: cell.node, version, &logic, base: base) {
      pending = makeNext(next, isPrivate: false, &state)
      return
    }
    // Following an object can run user code before the next closure, so do not claim a node with runs yet.
    pending = step(&state, claimsRuns: false)
  }

  /// Passes on the value of the wanted node, and ends its visit, the last one of the search.
  ///
  /// A read gets a copy and is recorded. A check gets its result in `checked`.
  @inline(never)  // HP24
  private func passOn(_ cell: Cell, _ validity: Validity, _ state: inout GraphState) {
    assert(
      validity.isValid(at: logic.revision) || state.logic.has(.readNewest),
      "Atoms: a value was published that its reader cannot use. This is a bug in Atoms.")
    logic.endVisit()
    wanted = .none
    if let destination {
      track(cell, ValueStamp(version: validity.version, validFrom: validity.validFrom), isSource: false)
      graph.hold(cell, &state)
      cell.copy(to: destination)
    } else {
      checked = check(cell, validity.version)
    }
  }

  private func check(_ cell: Cell, _ version: Version) -> Checked {
    if let watch = cell.watch {
      if cell.hasNumbers, watch.with({ $0.takeNumber(of: cell, version: version) }) { return .number }
      if let last = watch.with({ $0.last }) { return .value(cell.makeBox(like: last), version) }
    }
    return .value(cell.knownBox, version)
  }

  /// Keeps a result that only this evaluation sees.
  private func keep(_ cell: Cell, _ new: ValueSlot) {
    let box = cell.makeBox(of: new)
    var version: Version?
    if logic.hasWritten, cell.isComparable, let known = known(cell),
      Self.outside({ cell.isEqual(known.value, box) })
    {
      version = known.version
    }
    var former = graph.state.withLockBackingOff { $0.logic.keep(box, version: version, &logic) }
    if former != nil { Self.outside { former = nil } }
  }

  /// A value that the evaluation has used before, or the value in the store, and its version.
  private func known(_ cell: Cell) -> (value: AnyPublished, version: Version)? {
    if let own = logic.own[cell.node] { return (own.value, own.stamp.version) }
    return graph.state.withLockBackingOff { state in
      cell.makeBox().map { ($0, state.logic[cell.node].version) }
    }
  }
}
