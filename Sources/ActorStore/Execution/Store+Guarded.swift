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
    if let veto = endIfVetoed(action, ticket, inPlace: false) { return vetoed(action, call, veto) }
    var draft = cell.copy()
    // Declared before `push` (HP6).
    var output: A.Output?
    var stop: Stop<A.Failure>?
    if RuntimeShortcuts.areOn {
      let pushed = CallChain.push(ticket, of: queue)
      do throws(Stop<A.Failure>) {
        output = try await perform(action, &draft)
      } catch {
        stop = error
      }
      CallChain.pop(pushed)
    } else {
      await CallChain.nest(in: ticket, of: queue) {
        do throws(Stop<A.Failure>) {
          output = try await perform(action, &draft)
        } catch {
          stop = error
        }
      }
    }
    if let stop { return try endStopped(action, stop, call) }
    let ended = guards!.now()
    let value = reply(output!, draft)
    commitGuarded(action, &draft, ticket, call, ended)
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
    if let veto = endIfVetoed(action, ticket, inPlace: inPlace) { return vetoed(action, call, veto) }
    if inPlace { return try editGuarded(action, call, reply: reply) }
    var draft = cell.copy()
    let value: Reply
    do throws(Stop<A.Failure>) {
      value = reply(try perform(action, &draft), draft)
    } catch {
      return try endStopped(action, error, call)
    }
    commitGuarded(action, &draft, ticket, call, guards!.now())
    return .committed(value)
  }

  /// Runs a mutation that edits the state in place, after the guards have admitted it.
  @inlinable
  nonisolated func editGuarded<A: Action<State>, Reply: Sendable>(
    _ action: A,
    _ call: GuardedCall,
    reply: @Sendable (A.Output, State) -> Reply
  ) throws(A.Failure) -> Outcome<Reply> {
    let old = guards!.wantsOldState ? cell.copy() : nil
    let value: Reply
    do throws(Stop<A.Failure>) {
      value = try cell.edit { state throws(Stop<A.Failure>) in reply(try perform(action, &state), state) }
    } catch {
      queue.stopApplying(call.ticket)
      return try endStopped(action, error, call)
    }
    let ended = guards!.now()
    let keepsTurn = guards!.keepsTurn
    var revision = queue.endApplyingGuarded(call.ticket, keepingTurn: keepsTurn)
    if revision != 0 && !keepsTurn {
      committed(action, call, revision, ended, nil)
      return .committed(value)
    }
    if revision == 0 { revision = commitWatched(action, call.ticket) {} }
    guards!.didUpdate(action, old: old, orNot: nil, new: cell.copy())
    var states: ReportedStates<State>?
    if let old, guards!.reportsStates { states = ReportedStates(old: old, new: cell.copy()) }
    queue.handOff(call.ticket)
    committed(action, call, revision, ended, states)
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
    if let veto = guards!.admit(action, state: cell.copy()) {
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
  @inlinable
  nonisolated func commitGuarded<A: Action<State>>(
    _ action: A,
    _ draft: inout State,
    _ ticket: TicketNumber,
    _ call: GuardedCall,
    _ ended: Duration?
  ) {
    let states = guards!.reportsStates ? ReportedStates(old: cell.copy(), new: draft) : nil
    let revision = queue.nextRevision
    commit(action, &draft, ticket)
    committed(action, call, revision, ended, states)
  }

  /// Ends the turn of an action that failed or was refused by middleware.
  ///
  /// If a transaction failed with a veto, returns the veto.
  @inlinable
  @inline(never)  // HP2
  nonisolated func endStopped<A: Action<State>, Reply>(
    _ action: A,
    _ stop: Stop<A.Failure>,
    _ call: GuardedCall
  ) throws(A.Failure) -> Outcome<Reply> {
    let ended = guards!.now()
    switch stop {
    case .failed(let error):
      guards!.willFail(action, error)
      queue.endWithoutCommit(call.ticket)
      if A._execution.isTransaction, let veto = error as? Veto { return vetoed(action, call, veto, ended: ended) }
      failed(action, call, error, ended)
      throw error
    case .vetoed(let veto):
      guards!.didVeto(action, veto)
      queue.endWithoutCommit(call.ticket)
      return vetoed(action, call, veto, ended: ended)
    }
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
    if !guards!.hasListeners { return }
    report(
      action,
      ActionReport(
        outcome: .committed, ticket: call.ticket, revision: revision, queueLength: Int(call.ahead),
        waited: call.waited, ran: call.ran(until: ended), states: states))
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
  nonisolated func failed<A: Action<State>>(
    _ action: A,
    _ call: GuardedCall,
    _ error: A.Failure,
    _ ended: Duration?
  ) {
    report(action, .failed(error), call, ended)
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
