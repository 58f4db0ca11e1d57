/// What guards add to the steps of an action: they are called with the turn, and without a lock.
extension Store {
  /// Asks the guards, if there are any, whether an action may run; if not, its turn is handed on.
  @inlinable
  nonisolated func veto<A: Action<State>>(
    _ action: A,
    _ ticket: TicketNumber
  ) -> Veto? {
    guards == nil ? nil : vetoOfGuards(action, ticket)
  }

  @inlinable
  @inline(never)
  nonisolated func vetoOfGuards<A: Action<State>>(
    _ action: A,
    _ ticket: TicketNumber
  ) -> Veto? {
    // Bound to a name they would be retained, which takes as long as asking them.
    guard let veto = guards?.admit(action, state: cell.copy()) else { return nil }
    guards?.didVeto(action, veto)
    if A._execution == .inPlace { line.stopApplying(ticket) }
    line.release(ticket)
    return veto
  }

  /// Edits in place, commits and hands the turn on; before that, the guards hear of it.
  @inlinable
  nonisolated func applyInPlace<A: Action<State>, Reply>(
    _ action: A,
    _ ticket: TicketNumber,
    reply: @Sendable (A.Output, State) -> Reply
  ) throws(A.Failure) -> Reply {
    let old = guardsWantOldState ? cell.copy() : nil
    let value = try cell.edit { state throws(A.Failure) in reply(try action._runSynchronously(&state), state) }
    endApplyingKeepingTurn(ticket)
    guards?.didUpdate(action, old: old, orNot: nil, new: cell.copy())
    line.handOn(ticket)
    return value
  }

  /// Hands the turn on after an error; before that, the guards hear of it.
  @inlinable
  @inline(never)
  nonisolated func fail<A: Action<State>>(
    _ action: A,
    _ error: A.Failure,
    _ ticket: TicketNumber
  ) {
    guards?.didFail(action, error: error, state: cell.copy())
    line.release(ticket)
  }
}
