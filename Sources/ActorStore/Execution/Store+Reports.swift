/// The reports of the calls to a store with guards, outside the turn and without a lock.
extension Store {
  @inlinable
  nonisolated func committed<A: Action<State>>(
    _ action: A,
    _ call: GuardedCall,
    _ revision: UInt64,
    _ ended: Duration?,
    _ states: ReportedStates<State>?,
    _ recorder: MemberRecorder<State>?
  ) {
    if !guards!.hasListeners { return }
    report(
      action,
      ActionReport(
        outcome: .committed, ticket: call.ticket, revision: revision, queueLength: Int(call.ahead),
        waited: call.waited, ran: call.ran(until: ended), states: states),
      recorder, isCounted: true)
  }

  @usableFromInline
  @inline(never)  // HP2
  nonisolated func vetoed<A: Action<State>, Reply>(
    _ action: A,
    _ call: GuardedCall,
    _ veto: Veto,
    _ ended: Duration?,
    _ recorder: MemberRecorder<State>?
  ) -> Outcome<Reply> {
    report(action, .vetoed(veto), call, ended, recorder)
    return .vetoed(veto)
  }

  @usableFromInline
  @inline(never)  // HP2
  nonisolated func failed<A: Action<State>>(
    _ action: A,
    _ call: GuardedCall,
    _ error: A.Failure,
    _ ended: Duration?,
    _ recorder: MemberRecorder<State>?
  ) {
    report(action, .failed(error), call, ended, recorder)
  }

  nonisolated func report<A: Action<State>>(
    _ action: A,
    _ outcome: ReportedOutcome,
    _ call: GuardedCall,
    _ ended: Duration?,
    _ recorder: MemberRecorder<State>?
  ) {
    report(
      action,
      ActionReport(
        outcome: outcome, ticket: call.ticket, revision: queue.revision, queueLength: Int(call.ahead),
        waited: call.waited, ran: call.ran(until: ended)),
      recorder, isCounted: outcome.isLast)
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
    let length = call.map { Int($0.ahead) } ?? queue.queuedCount
    report(
      action,
      ActionReport(outcome: outcome, ticket: ticket, revision: queue.revision, queueLength: length, waited: waited),
      nil, isCounted: call != nil && outcome.isLast)
  }

  @inlinable
  nonisolated func report<A: Action<State>>(
    _ action: A,
    _ report: ActionReport<State>,
    _ recorder: MemberRecorder<State>?,
    isCounted: Bool
  ) {
    if !guards!.hasListeners { return }
    if queue.isSimulated { queue.pointBeforeReport() }
    if recorder != nil { reportMembers(recorder!, report) }
    guards!.report(action, report, isCounted: isCounted)
  }

  @usableFromInline
  @inline(never)  // HP2
  nonisolated func reportMembers(_ recorder: MemberRecorder<State>, _ report: ActionReport<State>) {
    for (index, member) in recorder.all.enumerated() {
      reportMember(member.action, ActionReport(member, number: index + 1, of: report))
    }
  }

  private nonisolated func reportMember<A: Action<State>>(_ member: A, _ report: ActionReport<State>) {
    guards?.report(member, report, isCounted: false)
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
  /// Whether no other report of the call follows.
  var isLast: Bool { if case .deferred = self { false } else { true } }

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
