/// The end of an action: commit, then subscribers, then guards, then the next one's turn (P5).
extension Store {
  /// Makes a draft the state.
  @inlinable
  nonisolated func commit<A: Action<State>>(
    _ action: A,
    _ draft: inout State,
    _ ticket: TicketNumber,
    _ guards: (any Guards<State>)?
  ) {
    let isUnwatched = line.commit(ticket, keepingTurn: guards != nil) { cell.swap(&draft) }
    if isUnwatched && guards == nil { return }
    if !isUnwatched { commitWatched(&draft, ticket) }
    guards?.didUpdate(action, old: draft, orNot: nil, new: cell.copy())
    line.handOn(ticket)
  }

  /// Makes what was edited in place the state.
  @inlinable
  nonisolated func endApplying(_ ticket: TicketNumber) {
    if line.endApplying(ticket, keepingTurn: false) { return }
    endApplyingWatched(ticket)
    line.handOn(ticket)
  }

  /// Makes what was edited in place the state; the turn is still to be handed on.
  @inlinable
  nonisolated func endApplyingKeepingTurn(_ ticket: TicketNumber) {
    if !line.endApplying(ticket, keepingTurn: true) { endApplyingWatched(ticket) }
  }

  /// Makes a draft the state, and tells the subscribers.
  @inlinable
  @inline(never)
  nonisolated func commitWatched(_ draft: inout State, _ ticket: TicketNumber) {
    var waiting: [SubscriptionID] = []
    line.commitWatched(ticket) {
      cell.swap(&draft)
      waiting = hub.publish(cell.copy())
    }
    if !waiting.isEmpty { hub.offer(cell.copy(), to: waiting) }
  }

  /// Makes what was edited in place the state, and tells the subscribers.
  @inlinable
  @inline(never)
  nonisolated func endApplyingWatched(_ ticket: TicketNumber) {
    var waiting: [SubscriptionID] = []
    line.commitWatched(ticket) { waiting = hub.publish(cell.copy()) }
    if !waiting.isEmpty { hub.offer(cell.copy(), to: waiting) }
  }
}
