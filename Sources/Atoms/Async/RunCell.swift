import ActorStore
import Synchronization

/// A cell whose runs set its value.
final class RunCell: TypedCell<RunValue>, @unchecked Sendable {
  // Invariant: `run`, `paces`, `elapsed`, and `waiting` are accessed under the graph's lock.
  //
  // Between the claim of the node and the publication of a run, no user code runs, not even the clock. So threads that
  // find the claim do not wait for long.

  /// The newest run, until it ends.
  var run: Run?
  /// The paces of the dependencies whose changes count with a delay.
  var paces: [NodeID: Pace] = [:]
  /// Measures the time since the last operation began, if there is a pace.
  private var elapsed: (@Sendable () -> Duration)?
  /// The tasks that wait for a result.
  var waiting = WaitingTasks()
  /// The number of the last task that waited.
  let lastWaiting = Atomic<UInt64>(0)
  // The cell has its own reference, because the atom can go while the closure runs.
  private let operation: Run.Operation

  /// Whether runs may end by themselves.
  private let mayEnd: Bool

  init(_ definition: AnyAtomDefinition, _ operation: @escaping Run.Operation, mayEnd: Bool) {
    self.operation = operation
    self.mayEnd = mayEnd
    super.init(definition, nil)
  }

  /// The graph, which may be gone, because a run that waits for a result does not keep it alive.
  private(set) var graph: GraphReference?

  override func note(_ graph: Graph) { self.graph = graph.reference }

  override var isRun: Bool { true }

  override var hasResult: Bool { !isLoading }

  override var hasRunToEnd: Bool { run != nil && mayEnd }

  override func takeRun() -> AnyRun? { run.take() }

  override func interruptWaiting(_ state: inout GraphState) -> (@Sendable () -> Void)? {
    takeWaiting(&state).map { waiting in { @Sendable in waiting.resume(with: .changed) } }
  }

  override func cancelWaiting() {
    let former = waiting
    waiting = WaitingTasks()
    former.resume(with: .canceled)
  }

  /// Whether the value is that of a run that has not ended, under the graph's lock.
  var isLoading: Bool { knownValue?.isLoading ?? true }

  /// Replaces the newest run with a new one, and returns both.
  func newRun(in graph: Graph, after pauses: [Pace] = [], _ state: GraphState) -> Runs {
    let new = Run(graph, self, after: pauses.isEmpty ? nil : Delay(paces: pauses, elapsed: elapsed), operation)
    if state.hasEnded { new.cancel() }
    var runs = Runs(exchange: RunExchange(former: state.logic.has(.keepFormerRun) ? nil : run, new: new))
    run = new
    if pauses.isEmpty { runs.elapsed = elapsed.take() }
    return runs
  }

  // MARK: Delays

  /// Notes how much later a change of a dependency counts.
  ///
  /// If the run also reads it without a delay, it counts at once.
  func note(_ timed: TimedPace?, for read: NodeID, _ state: GraphState) {
    let pace = timed?.pace
    if pace == nil, paces.isEmpty { return }
    if elapsed == nil { elapsed = timed?.elapsed }
    let record = state.logic[node]
    let isKnown = record.reads.contains { record.dependencies[$0].node == read }
    if !isKnown || pace == nil || paces[read] != nil { paces[read] = pace }
  }

  /// The reads of the former run and the paces of the changed reads, both empty if the next run begins at once.
  ///
  /// The result omits reads that are not up to date, because the next run might not need those atoms.
  private func delayedReads(
    _ evaluation: Evaluation, _ state: GraphState
  ) -> (paces: [Pace], reads: [(node: NodeID, version: Version)]) {
    if paces.isEmpty { return ([], []) }
    var (changed, reads): ([Pace], [(node: NodeID, version: Version)]) = ([], [])
    let record = state.logic[node]
    for index in record.reads {
      let dependency = record.dependencies[index]
      if dependency.node == .none { return ([], []) }
      guard let version = state.logic.find(dependency.node, for: evaluation.logic)?.stamp.version else { continue }
      reads.append((dependency.node, version))
      if version == dependency.version { continue }
      guard let pace = paces[dependency.node] else { return ([], []) }
      changed.append(pace)
    }
    return (changed, changed.isEmpty ? [] : reads)
  }

  /// After the delay of a run, forgets the reads of the former run, and returns whether the delayed run is still the
  /// newest.
  func begin(_ run: Run, in graph: Graph) -> Bool {
    let stopwatch = graph.clock.stopwatch()
    while true {
      var former: (@Sendable () -> Duration)?
      let isNewest = graph.state.withLockBackingOff { state -> Bool? in
        // An evaluation that holds the claim has found a change and is about to replace the run.
        guard self.run === run, state.logic[node].claim == .none else { return false }
        guard state.logic.canSet(node) else { return nil }
        if !state.logic[node].reads.isEmpty {
          state.logic.restart(node)
          keepValue(state.logic.validity(node))
        }
        former = elapsed
        (paces, elapsed) = ([:], stopwatch)
        return true
      }
      withExtendedLifetime(former) {}
      if let isNewest { return isNewest }
      // If a dependency has changed meanwhile, another run waits.
      graph.read(self)
    }
  }

  // MARK: Starting

  /// Starts a run.
  override func compute(in evaluation: Evaluation) {
    let graph = evaluation.graph
    var (runs, unused) = (Runs(), Unused())
    graph.state.withLockBackingOff { state in
      let isUnchanged = hasValue && (isLoading || state.logic.has(.loadLate))
      let loading = knownValue?.loading ?? RunValue()
      let end = state.logic[node].dirtyAt
      let old = state.logic.mustKeep(node, until: end) ? makeBox() : nil
      let delayed = evaluation.logic.isPrivate ? ([], []) : delayedReads(evaluation, state)
      guard !evaluation.logic.isPrivate,
        let values = state.logic.publishRun(&evaluation.logic, isUnchanged: isUnchanged, old: old)
      else {
        unused.own = state.logic.keep(Published(loading), &evaluation.logic)
        return
      }
      runs = newRun(in: graph, after: delayed.0, state)
      if delayed.0.isEmpty { paces = [:] }
      // Until the operation begins, further changes of these dependencies restart the wait.
      for read in delayed.1 { _ = state.logic.addRead(of: read.node, read.version, by: node) }
      if !delayed.0.isEmpty { state.logic.settle(node, after: evaluation.logic.revision) }
      unused.values = values
      if isUnchanged {
        keepValue(state.logic.validity(node))
      } else {
        unused.former = exchange(state.logic.validity(node), with: loading)
      }
    }
    if runs.exchange.new != nil { evaluation.exchanges.append(runs.exchange) }
    withExtendedLifetime((runs, unused)) {}
  }

  /// The leftovers of an evaluation, to release without the lock.
  private struct Unused: Sendable {
    var own: EvaluationStateMachine<AnyPublished>.Own?
    var values: [AnyPublished] = []
    var former: RunValue?
  }

  /// The exchange of two runs, and the stopwatch of the former one.
  struct Runs: Sendable {
    var exchange = RunExchange()
    /// Measures the time since the former run began.
    ///
    /// Its release can run the user's code.
    var elapsed: (@Sendable () -> Duration)?
  }
}
