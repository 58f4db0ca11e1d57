/// The steps of an action in a store with guards: ask the guards, run, commit, tell the guards, hand off, and report.
///
/// The report comes last, outside the turn and without a lock. A store without guards takes none of these paths.
extension Store {
  /// The reply of a guarded action, and the facts for its report.
  ///
  /// They are computed in the turn, from the state that is about to be committed.
  @frozen @usableFromInline struct GuardedReply<Reply: Sendable>: Sendable {
    @usableFromInline let reply: Reply
    @usableFromInline let revision: UInt64
    /// The time at which the action ended, if a guard requests times.
    @usableFromInline let ended: Duration?
    @usableFromInline let states: ReportedStates<State>?

    @inlinable
    init(_ reply: Reply, revision: UInt64, ended: Duration?, states: ReportedStates<State>?) {
      self.reply = reply
      self.revision = revision
      self.ended = ended
      self.states = states
    }
  }

  /// Runs an asynchronous action or transaction that has begun.
  @inlinable
  @inline(never)  // HP2
  nonisolated(nonsending) func runGuarded<A: Action, Reply: Sendable>(
    _ action: A,
    _ ticket: TicketNumber,
    reply: @Sendable (A.Output, State) -> Reply
  ) async throws(A.Failure) -> Outcome<Reply> where A.State == State {
    // The store's guards are not bound to a name (HP11).
    let call = guards!.begin(ticket)
    if let veto = endIfVetoed(action, ticket) { return vetoed(action, call, veto) }
    let outcome: Outcome<GuardedReply<Reply>>
    do throws(A.Failure) {
      outcome = try await runOnDraft(action, ticket) { output, state in guarded(reply(output, state), state) }
    } catch {
      failed(action, call, error)
      throw error
    }
    return ended(action, call, outcome)
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
    if let veto = endIfVetoed(action, ticket) { return vetoed(action, call, veto) }
    if A._execution == .inPlace { return .committed(try editGuarded(action, call, reply: reply)) }
    let outcome: Outcome<GuardedReply<Reply>>
    do throws(A.Failure) {
      outcome = try apply(action, ticket) { output, state in guarded(reply(output, state), state) }
    } catch {
      failed(action, call, error)
      throw error
    }
    return ended(action, call, outcome)
  }

  /// Runs a mutation that edits the state in place, after the guards have admitted it.
  @inlinable
  nonisolated func editGuarded<A: Action<State>, Reply: Sendable>(
    _ action: A,
    _ call: GuardedCall,
    reply: @Sendable (A.Output, State) -> Reply
  ) throws(A.Failure) -> Reply {
    let old = guards!.wantsOldState ? cell.copy() : nil
    let value = try cell.edit { state throws(A.Failure) in reply(try action._runSynchronously(&state), state) }
    let ended = guards!.now()
    let keepsTurn = guards!.keepsTurn
    var revision = queue.endApplyingGuarded(call.ticket, keepingTurn: keepsTurn)
    if revision != 0 && !keepsTurn {
      committed(action, call, revision, ended, nil)
      return value
    }
    if revision == 0 { revision = commitWatched(action, call.ticket) {} }
    guards!.didUpdate(action, old: old, orNot: nil, new: cell.copy())
    var states: ReportedStates<State>?
    if let old, guards!.reportsStates { states = ReportedStates(old: old, new: cell.copy()) }
    queue.handOff(call.ticket)
    committed(action, call, revision, ended, states)
    return value
  }

  /// Asks the guards about an action.
  ///
  /// If one vetoes it, ends the turn and returns the veto. The state is readable while the guards decide. A transaction
  /// asks them about each of its members instead.
  @inlinable
  nonisolated func endIfVetoed<A: Action<State>>(_ action: A, _ ticket: TicketNumber) -> Veto? {
    if A._execution.isTransaction || !guards!.takesPart { return nil }
    return askGuards(action, ticket)
  }

  @inlinable
  @inline(never)  // HP2
  nonisolated func askGuards<A: Action<State>>(_ action: A, _ ticket: TicketNumber) -> Veto? {
    if A._execution == .inPlace { queue.stopApplying(ticket) }
    if let veto = guards!.admit(action, state: cell.copy()) {
      guards!.didVeto(action, veto)
      queue.endWithoutCommit(ticket)
      return veto
    }
    if A._execution == .inPlace { queue.startApplying(ticket) }
    return nil
  }

  // MARK: In the turn

  /// Collects the facts for a report, in the turn and before the commit.
  @inlinable
  nonisolated func guarded<Reply>(_ reply: Reply, _ new: State) -> GuardedReply<Reply> {
    let states = guards!.reportsStates ? ReportedStates(old: cell.copy(), new: new) : nil
    return GuardedReply(reply, revision: queue.nextRevision, ended: guards!.now(), states: states)
  }

  // MARK: After the turn

  @inlinable
  nonisolated func committed<A: Action<State>>(
    _ action: A,
    _ call: GuardedCall,
    _ revision: UInt64,
    _ ended: Duration?,
    _ states: ReportedStates<State>?
  ) {
    report(
      action,
      ActionReport(
        outcome: .committed, ticket: call.ticket, revision: revision, queueLength: Int(call.ahead),
        waited: call.waited, ran: call.ran(until: ended), states: states))
  }

  @inlinable
  nonisolated func ended<A: Action<State>, Reply>(
    _ action: A,
    _ call: GuardedCall,
    _ outcome: Outcome<GuardedReply<Reply>>
  ) -> Outcome<Reply> {
    switch outcome {
    case .committed(let guarded):
      committed(action, call, guarded.revision, guarded.ended, guarded.states)
      return .committed(guarded.reply)
    // Only a transaction is vetoed after it has begun.
    case .vetoed(let veto): return vetoed(action, call, veto, ended: guards!.takeTimeOfFailure(call.ticket))
    case .cancelled: return .cancelled
    case .deferred: return .deferred
    case .closed: return .closed
    }
  }

  @usableFromInline
  @inline(never)  // HP2
  nonisolated func vetoed<A: Action<State>, Reply>(
    _ action: A,
    _ call: GuardedCall,
    _ veto: Veto,
    ended: Duration? = nil
  ) -> Outcome<Reply> {
    report(action, .vetoed(veto), call, ended)
    return .vetoed(veto)
  }

  @usableFromInline
  @inline(never)  // HP2
  nonisolated func failed<A: Action<State>>(_ action: A, _ call: GuardedCall, _ error: A.Failure) {
    report(action, .failed(error), call, guards?.takeTimeOfFailure(call.ticket))
  }

  nonisolated func report<A: Action<State>>(
    _ action: A,
    _ outcome: ReportedOutcome,
    _ call: GuardedCall,
    _ ended: Duration?
  ) {
    report(
      action,
      ActionReport(
        outcome: outcome, ticket: call.ticket, revision: queue.revision, queueLength: Int(call.ahead),
        waited: call.waited, ran: call.ran(until: ended)))
  }

  // MARK: Calls that do not begin

  /// Reports a call that ends before its action begins.
  ///
  /// It returns no outcome, which would take memory in the frame of a waiting task (HP9).
  ///
  /// - Parameter ticket: The ticket of the call, or the number 0 if it got none.
  @usableFromInline
  @inline(never)  // HP2
  nonisolated func didNotBegin<A: Action<State>>(
    _ action: A,
    _ ticket: TicketNumber,
    _ outcome: ReportedOutcome
  ) {
    if guards != nil { reportUnbegun(action, outcome, ticket, guards?.takeWaiting(ticket)) }
  }

  /// Reports a call whose action has not begun.
  nonisolated func reportUnbegun<A: Action<State>>(
    _ action: A,
    _ outcome: ReportedOutcome,
    _ ticket: TicketNumber,
    _ call: WaitingCall?
  ) {
    guard let guards, guards.hasListeners else { return }
    let waited = guards.now().map { $0 - (call?.time ?? $0) }
    // A call with a ticket that has not waited found the store idle.
    let length = call.map { Int($0.ahead) } ?? (ticket == .none ? queue.queuedCount : 0)
    report(
      action,
      ActionReport(outcome: outcome, ticket: ticket, revision: queue.revision, queueLength: length, waited: waited))
  }

  @inlinable
  nonisolated func report<A: Action<State>>(_ action: A, _ report: ActionReport<State>) {
    if !guards!.hasListeners { return }
    if queue.isSimulated { queue.pointBeforeReport() }
    if A._execution.isTransaction { reportMembers(of: action, report) }
    guards!.report(action, report)
  }

  @usableFromInline
  @inline(never)  // HP2
  nonisolated func reportMembers<A: Action<State>>(of transaction: A, _ report: ActionReport<State>) {
    guard let recorder = (transaction as? any RecordedTransaction<State>)?.recorder else { return }
    for (index, member) in recorder.all.enumerated() {
      reportMember(member.action, ActionReport(member, number: index + 1, of: report))
    }
  }

  private nonisolated func reportMember<A: Action<State>>(_ member: A, _ report: ActionReport<State>) {
    guards?.report(member, report)
  }
}

extension ActionReport {
  init(_ member: MemberRecorder<State>.Member, number: Int, of transaction: ActionReport) {
    let isUndone = member.outcome.kind == .committed && transaction.outcome.kind != .committed
    self.init(
      outcome: isUndone ? .undone : member.outcome, ticket: transaction.number, revision: transaction.revision,
      member: number, queueLength: transaction.queueLength, waited: transaction.waited.map { _ in .zero },
      ran: member.ran)
  }
}

extension ReportedOutcome {
  init<Output>(_ outcome: Outcome<Output>) {
    self =
      switch outcome {
      case .committed: .committed
      case .vetoed(let veto): .vetoed(veto)
      case .cancelled: .cancelled
      case .deferred: .deferred
      case .closed: .closed
      }
  }
}

extension GuardedCall {
  @inlinable
  func ran(until ended: Duration?) -> Duration? {
    if let begun, let ended { ended - begun } else { nil }
  }
}
