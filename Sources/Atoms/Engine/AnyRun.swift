import ActorStore

/// One run of an asynchronous atom in one graph.
///
/// It reads atoms at one revision, which moves on to the newest one as long as no dependency has changed.
class AnyRun: TaskSelection, WaitingRun, @unchecked Sendable {
  // Invariant: `pin`, `readers`, `waiting`, and `hasEndedReading` are accessed under the graph's lock.

  let graph: GraphReference
  /// The cell with the value that the run sets.
  ///
  /// The run is the newest one as long as the cell has it.
  let cell: Cell
  /// The pinned revision, at which the run last read, or `nil` if the run has no pin.
  @safe @exclusivity(unchecked) private final var pin: Revision?
  /// The number of child tasks that are reading at the pinned revision.
  ///
  /// While they read, the run does not move on, because their reads do not count as dependencies yet.
  @safe @exclusivity(unchecked) private final var readers = 0
  /// The child tasks that wait until no other one reads.
  @safe @exclusivity(unchecked) private final var waiting: [Parked<Bool>] = []
  /// Whether later reads do not belong to the run.
  @safe @exclusivity(unchecked) private final var hasEndedReading = false

  init(_ graph: Graph, _ cell: Cell) {
    self.graph = graph.reference
    self.cell = cell
  }

  /// The owner of the graph, or of a replacement, because a run does not keep its graph alive.
  override final var handle: GraphHandle { graph.handleOrReplacement }
  override final var run: AnyRun? { self }

  final var node: NodeID { cell.node }

  /// Whether the cell has this run, under the graph's lock.
  func isNewest() -> Bool { abstract() }

  /// Notes how much later a change of a dependency counts, under the graph's lock.
  ///
  /// The state is `inout` only to keep the compiler from copying it.
  func note(_ pace: TimedPace?, for node: NodeID, _ state: inout GraphState) { abstract() }

  func start() { abstract() }
  func cancel() { abstract() }

  private func abstract() -> Never {
    preconditionFailure("Atoms: an abstract method was called. This is a bug in Atoms.")
  }
}

/// A former run, and the run that replaces it.
struct RunExchange: Sendable {
  var former: AnyRun?
  var new: AnyRun?

  /// Cancels the former run and starts the new one, outside evaluations, because both can run the user's code.
  func callAsFunction() {
    Evaluation.setAside {
      former?.cancel()
      new?.start()
    }
  }
}

extension AnyRun {
  /// The run to which a read on the current thread belongs.
  static func current(in graph: Graph) -> AnyRun? {
    SelectedGraph.run.flatMap { $0.isCurrent(in: graph) ? $0 : nil }
  }

  /// Whether a read on the current thread belongs to this run, which the current task must have selected.
  final func isCurrent(in graph: Graph) -> Bool { self.graph === graph.reference && CurrentThread.isPlain }

  /// Copies the value that the run sees to uninitialized memory.
  func read(
    _ definition: AnyAtomDefinition, in graph: Graph, to destination: ValueSlot, isTracking: Bool = true,
    _ pace: Pace? = nil
  ) {
    graph.point()
    let cell = graph.cell(of: definition)
    defer { graph.note("reads", cell, ":", destination) }
    let pace = pace.map { TimedPace(pace: $0, time: graph.clock.now) }
    if isTracking, readIfValid(cell, in: graph, to: destination, pace) { return }
    evaluate(in: graph, isTracking: isTracking, pace) { $0.read(cell, to: destination) }
  }

  /// Copies a value and makes it a dependency, if the value and the run are up to date.
  private func readIfValid(
    _ read: Cell, in graph: Graph, to destination: ValueSlot, _ pace: TimedPace?
  ) -> Bool {
    if graph.isRecording { return false }
    return graph.state.withLockBackingOff(briefly: true) { state in
      guard !hasEndedReading, isNewest(), state.logic.isClean(cell.node), state.logic.isClean(read.node),
        state.logic[read.node].isSource || !state.logic.leads(from: read.node, to: node)
      else { return false }
      if let pin, pin != state.logic.revision { return false }
      if pin == nil { beginPin(&state) }
      note(pace, for: read.node, &state)
      if !state.logic.has(.loseRestart) {
        _ = state.logic.addRead(of: read.node, state.logic[read.node].version, by: cell.node)
      }
      graph.hold(read, &state)
      read.copy(state.logic.validity(read.node), to: destination)
      return true
    }
  }

  /// Runs a closure with an evaluation whose reads all see the revision of the run.
  ///
  /// - Parameters:
  ///   - graph: The graph of the run.
  ///   - isTracking: Whether the reads become dependencies.
  ///   - pace: How much later a change of them counts.
  ///   - body: The closure.
  func evaluate<Result, Failure: Error>(
    in graph: Graph, isTracking: Bool, _ pace: TimedPace? = nil, _ body: (Evaluation) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    while true {
      let (logic, start) = graph.state.withLockBackingOff { beginReading(in: graph, &$0) }
      if let result = try evaluate(logic, start, in: graph, isTracking: isTracking, pace, body) { return result }
    }
  }

  /// The outcome of a read at the newest revision.
  enum NewestRead<Result: Sendable>: Sendable {
    case done(Result)
    /// The reads of the run do not count, because a newer run exists or because this run makes no more reads.
    case replaced
    /// The caller must wait, because another thread is reading for the run or bringing it up to date.
    case busy
  }

  /// Runs a closure with an evaluation whose reads see the newest revision and become dependencies.
  func evaluateAtNewest<Result: Sendable>(in graph: Graph, _ body: (Evaluation) -> Result) -> NewestRead<Result> {
    while true {
      let begun = graph.state.withLockBackingOff { state -> NewestRead<EvaluationStateMachine<AnyPublished>> in
        if hasEndedReading || !isNewest() { return .replaced }
        if readers > 0 || state.logic[cell.node].claim != .none { return .busy }
        return .done(graph.begin(&state))
      }
      switch begun {
      case .replaced: return .replaced
      case .busy: return .busy
      case .done(let logic):
        if let result = evaluate(logic, .newest, in: graph, isTracking: true, nil, body) { return .done(result) }
      }
    }
  }

  /// Runs a closure with an evaluation, or returns `nil` if the run cannot move on to the newest revision.
  private func evaluate<Result, Failure: Error>(
    _ logic: EvaluationStateMachine<AnyPublished>, _ start: Start, in graph: Graph, isTracking: Bool,
    _ pace: TimedPace?, _ body: (Evaluation) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    try graph.evaluate(logic) { evaluation throws(Failure) -> Result? in
      switch start {
      case .alone:
        return try body(evaluation)
      case .newest:
        // If a dependency has changed, this starts another run.
        _ = evaluation.box(cell)
        if !move(to: evaluation) { return nil }
      case .joined:
        break
      }
      if isTracking { evaluation.logic.topReads = [] }
      defer { noteReads(evaluation, isTracking: isTracking, pace) }
      return try body(evaluation)
    }
  }

  /// How a read of the run begins.
  private enum Start {
    /// The read uses the newest revision. The run moves on to that revision unless a dependency has changed.
    case newest
    /// The read uses the revision of the run, because another child task is reading at that revision.
    case joined
    /// The read uses the revision of the run, or the newest one if the run has none. It creates no dependency.
    case alone
  }

  /// Begins an evaluation for a read.
  private func beginReading(
    in graph: Graph, _ state: inout GraphState
  ) -> (EvaluationStateMachine<AnyPublished>, Start) {
    // An evaluation that holds the claim has found a change and is about to replace the run.
    if hasEndedReading || !isNewest() || state.logic[cell.node].claim != .none {
      if pin == nil, !hasEndedReading { beginPin(&state) }
      return (pin.map { state.logic.begin(besidePinOf: $0) } ?? graph.begin(&state), .alone)
    }
    guard readers > 0, let pin else { return (graph.begin(&state), .newest) }
    readers += 1
    return (state.logic.begin(besidePinOf: pin), .joined)
  }

  /// Pins the newest revision.
  private func beginPin(_ state: inout GraphState) {
    state.pinnedRuns += 1
    pin = state.logic.pin()
  }

  /// Moves the run on to the revision of an evaluation, if everything that the run has read is unchanged at that
  /// revision.
  ///
  /// Returns `false`, and changes nothing, if that is uncertain.
  private func move(to evaluation: Evaluation) -> Bool {
    var (isDone, unpinned) = evaluation.graph.state.withLockBackingOff { state -> (Bool, Graph.Unpinned?) in
      let revision = evaluation.logic.revision
      // If the evaluation has computed the node for itself, another evaluation replaces the run.
      guard isNewest(), !hasEndedReading, evaluation.logic.own[cell.node] == nil,
        state.logic[cell.node].isValid(at: revision)
      else { return (false, nil) }
      let former = pin
      // Another child task is reading at the pinned revision, or has read at a newer one.
      if let former, former != revision, readers > 0 || former > revision { return (false, nil) }
      readers += 1
      if former == revision { return (true, nil) }
      if former == nil { state.pinnedRuns += 1 }
      pin = state.logic.pin(revision)
      return (true, former.flatMap { evaluation.graph.unpin($0, &state) })
    }
    unpinned?.release()
    return isDone
  }

  /// Makes the reads of the run dependencies, if they count.
  private func noteReads(_ evaluation: Evaluation, isTracking: Bool, _ pace: TimedPace?) {
    let graph = evaluation.graph
    var cycle: [String]?
    var tasks: [Parked<Bool>] = []
    let mustDeliver = graph.state.withLockBackingOff { state -> Bool in
      readers -= 1
      if readers == 0, !waiting.isEmpty { swap(&tasks, &waiting) }
      var hasChanged = false
      if isNewest(), !hasEndedReading {
        // A test store also records reads that do not count.
        for node in isTracking ? evaluation.logic.topReads ?? [] : [] {
          if let path = state.logic.path(from: node, to: cell.node) {
            cycle = labels(ofCycle: path, state)
          }
          let version = state.logic.find(node, for: evaluation.logic)?.stamp.version ?? 0
          if state.logic.has(.loseRestart) { continue }
          note(pace, for: node, &state)
          // A value that was released during the read has no edges, so no change would reach the run through it.
          if state.logic.addRead(of: node, version, by: cell.node) || version == 0 { hasChanged = true }
        }
      }
      if isTracking, !graph.isRecording { evaluation.logic.topReads = nil }  // Otherwise, `end` notes them.
      if !hasChanged { return false }
      state.logic.advance()
      state.logic.change(cell.node)
      graph.publishRevision(&state)
      return graph.startDelivering(&state)
    }
    if let cycle { Evaluation.trapBecauseOfCycle(cycle) }
    if mustDeliver { graph.deliver() }
    // An executor can run a task inside this call.
    if !tasks.isEmpty { Evaluation.setAside { for task in tasks { task.resume(returning: true) } } }
  }

  /// Makes a child task wait until no other one reads, under the graph's lock.
  ///
  /// Returns `false`, and does nothing, if none reads.
  func waitForReads(_ task: Parked<Bool>) -> Bool {
    if readers > 0 { waiting.append(task) }
    return readers > 0
  }

  /// The labels of the atoms on a path from one of the run's reads to the run's own node.
  func labels(ofCycle path: [NodeID], _ state: GraphState) -> [String] {
    let nodes = path.filter { !state.logic[$0].isRemoved }.map { state.cell($0) }
    var labels = [state.label(of: cell.node)]
    // An asynchronous atom and its runs have the same label.
    for next in nodes where next.isRun || !next.definition.isHidden {
      let label = next.definition.label
      if label != labels[labels.count - 1] || next === cell && labels.count == 1 { labels.append(label) }
    }
    return labels
  }

  /// Ends the pin, because the run makes no more reads.
  func unpin(in graph: Graph) {
    var former = graph.state.withLockBackingOff { unpin(in: graph, &$0) }
    former?.release()
  }

  /// Ends the pin, and returns its leftovers, which the caller releases without the lock.
  func unpin(in graph: Graph, _ state: inout GraphState) -> Graph.Unpinned? {
    hasEndedReading = true
    guard let pin = pin.take() else { return nil }
    state.pinnedRuns -= 1
    return graph.unpin(pin, &state)
  }
}
