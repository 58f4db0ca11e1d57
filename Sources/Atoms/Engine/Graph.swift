import ActorStore
import Synchronization

/// The nodes and values of one store of atoms, the shell around `GraphStateMachine`.
///
/// No user code runs under its lock: no closure, comparison, or release of a value. Everything that a step no longer
/// needs is returned and released after unlocking.
final class Graph: Sendable {
  let state = Locked(GraphState())
  /// The newest revision.
  ///
  /// A change becomes visible to readers without the lock when this number increases. At that moment, every cell that
  /// the change affects is already invalid.
  let revision = Atomic<Revision>(0)
  let table = NodeTable()
  /// Whether an atom has ever been injected.
  let hasInjections = Atomic(false)
  let problems: ProblemHandler
  let reference = GraphReference()

  init(_ problems: ProblemHandler) {
    self.problems = problems
  }

  deinit {
    var cells: ContiguousArray<Cell?> = []
    let watches = state.withLock { state in
      swap(&cells, &state.cells)
      return state.watches
    }
    for watch in watches.values { watch.finish() }
    while let cell = cells.popLast() { ReleaseQueue.release(cell) }
  }

  static func key(of definition: AnyAtomDefinition) -> UInt { UInt(bitPattern: ObjectIdentifier(definition)) }

  // MARK: Nodes

  /// The cell of an atom, without a reference to it, or `nil` if there is none or another thread moves it.
  ///
  /// The graph holds the cell until the definition removes it, so the cell exists as long as the caller has the atom.
  @inline(__always)  // HP13
  func find(_ definition: AnyAtomDefinition) -> Unretained<Cell>? {
    Unretained(address: table.find(Self.key(of: definition)))
  }

  /// The cell of an atom, which is created if necessary.
  func cell(of definition: AnyAtomDefinition) -> Cell {
    if let cell = find(definition) { return cell.retained }
    let new = definition.makeCell()
    let (cell, mustDeliver) = state.withLockBackingOff { state in
      (add(new, definition, &state), beginDelivery(&state))
    }
    // Closures added with `onUpdate(skip:)` receive the first value before the caller changes it.
    if mustDeliver { deliver() }
    return cell
  }

  /// Adds a new cell, or returns the one that another thread has added.
  private func add(_ cell: Cell, _ definition: AnyAtomDefinition, _ state: inout GraphState) -> Cell {
    if let cell = find(definition) { return cell.retained }
    let node = state.logic.add(isSource: cell.isSource)
    cell.join(node, state.logic.validity(node))
    state.add(cell)
    table.insert(Self.key(of: definition), Unretained(cell).address)
    for handler in definition.join(self) { addWatcher(handler, cell, &state) }
    return cell
  }

  /// Removes the node of an atom that is gone.
  func remove(_ key: UInt) {
    var removed: Cell?
    let evaluation = Evaluation.current(in: self)
    let (watch, unused, mustDeliver) = state.withLockBackingOff { state -> (Watch?, Unused, Bool) in
      // Under the lock, the graph holds the cell.
      guard let cell = Unretained<Cell>(address: table.find(key))?.retained else { return (nil, Unused(), false) }
      table.remove(key)
      let watch = state.watches.removeValue(forKey: cell.node)
      evaluation?.noteInputs(&state)
      let former = state.logic.revision
      let (isUnseen, values) = state.logic.remove(cell.node)
      let unused = Unused(
        values: values, applier: state.appliers.remove(cell.node),
        injections: state.injections.removeValue(forKey: cell.node))
      if state.logic.revision > former { publishRevision(&state) }
      if isUnseen { _ = state.remove(cell.node) }
      removed = cell
      return (watch, unused, beginDelivery(&state))
    }
    watch?.finish()
    withExtendedLifetime(unused) {}
    if let node = removed?.node { evaluation?.appliers.forget(node) }
    // The queue gets the last reference.
    ReleaseQueue.release(removed.take())
    if mustDeliver { deliver() }
  }

  /// What a removed node leaves behind, to release without the lock.
  private struct Unused: Sendable {
    var values: [AnyPublished] = []
    var applier: Appliers.Applier?
    var injections: Injections?
  }

  /// Makes the newest revision visible, after the cells that it affects have become invalid.
  func publishRevision(_ state: inout GraphState) {
    for node in state.logic.marked { state.cell(node).invalidate(at: state.logic.revision) }
    revision.store(state.logic.revision, ordering: .releasing)
  }

  // MARK: Evaluations

  /// Runs a closure in a new evaluation, and ends it.
  func evaluate<Result, Failure: Error>(
    _ logic: EvaluationStateMachine<AnyPublished>, _ body: (Evaluation) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let evaluation = Evaluation(self, logic)
    defer { end(evaluation) }
    return try evaluation.run { () throws(Failure) -> Result in try body(evaluation) }
  }

  /// Ends an evaluation, and delivers what it has created.
  ///
  /// Inside another evaluation, that one delivers when it ends.
  func end(_ evaluation: Evaluation) {
    var cells: [Cell] = []
    let (unseen, mustDeliver) = state.withLockBackingOff { state in
      let unseen = state.logic.end(evaluation.logic)
      cells = unseen.nodes.compactMap { state.remove($0) }
      return (unseen, beginDelivery(&state))
    }
    withExtendedLifetime(unseen) {}
    while !cells.isEmpty { ReleaseQueue.release(cells.removeLast()) }
    if mustDeliver { deliver() }
  }

  // MARK: Reading

  /// Copies an atom's value to uninitialized memory if it is up to date, without the graph's lock.
  ///
  /// Called outside the graph's evaluations.
  func readIfClean(_ definition: AnyAtomDefinition, to destination: ValueSlot) -> Bool {
    let revision = revision.load(ordering: .acquiring)
    return find(definition)?.with { $0.copyIfValid(at: revision, to: destination) } ?? false
  }

  /// Copies an atom's value to uninitialized memory.
  ///
  /// Called outside the graph's evaluations.
  func read(_ definition: AnyAtomDefinition, to destination: ValueSlot) {
    let cell = cell(of: definition)
    let (logic, mustDeliver) = state.withLockBackingOff { state -> (EvaluationStateMachine<AnyPublished>?, Bool) in
      let mustDeliver = beginDelivery(&state)
      if state.logic[cell.node].isValid(at: state.logic.revision) {
        _ = cell.copy(state.logic.validity(cell.node), to: destination, for: 0)
        return (nil, mustDeliver)
      }
      return (state.logic.begin(), mustDeliver)
    }
    if let logic { evaluate(logic) { $0.read(cell, to: destination) } }
    if mustDeliver { deliver() }
  }

  /// Runs a closure whose reads all see one revision.
  func snapshot<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    let logic = state.withLockBackingOff { $0.logic.begin() }
    return try evaluate(logic) { (_: Evaluation) throws(Failure) -> Result in try body() }
  }
}

/// What the lock of a graph protects.
struct GraphState: Sendable {
  var logic = GraphStateMachine<AnyPublished>()
  var cells: ContiguousArray<Cell?> = []
  var watches: [NodeID: Watch] = [:]
  /// The number of the last derivation that ran.
  var lastRun: UInt64 = 0
  var lastWatcher = 0
  var log: ChangeLog?
  var appliers = Appliers()
  var injections: [NodeID: Injections] = [:]
  /// The number of times that a transaction ran again.
  var repeats = 0

  /// All cells whose atoms exist.
  var allCells: [Cell] { cells.compactMap { cell in cell.flatMap { logic[$0.node].isRemoved ? nil : $0 } } }

  /// The cells of the atoms that users know.
  var visibleCells: [Cell] { allCells.filter { !$0.definition.isHidden } }

  func label(of node: NodeID) -> String {
    // Safe: under the lock, definitions exist whose nodes are in the graph.
    logic[node].isRemoved ? "a released atom" : cell(node).definition.label
  }

  /// Numbers a derivation that is about to run.
  mutating func newRun(_ node: NodeID, at revision: Revision) -> Evaluation.Run {
    lastRun += 1
    return Evaluation.Run(
      number: lastRun, equality: cell(node).equality,
      formula: injections.isEmpty ? nil : injections[node]?.injection(at: revision)?.formula)
  }

  func cell(_ node: NodeID) -> Cell {
    guard let cell = cells[Int(node.index)] else { preconditionFailure("Atoms: a released atom was used.") }
    return cell
  }

  mutating func add(_ cell: Cell) {
    let index = Int(cell.node.index)
    if index < cells.count { cells[index] = cell } else { cells.append(cell) }
  }

  mutating func remove(_ node: NodeID) -> Cell? { cells[Int(node.index)].take() }
}
