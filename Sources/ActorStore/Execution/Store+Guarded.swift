/// The steps of an action in a store with guards or middleware: ask the guards, run, commit, tell the guards, hand off,
/// and report.
///
/// The report comes last, outside the turn and without a lock. A store without guards or middleware takes none of
/// these paths.
extension Store {
  /// Runs an asynchronous action or transaction that has begun, or a mutation around which the middleware may suspend.
  @inlinable
  @inline(never)  // HP2
  nonisolated(nonsending) func runGuarded<A: Action, Reply: Sendable>(
    _ action: A,
    _ ticket: TicketNumber,
    reply: @Sendable (A.Output, State) -> Reply
  ) async throws(A.Failure) -> Outcome<Reply> where A.State == State {
    // The store's guards are not bound to a name (HP11).
    let call = guards!.begin(ticket)
    if let veto = endIfVetoed(action, ticket, inPlace: false) { return vetoed(action, call, veto, nil, nil) }
    var draft = committedState
    let recorder = recorder(for: A.self)
    // Declared before the call of `nest` (HP6).
    var output: A.Output?
    var stop: Stop<A.Failure>?
    await CallChain.nest(in: ticket, of: queue) {
      do throws(Stop<A.Failure>) {
        output = try await perform(action, &draft, recorder)
      } catch {
        stop = error
      }
    }
    if let stop { return try endStopped(action, stop, call, recorder) }
    let ended = guards!.now()
    let value = reply(output!, draft)
    commitGuarded(action, &draft, ticket, call, ended, recorder)
    return .committed(value)
  }

  /// Runs a mutation, or a transaction that does not suspend, that has begun.
  @inlinable
  @inline(never)  // HP9
  nonisolated func applyGuarded<A: Action, Reply: Sendable>(
    _ action: A,
    _ ticket: TicketNumber,
    reply: @Sendable (A.Output, State) -> Reply
  ) throws(A.Failure) -> Outcome<Reply> where A.State == State {
    let call = guards!.begin(ticket)
    let inPlace = A._execution == .inPlace && guards!.editsInPlace
    // The call began to edit in place before it knew the middleware.
    if A._execution == .inPlace && !inPlace { queue.stopApplying(ticket) }
    if let veto = endIfVetoed(action, ticket, inPlace: inPlace) { return vetoed(action, call, veto, nil, nil) }
    if inPlace { return try editGuarded(action, call, reply: reply) }
    var draft = committedState
    let recorder = recorder(for: A.self)
    let value: Reply
    do throws(Stop<A.Failure>) {
      value = reply(try performSynchronously(action, &draft, recorder), draft)
    } catch {
      return try endStopped(action, error, call, recorder)
    }
    commitGuarded(action, &draft, ticket, call, guards!.now(), recorder)
    return .committed(value)
  }

  /// Runs a mutation that edits the state in place, after the guards have admitted it.
  @inlinable
  nonisolated func editGuarded<A: Action<State>, Reply: Sendable>(
    _ action: A,
    _ call: GuardedCall,
    reply: @Sendable (A.Output, State) -> Reply
  ) throws(A.Failure) -> Outcome<Reply> {
    let old = guards!.wantsOldState ? committedState : nil
    let value: Reply
    do throws(Stop<A.Failure>) {
      let output = try guards!.apply(action, &committedState)
      value = reply(output, committedState)
    } catch {
      queue.stopApplying(call.ticket)
      return try endStopped(action, error, call, nil)
    }
    let ended = guards!.now()
    let keepsTurn = guards!.keepsTurn
    var revision = queue.endApplyingGuarded(call.ticket, keepingTurn: keepsTurn)
    if revision != 0 && !keepsTurn {
      committed(action, call, revision, ended, nil, nil)
      return .committed(value)
    }
    if revision == 0 { revision = commitWatched(action, call.ticket, nil) {} }
    guards!.didUpdate(action, old: old, orNot: nil, new: committedState)
    var states: ReportedStates<State>?
    if let old, guards!.reportsStates { states = ReportedStates(old: old, new: committedState) }
    queue.handOff(call.ticket)
    committed(action, call, revision, ended, states, nil)
    return .committed(value)
  }

  /// Asks the guards about an action.
  ///
  /// If one vetoes it, ends the turn and returns the veto. The state is readable while the guards decide. A transaction
  /// asks them about each of its members instead.
  @inlinable
  nonisolated func endIfVetoed<A: Action<State>>(_ action: A, _ ticket: TicketNumber, inPlace: Bool) -> Veto? {
    if A._execution.isTransaction || !guards!.takesPart { return nil }
    return askGuards(action, ticket, inPlace: inPlace)
  }

  @inlinable
  @inline(never)  // HP2
  nonisolated func askGuards<A: Action<State>>(_ action: A, _ ticket: TicketNumber, inPlace: Bool) -> Veto? {
    if inPlace { queue.stopApplying(ticket) }
    if let veto = guards!.admit(action, state: committedState) {
      guards!.didVeto(action, veto)
      queue.endWithoutCommit(ticket)
      return veto
    }
    if inPlace { queue.startApplying(ticket) }
    return nil
  }

  // MARK: In the turn

  /// Commits a draft, and reports the action.
  ///
  /// - Parameters:
  ///   - ticket: The ticket of the turn, which is not that of the call if the action overlaps.
  ///   - ended: The time at which the action ended, if a guard requests times.
  ///   - recorder: The members of a transaction.
  @inlinable
  nonisolated func commitGuarded<A: Action<State>>(
    _ action: A,
    _ draft: inout State,
    _ ticket: TicketNumber,
    _ call: GuardedCall,
    _ ended: Duration?,
    _ recorder: MemberRecorder<State>?
  ) {
    let states = guards!.reportsStates ? ReportedStates(old: committedState, new: draft) : nil
    let revision = queue.nextRevision
    commit(action, &draft, ticket, recorder)
    committed(action, call, revision, ended, states, recorder)
  }

  /// Ends the turn of an action that failed or was refused by middleware.
  ///
  /// If a transaction failed with a veto, returns the veto.
  @inlinable
  @inline(never)  // HP2
  nonisolated func endStopped<A: Action<State>, Reply>(
    _ action: A,
    _ stop: Stop<A.Failure>,
    _ call: GuardedCall,
    _ recorder: MemberRecorder<State>?
  ) throws(A.Failure) -> Outcome<Reply> {
    let ended = guards!.now()
    switch stop {
    case .failed(let error):
      guards!.willFail(action, error)
      queue.endWithoutCommit(call.ticket)
      if A._execution.isTransaction, let veto = error as? Veto { return vetoed(action, call, veto, ended, recorder) }
      failed(action, call, error, ended, recorder)
      throw error
    case .vetoed(let veto):
      guards!.didVeto(action, veto)
      queue.endWithoutCommit(call.ticket)
      return vetoed(action, call, veto, ended, recorder)
    }
  }
}
