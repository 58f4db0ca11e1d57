/// What guards add to the steps of an action: they are called with the turn, and without a lock.
extension Store {
  /// Asks the guards whether an action may run; if not, its turn is handed on.
  @inlinable
  nonisolated func veto<A: Action<State>>(
    _ action: A,
    _ ticket: TicketNumber,
    _ guards: any Guards<State>
  ) -> Veto? {
    if let veto = guards.shouldUpdate(action, state: cell.copy()) {
      if A._execution == .inPlace { line.stopApplying(ticket) }
      line.release(ticket)
      return veto
    }
    guards.willUpdate(action, state: cell.copy())
    return nil
  }

  /// Makes a draft the state and hands the turn on; in between, the guards hear of it.
  @inlinable
  nonisolated func commit<A: Action<State>>(
    _ action: A,
    _ draft: inout State,
    _ ticket: TicketNumber,
    _ guards: (any Guards<State>)?
  ) {
    guard let guards else { return line.commit(ticket) { cell.swap(&draft) } }
    line.commitKeepingTurn(ticket) { cell.swap(&draft) }
    guards.didUpdate(action, old: draft, orNot: nil, new: cell.copy())
    line.handOn(ticket)
  }

  /// Makes what was edited in place the state and hands the turn on; in between, the guards hear of it.
  @inlinable
  nonisolated func endApplying<A: Action<State>>(
    _ action: A,
    _ old: State?,
    _ ticket: TicketNumber,
    _ guards: (any Guards<State>)?
  ) {
    guard let guards else { return line.endApplying(ticket) }
    line.endApplyingKeepingTurn(ticket)
    guards.didUpdate(action, old: old, orNot: nil, new: cell.copy())
    line.handOn(ticket)
  }

  /// Hands the turn on after an error; before that, the guards hear of it.
  @inlinable
  nonisolated func fail<A: Action<State>>(
    _ action: A,
    _ error: A.Failure,
    _ ticket: TicketNumber,
    _ guards: (any Guards<State>)?
  ) {
    guards?.didFail(action, error: error, state: cell.copy())
    line.release(ticket)
  }
}
