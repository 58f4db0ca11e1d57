import ActorStore

/// What the lock of a graph protects.
struct GraphState: Sendable {
  // Every section reads `directSets`, and every locked set reads `signals` and `logic`, so they are near the lock.

  var directSets = DirectSets()
  /// Streams that get an element after each revision.
  var signals: [Int: AsyncStream<Void>.Continuation] = [:]
  /// Closures to call when the test of this store ends.
  var endings: [Int: @Sendable () -> Void] = [:]
  var logic = GraphStateMachine<AnyPublished>()
  /// The cells, which the graph holds.
  ///
  /// In many places, counting another reference would take too long.
  private var cells = SegmentedArray<Unretained<Cell>?>()
  /// The watchers, to which their cells have pointers.
  private(set) var watches: [NodeID: Watch] = [:]
  /// Ended evaluations to reuse.
  ///
  /// They retain the graph, so the list is empty while the graph has no handle.
  private var spareEvaluations = Stack<Unretained<Evaluation>>()
  /// The number of the last derivation that ran.
  var lastRun: UInt64 = 0
  var lastWatcher = 0
  var log: ChangeLog?
  var setters = Setters()
  var members = Members<MemberHolder>()
  /// The results that runs wait for.
  var waits = RunWaits<AnyRun>()
  /// The newest countdowns of atoms, which may have ended early because another use has begun.
  var countdowns: [NodeID: Countdown] = [:]
  /// The nodes of atoms about whose resets the store has warned.
  var warned: Set<NodeID> = []
  /// The number of runs that pin a revision.
  var pinnedRuns = 0
  /// The steps that the graph has seen of its sources.
  var sources = SourceSteps()
  var injections: [NodeID: Injections] = [:]
  /// The derivations that follow observable objects.
  var looks = ObjectLooks()
  /// The nodes with former injections.
  var formerInjections: Set<NodeID> = []
  /// The number of times that a transaction ran again.
  var repeats = 0
  /// What the graph has recorded, for tests.
  var readVersions: [NodeID: Version] = [:]
  /// Whether runs no longer start, because the test of this store has ended.
  var hasEnded = false
  private var handleCount = 0
  /// Whether a revision has begun since the last signal.
  var mustSignal = false

  /// All cells whose atoms exist.
  var allCells: [Cell] {
    cells.compactMap { held in
      guard let cell = held?.retained else { return nil }
      return logic[cell.node].isRemoved ? nil : cell
    }
  }

  /// The cells of the atoms that users know.
  var visibleCells: [Cell] { allCells.filter { !$0.definition.isHidden } }

  func label(of node: NodeID) -> String {
    // Safe: under the lock, definitions exist whose nodes are in the graph.
    logic[node].isRemoved ? "a released atom" : cell(node).definition.label
  }

  /// Begins an evaluation that reads, in a spare object, or returns `nil` if there is none.
  ///
  /// The caller gets the reference to the object.
  @inline(__always)  // HP19
  mutating func restartEvaluation() -> Unretained<Evaluation>? {
    guard let evaluation = spareEvaluations.popLast() else { return nil }
    evaluation.with { logic.restart(&$0.logic) }
    return evaluation
  }

  /// Begins an evaluation that reads at a revision that is already pinned, in a spare object, or returns `nil` if there
  /// is none.
  ///
  /// The caller gets the reference to the object.
  mutating func restartEvaluation(at revision: Revision) -> Unretained<Evaluation>? {
    guard let evaluation = spareEvaluations.popLast() else { return nil }
    evaluation.with { $0.logic.restart(at: revision) }
    return evaluation
  }

  /// Whether the graph can keep another ended evaluation for reuse.
  @inline(__always)  // HP19
  var canKeepEvaluation: Bool { spareEvaluations.count < Self.maxSpareCount && handleCount > 0 }

  /// Keeps an ended evaluation for reuse, and consumes the caller's reference to it.
  @inline(__always)  // HP19
  mutating func keepToRestart(_ evaluation: Unretained<Evaluation>) { spareEvaluations.append(evaluation) }

  private static var maxSpareCount: Int { 4 }

  mutating func addHandle() { handleCount += 1 }

  /// Removes a handle, and returns the spare evaluations if it was the last handle.
  ///
  /// The caller releases them without the lock.
  mutating func removeHandle() -> [Evaluation] {
    handleCount -= 1
    if handleCount > 0 { return [] }
    defer { spareEvaluations.removeAll(from: 0) }
    return spareEvaluations.map {
      let evaluation = $0.release()
      logic.vacate(evaluation.logic.id)
      return evaluation
    }
  }

  /// Numbers a derivation that is about to run.
  mutating func newRun() -> UInt64 {
    lastRun += 1
    return lastRun
  }

  /// The closure that computes an atom at a revision in place of its own.
  func injectedFormula(_ node: NodeID, at revision: Revision) -> Formula? {
    if logic.forgetsInjection(of: node) { return nil }
    return injections[node]?.injection(at: revision)?.formula
  }

  /// The watchers of an atom, or `nil` if there are none.
  @inline(__always)  // HP19
  func watch(_ node: NodeID) -> Watch? { watched(node)?.watch.retained }

  /// The cell of a node and its watchers, or `nil` if there are none.
  @inline(__always)  // HP19
  func watched(_ node: NodeID) -> (cell: Unretained<Cell>, watch: Unretained<Watch>)? {
    guard let cell = cells[Int(node.index)], let watch = cell.with({ $0.watch }) else { return nil }
    return (cell, watch)
  }

  /// The version of the value that the watchers of an atom got last, or `nil` if there are no watchers.
  @inline(__always)  // HP19
  func deliveredVersion(_ node: NodeID) -> Version? { watched(node)?.watch.with { $0.version } }

  /// Returns the watchers of an atom, in a new, empty object if there were none.
  mutating func makeWatch(_ cell: Cell) -> Watch {
    if let known = watches[cell.node] { return known }
    let new = Watch()
    watches[cell.node] = new
    cell.watch = Unretained(new)
    return new
  }

  /// Forgets the watchers of an atom, and returns them.
  mutating func removeWatch(_ cell: Cell) -> Watch? {
    cell.watch = nil
    return watches.removeValue(forKey: cell.node)
  }

  func cell(_ node: NodeID) -> Cell { unretainedCell(node).retained }

  /// The cell of a node, which the graph holds until the last pin that sees the node.
  @inline(__always)  // HP13
  func unretainedCell(_ node: NodeID) -> Unretained<Cell> {
    guard let cell = cells[Int(node.index)] else {
      preconditionFailure("Atoms: a released atom was used. This is a bug in Atoms.")
    }
    return cell
  }

  /// Whether the atom of a cell exists.
  func has(_ cell: Cell) -> Bool {
    !logic[cell.node].isRemoved && cells[Int(cell.node.index)]?.retained === cell
  }

  mutating func add(_ cell: Cell) {
    let index = Int(cell.node.index)
    makeRoom(for: cell.node)
    cells[index] = Unretained(holding: cell)
  }

  /// Adds an empty place for the cell of a new node.
  ///
  /// Setters have nodes without cells, but also places, so that no cell needs more than one new place.
  mutating func makeRoom(for node: NodeID) { if Int(node.index) == cells.count { cells.append(nil) } }

  /// Takes all cells, which the caller releases without the lock.
  mutating func takeCells() -> SegmentedArray<Unretained<Cell>?> {
    defer { cells = SegmentedArray() }
    return cells
  }

  mutating func remove(_ node: NodeID) -> Cell? {
    looks.forget(node)
    return cells[Int(node.index)].take()?.release()
  }
}
