import ActorStore

extension Graph {
  /// Whether the current thread delivers this graph's changes, so that a callback runs.
  var isDeliveringHere: Bool { CurrentThread.isDelivering(self) }

  /// Returns whether the caller becomes the delivering thread.
  ///
  /// Inside an evaluation of this graph, nothing is delivered until the evaluation ends.
  @inline(__always)  // HP19
  func beginDelivery(_ state: inout GraphState) -> Bool {
    if !state.logic.deliveries.isDelivering, !state.hasDeliveries { return false }
    return beginDeliveryOfSome(&state)
  }

  @inline(never)  // HP19
  private func beginDeliveryOfSome(_ state: inout GraphState) -> Bool {
    if state.logic.deliveries.isDelivering {
      // A read that creates nothing to deliver is no change.
      if state.logic.deliveries.hasFresh, !isDeliveringHere { state.logic.endChange(isInCallback: false) }
      return false
    }
    return !isEvaluatingHere && state.beginDelivery()
  }

  /// Ends a change of a value, and returns whether the caller must deliver it.
  func startDelivering(_ state: inout GraphState) -> Bool {
    if state.logic.deliveries.isDelivering {
      state.logic.endChange(isInCallback: isDeliveringHere)
      return false
    }
    return beginDelivery(&state)
  }

  /// Whether an evaluation of this graph runs on the current thread, even if a callback hides it.
  var isEvaluatingHere: Bool { CurrentThread.isEvaluatingOrHidden && Evaluation.around(self) != nil }

  // MARK: Watchers

  /// Adds a watcher, which starts with the current value in the next delivery.
  ///
  /// `body` runs under the lock and must not call user code.
  ///
  /// - Parameter isHandler: Whether the watcher lives as long as the atom.
  func watch(
    _ definition: AnyAtomDefinition, skip: Int, isHandler: Bool = false, _ body: (Broadcast) -> Watch.Body
  ) -> Int {
    point("watches \(definition.label)")
    let cell = cell(of: definition)
    let (number, mustDeliver) = state.withLockBackingOff { state in
      hold(definition, &state)
      return (addWatcher(cell, skip: skip, isHandler: isHandler, body, &state), beginDelivery(&state))
    }
    if mustDeliver { deliver() }
    return number
  }

  private func addWatcher(
    _ cell: Cell, skip: Int, isHandler: Bool, _ body: (Broadcast) -> Watch.Body, _ state: inout GraphState
  ) -> Int {
    state.lastWatcher += 1
    let watch = state.watches[cell.node] ?? Watch()
    state.watches[cell.node] = watch
    watch.add(state.lastWatcher, skip: skip, isHandler: isHandler, body(watch.broadcast))
    state.logic.watch(cell.node)
    if state.logic[cell.node].isSource, let value = cell.makeBox() {
      state.logic.deliveries.add(.init(node: cell.node, value: value, starting: state.lastWatcher))
    } else {
      state.logic.deliveries.add(.init(node: cell.node, watcher: state.lastWatcher))
    }
    return state.lastWatcher
  }

  func addWatcher(_ handler: AnyAtomDefinition.UpdateHandler, _ cell: Cell, _ state: inout GraphState) {
    _ = addWatcher(cell, skip: handler.skip, isHandler: true, { _ in .callback(handler.body) }, &state)
  }

  /// Removes a watcher, if there still is one with this number.
  ///
  /// - Parameters:
  ///   - definition: The watched atom.
  ///   - number: The number of the watcher.
  ///   - keepsValues: Whether the atoms that come out of use keep their values.
  func unwatch(_ definition: AnyAtomDefinition, _ number: Int, keepsValues: Bool = false) {
    // This has no points, because a stream calls it when it ends, while the standard library holds a lock.
    SimulationHooks.withoutPoints { removeWatcher(definition, number, keepsValues: keepsValues) }
  }

  private func removeWatcher(_ definition: AnyAtomDefinition, _ number: Int, keepsValues: Bool) {
    touch()
    var removed = state.withLockBackingOff { state -> (Watch, Watch.Body?, [AnyPublished], Unused, Bool)? in
      guard let cell = find(definition)?.retained, let watch = state.watches[cell.node] else {
        return nil
      }
      let (removed, isEmpty) = watch.remove(number)
      if !isEmpty { return (watch, removed, [], Unused(), false) }
      state.watches[cell.node] = nil
      let values = state.logic.unwatch(cell.node, keepsValues: keepsValues)
      return (watch, removed, values, releaseUnused(&state), beginDelivery(&state))
    }
    let mustDeliver = removed?.4 ?? false
    removed?.3.release()
    // The closure can hold other observations.
    ReleaseQueue.release((removed?.1.take()).map { Published($0) })
    withExtendedLifetime(removed) {}
    if mustDeliver { deliver() }
  }

  // MARK: Delivering

  /// Delivers the thread's own change, the changes of its callbacks, and a few rounds of other threads.
  ///
  /// One thread at a time delivers, and the others leave their changes to it. Once its rounds are used up, it leaves
  /// the rest to the next thread that makes a change or to a task, whichever comes first. So the threads that make many
  /// changes also deliver most of them.
  @inline(never)  // HP13
  func deliver() {
    CurrentThread.deliver(self) {
      Evaluation.outside { SelectedGraph.callBack(self) { deliverRounds() } }
    }
  }

  private func deliverRounds() {
    while true {
      switch nextRound() {
      case .end: return
      case .leave: return deliverInTask()
      case .round(let round, let evaluation, let log, let signals, let endless):
        for signal in signals { signal.yield() }
        if let log { deliver(log) }
        if let endless { problems.report(endless) }
        if let evaluation { deliver(round, evaluation) }
      }
    }
  }

  /// Starts a task that delivers what this thread leaves, unless another thread does so first.
  private func deliverInTask() {
    _ = Evaluation.setAside {
      // The handle keeps the store until the end, like a call from outside.
      Task.inheritingExecutor { [self, handle = GraphHandle.of(self)] in
        defer { withExtendedLifetime(handle) {} }
        point("delivers changes of other threads")
        let mustDeliver = state.withLockBackingOff { state in
          state.logic.deliveries.beginTask()
          return beginDelivery(&state)
        }
        if mustDeliver { deliver() }
      }
    }
  }

  private func deliver(_ log: ChangeLog.Taken) {
    for entry in log.entries { log.sink(entry) }
    for definition in log.checks { compute(cell(of: definition)) }
  }

  /// Brings an atom up to date, which can create a log entry.
  private func compute(_ cell: Cell) {
    evaluate(state.withLockBackingOff { $0.logic.begin() }) { _ = $0.box(cell) }
  }

  private typealias Round = GraphStateMachine<AnyPublished>.Deliveries.Round

  private enum Next {
    case round(
      Round, Evaluation?, log: ChangeLog.Taken?, signals: [AsyncStream<Void>.Continuation], endless: AtomProblem?)
    case end
    /// A task delivers the rest.
    case leave
  }

  private func nextRound() -> Next {
    state.withLockBackingOff { state in
      if state.logic.deliveries.isDone() { return state.endDelivery() ? .leave : .end }
      let signals = state.mustSignal ? state.signals.sorted { $0.key < $1.key }.map(\.value) : []
      state.mustSignal = false
      let next = state.logic.takeRound()
      let log = state.log?.take(upTo: next?.evaluation.revision ?? .never)
      guard let next else {
        if signals.isEmpty, log?.isEmpty ?? true { return state.endDelivery() ? .leave : .end }
        // The sink may set atoms, so look again after it has run.
        let isCausedHere = log?.isCausedHere
        state.logic.deliveries.countRound(isCausedHere: isCausedHere)
        let isEndless = isCausedHere == true && state.logic.deliveries.reportsEndlessSeries()
        return .round(
          Round(), nil, log: log, signals: signals, endless: isEndless ? .endlessDelivery(log?.labels ?? []) : nil)
      }
      if log?.isCausedHere == false { state.logic.deliveries.interrupt() }
      let isEndless = state.logic.deliveries.reportsEndlessSeries()
      let endless = isEndless ? state.endlessDelivery(next.round) : nil
      let evaluation = state.restartEvaluation(as: next.evaluation)?.release() ?? Evaluation(self, next.evaluation)
      return .round(next.round, evaluation, log: log, signals: signals, endless: endless)
    }
  }

  private func deliver(_ round: Round, _ evaluation: Evaluation) {
    for change in round.changes {
      guard let watch = state.withLockBackingOff({ $0.watches[change.node] }) else { continue }
      if let watcher = change.starting { watch.start(watcher, change.value) } else { watch.deliver(change.value) }
    }
    for node in round.checks { check(node, evaluation) }
    for join in round.joins { start(join, evaluation) }
    state.withLockBackingOff { state in
      for node in round.checks { settle(node, evaluation, &state) }
      for join in round.joins { settle(join.node, evaluation, &state) }
    }
    end(evaluation)
  }

  private func settle(_ node: NodeID, _ evaluation: Evaluation, _ state: inout GraphState) {
    guard let watch = state.watches[node] else { return }
    state.logic.delivered(node, version: watch.deliveredVersion, at: evaluation.logic.revision)
  }

  /// Brings a watched derived node up to date, and offers its value if it has changed.
  private func check(_ node: NodeID, _ evaluation: Evaluation) {
    guard let (watch, cell) = watched(node) else { return }
    let revision = evaluation.logic.revision
    if !watch.deliverElements(upTo: revision, atMost: Self.maxElements, of: cell) {
      return state.withLockBackingOff { $0.logic.checkRest(of: node) }
    }
    let (value, version) = evaluation.run { evaluation.box(cell) }
    deliver(value, version, to: watch, of: cell, evaluation)
  }

  private func deliver(
    _ value: AnyPublished, _ version: Version, to watch: Watch, of cell: Cell, _ evaluation: Evaluation
  ) {
    let isLastElement = watch.lastElement.map { $0 == number(ofResultIn: cell, evaluation) } ?? false
    watch.deliver(value, version: version, isLastElement: isLastElement, of: cell)
  }

  /// The number of elements of a sequence that a round delivers.
  private static var maxElements: Int { GraphStateMachine<AnyPublished>.Deliveries.maxChangesOfOthers }

  /// The number of the result that is the state of an asynchronous atom, or `nil` if its state is another one.
  private func number(ofResultIn cell: Cell, _ evaluation: Evaluation) -> Version? {
    let runs = state.withLockBackingOff { state -> Cell? in
      // Safe: under the lock, definitions exist whose nodes are in the graph.
      if !state.has(cell) || state.injections[cell.node]?.injection(at: evaluation.logic.revision) != nil { return nil }
      return cell.definition.runs.flatMap { find($0)?.retained }
    }
    guard let runs else { return nil }
    return runs.resultNumber(of: evaluation.run { evaluation.box(runs) }.value)
  }

  private func start(_ join: GraphStateMachine<AnyPublished>.Deliveries.Join, _ evaluation: Evaluation) {
    guard let (watch, cell) = watched(join.node) else { return }
    _ = watch.deliverElements(upTo: evaluation.logic.revision, atMost: .max, of: cell)
    let (value, version) = evaluation.run { evaluation.box(cell) }
    // The other watchers get the value that follows the elements now, because the new one starts with it.
    if watch.lastElement != nil { deliver(value, version, to: watch, of: cell, evaluation) }
    watch.start(join.watcher, value, version)
  }

  private func watched(_ node: NodeID) -> (Watch, Cell)? {
    state.withLockBackingOff { state in
      state.logic.deliveries.beginCheck(of: node)
      guard let watch = state.watches[node] else { return nil }
      return (watch, state.cell(node))
    }
  }
}

extension GraphState {
  /// Whether a change that nothing sees has no consequences.
  var isQuiet: Bool { log == nil && logic.deliveries.isEmpty && logic.dirtySetters.isEmpty && signals.isEmpty }

  /// Whether there is something to deliver.
  @inline(__always)  // HP19
  var hasDeliveries: Bool { hasMore || !logic.deliveries.isEmpty }

  /// Whether there is something to deliver that is not in the queue.
  @inline(__always)  // HP19
  private var hasMore: Bool { log?.isEmpty == false || mustSignal }

  /// Returns whether the caller becomes the delivering thread.
  fileprivate mutating func beginDelivery() -> Bool { logic.deliveries.begin(hasMore) }

  /// Ends the delivery of the current thread, and returns whether it must start a task that delivers the rest.
  fileprivate mutating func endDelivery() -> Bool { logic.deliveries.end(hasMore) }

  fileprivate func endlessDelivery(_ round: GraphStateMachine<AnyPublished>.Deliveries.Round) -> AtomProblem {
    let nodes = round.changes.map(\.node) + round.checks
    return .endlessDelivery(nodes.map { label(of: $0) })
  }
}
