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
    var last: Delivery?
    while true {
      switch nextRound(after: last.take()) {
      case .end: return
      case .leave: return deliverInTask()
      case .endEvaluation(let evaluation): end(evaluation.release())
      case .round(let next):
        deliver(next)
        last = next
      case .rare(let next, let log, let signals, let endless):
        for signal in signals { signal.yield() }
        if let log { deliver(log) }
        if let endless { problems.report(endless) }
        if let next { deliver(next) }
        last = next
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

  /// A round, and an owned reference to the evaluation that reads its values.
  private struct Delivery: Sendable {
    var round: Round
    let evaluation: Unretained<Evaluation>

    mutating func takeChecks() -> [NodeID] {
      var checks: [NodeID] = []
      swap(&checks, &round.checks)
      return checks
    }
  }

  private enum Next {
    case round(Delivery)
    /// Log entries, signals, or a report, with or without a round.
    indirect case rare(
      Delivery?, log: ChangeLog.Taken?, signals: [AsyncStream<Void>.Continuation], endless: AtomProblem?)
    case end
    /// A task delivers the rest.
    case leave
    /// The caller ends an evaluation, and asks again.
    case endEvaluation(Unretained<Evaluation>)
  }

  /// Ends a round, and begins the next one in the same locked section if possible.
  private func nextRound(after last: consuming Delivery?) -> Next {
    // This also holds the values of the round, whose release runs user code, until the lock is released.
    var last = last
    defer { withExtendedLifetime(last) {} }
    let isReusable = last?.evaluation.with { $0.isReusable } ?? true
    return state.withLockBackingOff { state in
      if let evaluation = last?.evaluation {
        settle(last, &state)
        if let checks = last?.takeChecks() { state.logic.deliveries.reuse(checks) }
        if !isReusable || !endQuietly(evaluation, &state) { return .endEvaluation(evaluation) }
      }
      return nextRound(&state)
    }
  }

  private func nextRound(_ state: inout GraphState) -> Next {
    if state.logic.deliveries.isDone() { return state.endDelivery() ? .leave : .end }
    let signals = state.mustSignal ? state.signals.sorted { $0.key < $1.key }.map(\.value) : []
    state.mustSignal = false
    let next = state.logic.takeRound()
    let log = state.log?.take(upTo: next?.revision ?? .never)
    guard let next else {
      if signals.isEmpty, log?.isEmpty ?? true { return state.endDelivery() ? .leave : .end }
      // The sink may set atoms, so look again after it has run.
      let isCausedHere = log?.isCausedHere
      state.logic.deliveries.countRound(isCausedHere: isCausedHere)
      let isEndless = isCausedHere == true && state.logic.deliveries.reportsEndlessSeries()
      return .rare(nil, log: log, signals: signals, endless: isEndless ? .endlessDelivery(log?.labels ?? []) : nil)
    }
    if log?.isCausedHere == false { state.logic.deliveries.interrupt() }
    let isEndless = state.logic.deliveries.reportsEndlessSeries()
    let endless = isEndless ? state.endlessDelivery(next.round) : nil
    let evaluation =
      state.restartEvaluation(at: next.revision)
      ?? Unretained(holding: Evaluation(self, state.logic.begin(at: next.revision)))
    let delivery = Delivery(round: next.round, evaluation: evaluation)
    if log == nil, signals.isEmpty, endless == nil { return .round(delivery) }
    return .rare(delivery, log: log, signals: signals, endless: endless)
  }

  private func deliver(_ delivery: Delivery) {
    for change in delivery.round.changes {
      guard let watch = state.withLockBackingOff({ $0.watch(change.node) }) else { continue }
      if let watcher = change.starting {
        watch.start(watcher, change.value, in: self)
      } else {
        watch.deliver(change.value, in: self)
      }
    }
    delivery.evaluation.with { evaluation in
      for node in delivery.round.checks { check(node, evaluation) }
      for join in delivery.round.joins { start(join, evaluation) }
    }
  }

  /// Decides for each derived node of an ending round whether a later round must check it again.
  private func settle(_ last: Delivery?, _ state: inout GraphState) {
    guard let last else { return }
    let revision = last.evaluation.with { $0.logic.revision }
    for node in last.round.checks { settle(node, at: revision, &state) }
    for join in last.round.joins { settle(join.node, at: revision, &state) }
  }

  private func settle(_ node: NodeID, at revision: Revision, _ state: inout GraphState) {
    guard let version = state.deliveredVersion(node) else { return }
    state.logic.delivered(node, version: version, at: revision)
  }

  private enum Check: Sendable {
    case found(AnyPublished, Version)
    case compute(Evaluation.Next)
    case elements
  }

  /// Brings a watched derived node up to date, and offers its value if it has changed.
  private func check(_ node: NodeID, _ evaluation: Evaluation) {
    let begun = state.withLockBackingOff { state -> (Watch, Unretained<Cell>, Check)? in
      state.logic.deliveries.beginCheck()
      guard let watch = state.watch(node) else { return nil }
      let cell = state.unretainedCell(node)
      if watch.hasElements { return (watch, cell, .elements) }
      if let found = state.logic.find(node, for: evaluation.logic) {
        return (watch, cell, .found(cell.with { found.box(in: $0) }, found.stamp.version))
      }
      return (watch, cell, .compute(cell.with { evaluation.begin($0, &state) }))
    }
    // The graph holds the cell while it is pinned.
    if let (watch, cell, check) = begun { cell.with { self.check($0, check, watch, evaluation) } }
  }

  @inline(__always)  // HP19
  private func check(_ cell: Cell, _ check: Check, _ watch: Watch, _ evaluation: Evaluation) {
    switch check {
    case .found(let value, let version): deliver(value, version, to: watch, of: cell, evaluation)
    case .compute(let next):
      let (value, version) = evaluation.run { evaluation.box(cell, after: next) }
      deliver(value, version, to: watch, of: cell, evaluation)
    case .elements:
      if !watch.deliverElements(upTo: evaluation.logic.revision, atMost: Self.maxElements, of: cell, in: self) {
        return state.withLockBackingOff { $0.logic.checkRest(of: cell.node) }
      }
      let (value, version) = evaluation.run { evaluation.box(cell) }
      deliver(value, version, to: watch, of: cell, evaluation)
    }
  }

  private func deliver(
    _ value: AnyPublished, _ version: Version, to watch: Watch, of cell: Cell, _ evaluation: Evaluation
  ) {
    let isLastElement = watch.lastElement.map { $0 == number(ofResultIn: cell, evaluation) } ?? false
    watch.deliver(value, version: version, isLastElement: isLastElement, of: cell, in: self)
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
    let watched = state.withLockBackingOff { state in
      state.watch(join.node).map { ($0, state.cell(join.node)) }
    }
    guard let (watch, cell) = watched else { return }
    _ = watch.deliverElements(upTo: evaluation.logic.revision, atMost: .max, of: cell, in: self)
    let (value, version) = evaluation.run { evaluation.box(cell) }
    // The other watchers get the value that follows the elements now, because the new one starts with it.
    if watch.lastElement != nil { deliver(value, version, to: watch, of: cell, evaluation) }
    watch.start(join.watcher, value, version, in: self)
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
