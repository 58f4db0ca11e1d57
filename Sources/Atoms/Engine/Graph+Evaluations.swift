import ActorStore

/// The beginnings and ends of evaluations.
extension Graph {
  /// Begins an evaluation for a caller.
  func begin(_ state: inout GraphState, isTransaction: Bool = false) -> EvaluationStateMachine<AnyPublished> {
    var logic = state.logic.begin(isTransaction: isTransaction)
    if isRecording { logic.topReads = [] }
    return logic
  }

  func beginTransaction(_ state: inout GraphState) -> EvaluationStateMachine<AnyPublished> {
    var logic = begin(&state, isTransaction: true)
    logic.tracksWrites = !state.setters.isEmpty
    return logic
  }

  /// Begins an evaluation that reads.
  ///
  /// The caller owns the returned reference, and passes it to `end`.
  @inline(__always)  // HP19
  func beginReading(_ state: inout GraphState) -> Unretained<Evaluation> {
    state.restartEvaluation() ?? beginFirstReading(&state)
  }

  @inline(never)  // HP19
  private func beginFirstReading(_ state: inout GraphState) -> Unretained<Evaluation> {
    Unretained(holding: Evaluation(self, begin(&state)))
  }

  /// Runs a closure in a new evaluation, and ends it.
  func evaluate<Result, Failure: Error>(
    _ logic: EvaluationStateMachine<AnyPublished>, _ body: (Evaluation) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let evaluation = Evaluation(self, logic)
    defer { end(evaluation) }
    return try evaluation.run { () throws(Failure) -> Result in try body(evaluation) }
  }

  /// Runs a closure in an evaluation that has begun to read, and ends it.
  @inline(__always)  // HP19
  func evaluate<Result>(in evaluation: Unretained<Evaluation>, _ body: (Evaluation) -> Result) -> Result {
    defer { end(evaluation) }
    return evaluation.with { evaluation in evaluation.run { body(evaluation) } }
  }

  /// Ends an evaluation that has begun to read, and consumes the caller's reference to it.
  @inline(__always)  // HP19
  func end(_ evaluation: Unretained<Evaluation>) {
    if evaluation.with({ $0.isReusable }),
      state.withLockBackingOff({ !$0.mayHaveDeliveries && endQuietly(evaluation, &$0) })
    {
      return
    }
    end(evaluation.release())
  }

  /// Ends an evaluation, and delivers what it has created.
  ///
  /// Inside another evaluation, that one delivers when it ends, and ends the uses.
  @inline(never)  // HP19
  func end(_ evaluation: Evaluation) {
    var (endedUses, exchanges) = (evaluation.endedUses, evaluation.exchanges)
    if let outer = Evaluation.around(self) {
      outer.endedUses += endedUses
      outer.exchanges += exchanges
      (endedUses, exchanges) = ([], [])
    }
    var released = Unused()
    var (unpinned, mustDropMembers, mustDeliver) = state.withLockBackingOff { state in
      for definition in endedUses { endUse(of: definition, &state) }
      let isKept = evaluation.isReusable && state.canKeepEvaluation
      let unpinned = remove(state.logic.end(evaluation.logic, keepsID: isKept), &state)
      for node in evaluation.logic.topReads ?? [] { state.noteRead(node) }
      if isKept { state.keepToRestart(Unretained(holding: evaluation)) }
      releaseUnused(to: &released, &state)
      return (unpinned, state.canDropMembers, beginDelivery(&state))
    }
    released.release()
    unpinned?.release()
    if mustDropMembers { dropMembers() }
    for exchange in exchanges { exchange() }
    if mustDeliver { deliver() }
  }

  /// Ends an evaluation with nothing left in it, or returns `false` and changes nothing if the graph has more to do.
  @inline(__always)  // HP19
  func endQuietly(_ evaluation: Unretained<Evaluation>, _ state: inout GraphState) -> Bool {
    if !state.injections.isEmpty || state.members.steps > 0 || !state.canKeepEvaluation { return false }
    if !state.logic.endQuietly(at: evaluation.with { $0.logic.revision }) { return false }
    state.keepToRestart(evaluation)
    return true
  }

  /// Values and objects that no pin sees anymore.
  ///
  /// The caller releases them without the lock.
  struct Unpinned: Sendable {
    fileprivate var values: [AnyPublished] = []
    /// The cells and injections.
    fileprivate var objects: [any AnyObject & Sendable] = []

    mutating func release() {
      ReleaseQueue.release(all: &values)
      ReleaseQueue.release(all: &objects)
    }
  }

  /// Ends a pin, and returns its leftovers, if any.
  func unpin(_ revision: Revision, _ state: inout GraphState) -> Unpinned? {
    remove(state.logic.unpin(revision), &state)
  }

  /// Removes the cells and injections of unseen nodes, and returns them with the unseen values.
  ///
  /// Returns `nil` if there is nothing to release, unless the graph has injections.
  private func remove(_ unseen: GraphStateMachine<AnyPublished>.Unseen, _ state: inout GraphState) -> Unpinned? {
    if unseen.isEmpty, state.injections.isEmpty { return nil }
    var unpinned = Unpinned(values: unseen.values)
    for node in unseen.nodes { if let cell = state.remove(node) { unpinned.objects.append(cell) } }
    if !state.injections.isEmpty {
      for node in unseen.nodes {
        if let injections = state.removeInjections(node) { unpinned.objects.append(Published(injections)) }
      }
      for injection in state.trimInjections() { unpinned.objects.append(Published(injection)) }
    }
    return unpinned
  }
}
