import ActorStore

extension Graph {
  /// Returns the next step of the delivering thread, and ends and begins a round if necessary.
  func nextStep(_ state: inout GraphState) -> DeliveryStep {
    if let evaluation = delivery.evaluation {
      if let step = nextStep(evaluation, &state) { return step }
      if !endRound(evaluation, &state) { return .endEvaluation }
    }
    if let step = beginRound(&state) { return step }
    // A round can be empty. The next section ends it, so that no section takes long.
    return delivery.evaluation.flatMap { nextStep($0, &state) } ?? .nothing
  }

  /// Returns the next step of the current round, or `nil` if no step remains.
  @inline(__always)  // HP19
  private func nextStep(_ evaluation: Unretained<Evaluation>, _ state: inout GraphState) -> DeliveryStep? {
    if let change = state.logic.deliveries.nextChange() {
      delivery.change = change
      delivery.watch = state.watch(change.node)
      return .change
    }
    while let node = state.logic.deliveries.nextCheck() {
      guard let (cell, watch) = state.watched(node) else { continue }
      delivery.watch = watch.retained
      delivery.cell = cell
      if watch.with({ $0.hasElements }) { return .elements }
      cell.with { cell in evaluation.with { $0.beginCheck(cell, &state) } }
      return .check
    }
    while let join = state.logic.deliveries.nextJoin() {
      guard let (cell, watch) = state.watched(join.node) else { continue }
      delivery.watch = watch.retained
      delivery.cell = cell
      return .join(watcher: join.watcher)
    }
    return nil
  }

  /// Ends the current round, and returns whether its evaluation has ended, too.
  private func endRound(_ evaluation: Unretained<Evaluation>, _ state: inout GraphState) -> Bool {
    let revision = evaluation.with { $0.logic.revision }
    for index in state.logic.deliveries.current.checks.indices {
      settle(state.logic.deliveries.current.checks[index], at: revision, &state)
    }
    for index in state.logic.deliveries.current.joins.indices {
      settle(state.logic.deliveries.current.joins[index].node, at: revision, &state)
    }
    state.logic.deliveries.endRound()
    if !evaluation.with({ $0.isReusable }) || !endQuietly(evaluation, &state) { return false }
    delivery.evaluation = nil
    return true
  }

  /// Decides for a derived node of an ending round whether a later round must check it again.
  private func settle(_ node: NodeID, at revision: Revision, _ state: inout GraphState) {
    guard let version = state.deliveredVersion(node) else { return }
    state.logic.delivered(node, version: version, at: revision)
  }

  /// Begins the next round, or ends the delivery of the current thread.
  ///
  /// - Returns: The step to take before those of the round, or `nil` if there is none.
  private func beginRound(_ state: inout GraphState) -> DeliveryStep? {
    if state.logic.deliveries.isDone() { return state.endDelivery() ? .leave : .end }
    if state.mustSignal || state.log != nil { return beginRareRound(&state) }
    guard let revision = state.logic.beginRound() else { return state.endDelivery() ? .leave : .end }
    return begin(nil, at: revision, &state)
  }

  /// Begins the next round in a graph that has a log or must send signals.
  @inline(never)  // HP19
  private func beginRareRound(_ state: inout GraphState) -> DeliveryStep? {
    var rare = Delivery.Rare()
    if state.mustSignal { rare.signals = state.signals.sorted { $0.key < $1.key }.map(\.value) }
    state.mustSignal = false
    let revision = state.logic.beginRound()
    rare.log = state.log?.take(upTo: revision ?? .never)
    if let revision {
      if rare.log?.isCausedHere == false { state.logic.deliveries.interrupt() }
      return begin(rare, at: revision, &state)
    }
    if rare.isEmpty { return state.endDelivery() ? .leave : .end }
    // The sink may set atoms, so look again after it has run.
    state.logic.deliveries.countRound(isCausedHere: rare.log?.isCausedHere)
    if rare.log?.isCausedHere == true, state.logic.deliveries.reportsEndlessSeries() {
      rare.endless = .endlessDelivery(rare.log?.labels ?? [])
    }
    delivery.rare = rare
    return .rare
  }

  @inline(__always)  // HP19
  private func begin(_ rare: Delivery.Rare?, at revision: Revision, _ state: inout GraphState) -> DeliveryStep? {
    delivery.evaluation =
      state.restartEvaluation(at: revision)
      ?? Unretained(holding: Evaluation(self, state.logic.begin(at: revision)))
    let isEndless = state.logic.deliveries.reportsEndlessSeries()
    return isEndless || rare != nil ? beginRare(rare, isEndless: isEndless, &state) : nil
  }

  @inline(never)  // HP19
  private func beginRare(_ rare: Delivery.Rare?, isEndless: Bool, _ state: inout GraphState) -> DeliveryStep? {
    var rare = rare ?? Delivery.Rare()
    if isEndless { rare.endless = state.endlessDelivery(state.logic.deliveries.current) }
    if rare.isEmpty { return nil }
    delivery.rare = rare
    return .rare
  }
}

extension GraphState {
  /// Whether a change that nothing sees has no consequences.
  var isQuiet: Bool { log == nil && logic.deliveries.isEmpty && logic.dirtySetters.isEmpty && signals.isEmpty }

  /// Whether there may be something to deliver.
  @inline(__always)  // HP19
  var mayHaveDeliveries: Bool { hasMore || logic.deliveries.mayHaveContents }

  /// Whether there is something to deliver that is not in the queue.
  @inline(__always)  // HP19
  private var hasMore: Bool { log?.isEmpty == false || mustSignal }

  /// Returns whether the caller becomes the delivering thread.
  mutating func beginDelivery() -> Bool { logic.deliveries.begin(hasMore) }

  /// Ends the delivery of the current thread, and returns whether it must start a task that delivers the rest.
  fileprivate mutating func endDelivery() -> Bool { logic.deliveries.end(hasMore) }

  fileprivate func endlessDelivery(_ round: GraphStateMachine<AnyPublished>.Deliveries.Round) -> AtomProblem {
    let nodes = round.changes.reversed().map(\.node) + round.checks
    return .endlessDelivery(nodes.map { label(of: $0) })
  }
}
