import ActorStore
import Synchronization

/// A cell whose runs set its value.
final class RunCell: TypedCell<RunValue, RunValue?>, @unchecked Sendable {
  // Invariant: `run`, `pacing`, and `waiting` are accessed under the graph's lock.
  //
  // Between the claim of the node and the publication of a run, no user code runs, not even the clock. So threads that
  // find the claim do not wait for long.

  /// The newest run, until it ends.
  @safe @exclusivity(unchecked) var run: Run?
  /// Which changes of the dependencies count later.
  @safe @exclusivity(unchecked) var pacing = Pacing()
  /// The tasks that wait for a result.
  @safe @exclusivity(unchecked) var waiting = WaitingTasks()
  /// The number of the last task that waited.
  let lastWaiting = Atomic<UInt64>(0)
  // The cell has its own reference, because the atom can go while the closure runs.
  private let operation: Run.Operation

  /// Whether runs may end by themselves.
  private let mayEnd: Bool

  init(_ definition: AnyAtomDefinition, _ operation: @escaping Run.Operation, mayEnd: Bool) {
    self.operation = operation
    self.mayEnd = mayEnd
    super.init(definition, nil, nil, storage: nil)
  }

  /// The graph, which may be gone, because a run that waits for a result does not keep it alive.
  private(set) var graph: GraphReference?

  override func note(_ graph: Graph) { self.graph = graph.reference }

  override var isRun: Bool { true }

  override var hasResult: Bool { !isLoading }

  override func resultNumber(of value: AnyPublished) -> Version? { value.value(as: RunValue.self).resultNumber }

  override var hasRunToEnd: Bool { run != nil && mayEnd && !pacing.waitsForever }

  override func takeRun() -> AnyRun? {
    pacing.endWait()
    return run.take()
  }

  override func interruptWaiting(_ state: inout GraphState) -> (@Sendable () -> Void)? {
    takeWaiting(&state).map { waiting in { @Sendable in waiting.resume(with: .changed) } }
  }

  override func assign(
    _ new: AnyPublished, _ unseen: inout [AnyPublished], _ state: inout GraphState
  ) -> (@Sendable () -> Void)? {
    setByHand(new, &unseen, &state)
  }

  override func cancelWaiting() {
    let former = waiting
    waiting = WaitingTasks()
    former.resume(with: .canceled)
  }

  /// Whether the value is that of a run that has not ended, under the graph's lock.
  var isLoading: Bool { withKnownValue { $0.isLoading } ?? true }

  /// Replaces the newest run with a new one, and returns both.
  ///
  /// The state is `inout` only to keep the compiler from copying it.
  func newRun(in graph: Graph, isDelayed: Bool = false, _ state: inout GraphState) -> RunExchange {
    let new = Run(graph, self, isDelayed: isDelayed, operation)
    if state.hasEnded { new.cancel() }
    defer { run = new }
    if !isDelayed { pacing = Pacing() }
    return RunExchange(former: state.logic.has(.keepFormerRun) ? nil : run, new: new)
  }

  // MARK: Delays

  /// Notes how much later a change of a dependency counts.
  ///
  /// The state is `inout` only to keep the compiler from copying it.
  func note(_ timed: TimedPace?, for read: NodeID, _ state: inout GraphState) {
    if timed == nil, pacing.isEmpty { return }
    let record = state.logic[node]
    pacing.note(timed, for: read, isKnown: record.reads.contains { record.dependencies[$0].node == read })
  }

  /// The reads of the former run, and the changed ones among them, or `nil` if the next run begins at once.
  ///
  /// The result omits reads that are not up to date, because the next run might not need those atoms.
  private func delayedReads(_ evaluation: Evaluation, _ state: inout GraphState) -> DelayedReads? {
    if pacing.isEmpty || evaluation.logic.frame.isPrivate { return nil }
    var delayed = DelayedReads()
    let record = state.logic[node]
    for index in record.reads {
      let dependency = record.dependencies[index]
      if dependency.node == .none { return nil }
      guard let stamp = state.logic.find(dependency.node, for: evaluation.logic)?.stamp else { continue }
      delayed.all.append((dependency.node, stamp.version))
      if state.logic.isUnchanged(index, of: node, stamp, for: evaluation.logic) { continue }
      if pacing[dependency.node] == nil { return nil }
      delayed.changed.append(dependency.node)
    }
    return delayed.changed.isEmpty ? nil : delayed
  }

  private struct DelayedReads {
    var all: [(node: NodeID, version: Version)] = []
    var changed: [NodeID] = []
  }

  /// When a delayed run begins, or `nil` if it is no longer the newest.
  func due(of run: Run, in graph: Graph) -> Due? {
    graph.state.withLockBackingOff { _ in self.run === run ? pacing.due : nil }
  }

  /// After the delay of a run, forgets the reads of the former run, and returns whether the delayed run is still the
  /// newest.
  func begin(_ run: Run, in graph: Graph) -> Bool {
    let now = graph.clock.now
    while true {
      let isNewest = graph.state.withLockBackingOff { state -> Bool? in
        // An evaluation that holds the claim has found a change and is about to replace the run.
        guard self.run === run, state.logic[node].claim == .none else { return false }
        guard state.logic.canSet(node) else { return nil }
        if !state.logic[node].reads.isEmpty {
          state.logic.restart(node)
          keepValue(state.logic.validity(node))
        }
        pacing = Pacing(begun: now)
        return true
      }
      if let isNewest { return isNewest }
      // If a dependency has changed meanwhile, another run waits.
      graph.read(self)
    }
  }

  // MARK: Starting

  /// Starts a run.
  override func compute(in evaluation: Evaluation) {
    let graph = evaluation.graph
    var (exchange, unused) = (RunExchange(), Unused())
    let isDelayed = graph.state.withLockBackingOff { state -> Bool in
      let isUnchanged = hasValue && (isLoading || state.logic.has(.loadLate))
      let loading = withKnownValue { $0.loading } ?? RunValue()
      let end = state.logic[node].dirtyAt
      let old = state.logic.mustKeep(node, until: end) ? makeBox() : nil
      let delayed = delayedReads(evaluation, &state)
      guard !evaluation.logic.frame.isPrivate,
        state.logic.publishRun(&evaluation.logic, isUnchanged: isUnchanged, old: old)
      else {
        unused.own = state.logic.keep(Published(loading), &evaluation.logic)
        return false
      }
      exchange = newRun(in: graph, isDelayed: delayed != nil, &state)
      if let delayed {
        pacing.notice(delayed.changed)
        // Until the operation begins, further changes of these dependencies restart the wait.
        for read in delayed.all { _ = state.logic.addRead(of: read.node, read.version, by: node) }
        state.logic.settle(node, after: evaluation.logic.revision)
      }
      if isUnchanged {
        keepValue(state.logic.validity(node))
      } else {
        unused.former = self.exchange(state.logic.validity(node), with: loading)
      }
      return delayed != nil
    }
    if isDelayed {
      // The delay begins here, and not when the run's task starts.
      let now = Evaluation.setAside { graph.clock.now }
      graph.state.withLockBackingOff { _ in pacing.addTime(now) }
    }
    if exchange.new != nil { evaluation.exchanges.append(exchange) }
    // The release can run user code, which must not become a part of the derivation.
    Evaluation.outside { unused.release() }
  }

  /// The leftovers of an evaluation, to release without the lock.
  private struct Unused: Sendable {
    var own: EvaluationStateMachine<AnyPublished>.Own?
    var former: RunValue?

    mutating func release() { self = Unused() }
  }
}
