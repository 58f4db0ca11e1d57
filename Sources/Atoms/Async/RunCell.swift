import ActorStore

/// A cell whose value runs set.
final class RunCell<Success: Sendable>: TypedCell<RunValue<Success>>, @unchecked Sendable {
  // Invariant: `run`, `paces`, and `elapsed` are accessed under the graph's lock.

  /// The newest run, until it ends.
  private(set) var run: Run<Success>?
  /// How much later changes of the dependencies count, for those that do not count at once.
  private var paces: [NodeID: Pace] = [:]
  /// Measures the time since the last operation began.
  private var elapsed: (@Sendable () -> Duration)?
  // The cell has its own reference, because the atom can go while the closure runs.
  private let operation: Run<Success>.Operation

  init(_ definition: AnyAtomDefinition, _ operation: @escaping Run<Success>.Operation) {
    self.operation = operation
    super.init(definition, nil)
  }

  override var isRun: Bool { true }

  override var hasRun: Bool { run != nil }

  override func takeRun() -> AnyRun? { run.take() }

  /// The value, under the graph's lock.
  private var known: RunValue<Success>? { makeBox()?.value(as: RunValue<Success>.self) }

  /// Replaces the newest run with a new one, and returns both.
  private func newRun(
    in graph: Graph, after delay: Duration = .zero, _ state: GraphState
  ) -> (former: AnyRun?, new: AnyRun) {
    let former = state.logic.has(.keepFormerRun) ? nil : run
    let new = Run(graph, self, after: delay, operation)
    run = new
    return (former, new)
  }

  // MARK: Delays

  /// Notes how much later a change of a dependency counts.
  ///
  /// If the run also reads it without a delay, it counts at once.
  func note(_ pace: Pace?, for read: NodeID, _ state: GraphState) {
    let record = state.logic[node]
    let isKnown = record.dependencies.indices.contains { record.dependencies[$0].node == read }
    if !isKnown || pace == nil || paces[read] != nil { paces[read] = pace }
  }

  /// The reads of the former run, and the time that the next run waits because of their changes.
  private func delayedReads(
    _ evaluation: Evaluation, _ state: GraphState
  ) -> (delay: Duration, reads: [(node: NodeID, version: Version)]) {
    if paces.isEmpty { return (.zero, []) }
    var (delay, reads): (Duration, [(node: NodeID, version: Version)]) = (.zero, [])
    let record = state.logic[node]
    for index in record.dependencies.indices {
      let dependency = record.dependencies[index]
      if dependency.node == .none { return (.zero, []) }
      let version = state.logic.find(dependency.node, for: evaluation.logic)?.stamp.version ?? dependency.version
      reads.append((dependency.node, version))
      if version == dependency.version { continue }
      guard let pace = paces[dependency.node] else { return (.zero, []) }
      delay = max(delay, pace.delay(after: elapsed?()))
    }
    return (delay, delay > .zero ? reads : [])
  }

  /// Forgets the reads of the former run, and returns whether a run is still the newest one.
  func begin(_ run: Run<Success>, _ elapsed: @escaping @Sendable () -> Duration, in graph: Graph) -> Bool {
    while true {
      let isNewest = graph.state.withLockBackingOff { state -> Bool? in
        guard self.run === run else { return false }
        if state.logic[node].dependencies.isEmpty, state.logic.canSet(node) {
          self.elapsed = elapsed
          return true
        }
        guard state.logic.canSet(node) else { return nil }
        state.logic.restart(node)
        keepValue(state.logic.validity(node))
        (paces, self.elapsed) = ([:], elapsed)
        return true
      }
      if let isNewest { return isNewest }
      // If a dependency has changed meanwhile, another run waits.
      let logic = graph.state.withLockBackingOff { graph.begin(&$0) }
      graph.evaluate(logic) { _ = $0.box(self) }
    }
  }

  // MARK: Starting

  /// Starts a run.
  override func compute(in evaluation: Evaluation) {
    let graph = evaluation.graph
    let (runs, unused) = graph.state.withLockBackingOff { state -> (Runs, Unused) in
      let known = known
      let loading = Published(known?.loading ?? RunValue())
      let isUnchanged = known?.state.loading == true || known != nil && state.logic.has(.loadLate)
      let old = state.logic.mustKeep(node) ? makeBox() : nil
      let delayed = evaluation.logic.isPrivate ? (.zero, []) : delayedReads(evaluation, state)
      guard !evaluation.logic.isPrivate,
        let values = state.logic.publishRun(&evaluation.logic, isUnchanged: isUnchanged, old: old)
      else { return (Runs(), Unused(own: state.logic.keep(loading, &evaluation.logic))) }
      let (former, new) = newRun(in: graph, after: delayed.0, state)
      if delayed.1.isEmpty { paces = [:] }
      // Until the operation begins, further changes of these dependencies restart the wait.
      for read in delayed.1 { _ = state.logic.addRead(of: read.node, read.version, by: node) }
      if !delayed.1.isEmpty { state.logic.settle(node, after: evaluation.logic.revision) }
      var unused = Unused(values: values)
      if isUnchanged {
        keepValue(state.logic.validity(node))
      } else {
        unused.former = replace(state.logic.validity(node), with: loading)
      }
      return (Runs(former: former, new: new), unused)
    }
    runs.exchange()
    withExtendedLifetime(unused) {}
  }

  /// The leftovers of a change, which the caller releases without the lock.
  private struct Unused: Sendable {
    var own: EvaluationStateMachine<AnyPublished>.Own?
    var values: [AnyPublished] = []
    var former: AnyPublished?
    var released = Graph.Unused()
  }

  /// The run that another one replaces, and that one.
  private struct Runs: Sendable {
    var former: AnyRun?
    var new: AnyRun?

    func exchange() {
      former?.cancel()
      new?.start()
    }
  }

  // MARK: Changes

  /// Starts another run.
  ///
  /// Returns `false`, and changes nothing, if there has been none yet.
  func reload(in graph: Graph) -> Bool {
    let (isDone, runs, unused, mustDeliver) = graph.state.withLockBackingOff { state -> (Bool, Runs, [Unused], Bool) in
      guard let known else { return (false, Runs(), [], false) }
      // An evaluation is about to start one.
      if state.logic[node].claim != .none { return (true, Runs(), [], false) }
      state.logic.restart(node)
      paces = [:]
      let (former, new) = newRun(in: graph, state)
      let runs = Runs(former: former, new: new)
      if known.state.loading {
        keepValue(state.logic.validity(node))
        return (true, runs, [], false)
      }
      return (true, runs, [set(known.loading, in: graph, &state)], graph.startDelivering(&state))
    }
    runs.exchange()
    withExtendedLifetime(unused) {}
    if mustDeliver { graph.deliver() }
    return isDone
  }

  /// Changes the value because of a run, unless there is a newer one.
  ///
  /// - Parameters:
  ///   - run: The run, or `nil` for the newest one, which ends.
  ///   - change: A closure that changes the value. It is called under a lock.
  /// - Returns: The run that has ended because `run` was `nil`.
  @discardableResult
  func change(
    by run: Run<Success>?, in graph: Graph, _ change: (RunValue<Success>) -> RunValue<Success>
  ) -> AnyRun? {
    while true {
      let (isDone, ended, unused, mustDeliver) = graph.state.withLockBackingOff {
        state -> (Bool, AnyRun?, [Unused], Bool) in
        guard let newest = self.run, run == nil || run === newest || state.logic.has(.staleRunWins), let known else {
          return (true, nil, [], false)
        }
        guard state.logic.canSet(node) else { return (false, nil, [], false) }
        if run == nil { self.run = nil }
        var unused = [set(change(known), in: graph, &state)]
        state.logic.endFormerUses(of: node)
        unused[0].released = graph.releaseUnused(&state)
        return (true, run == nil ? newest : nil, unused, graph.startDelivering(&state))
      }
      for one in unused { var released = one.released; released.release() }
      withExtendedLifetime(unused) {}
      if mustDeliver { graph.deliver() }
      if isDone { return ended }
      // If a dependency has changed, this starts another run.
      let logic = graph.state.withLockBackingOff { graph.begin(&$0) }
      graph.evaluate(logic) { _ = $0.box(self) }
    }
  }

  /// Makes a value the newest one, in a new revision.
  private func set(_ value: RunValue<Success>, in graph: Graph, _ state: inout GraphState) -> Unused {
    let new = Published(value)
    state.logic.advance()
    let values = state.logic.setResult(
      of: node, old: state.logic.mustKeep(node) ? makeBox() : nil, new: state.logic[node].isWatched ? new : nil)
    let former = replace(state.logic.validity(node), with: new)
    graph.publishRevision(&state)
    return Unused(values: values, former: former)
  }

  /// Forgets a run that has ended.
  func end(_ run: Run<Success>, in graph: Graph) {
    var released = graph.state.withLockBackingOff { state -> Graph.Unused in
      if self.run !== run { return Graph.Unused() }
      self.run = nil
      state.logic.endFormerUses(of: node)
      return graph.releaseUnused(&state)
    }
    released.release()
  }
}
