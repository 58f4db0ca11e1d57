/// The end of an action: commit, then subscribers, then guards, then the next one's turn (P5).
extension Store {
  /// Makes a draft the state.
  @inlinable
  nonisolated func commit<A: Action<State>>(
    _ action: A,
    _ draft: inout State,
    _ ticket: TicketNumber
  ) {
    let isUnwatched = line.commit(ticket, keepingTurn: guards != nil) { cell.swap(&draft) }
    if isUnwatched && guards == nil { return }
    if !isUnwatched { commitWatched(ticket) { cell.swap(&draft) } }
    guards?.didUpdate(action, old: draft, orNot: nil, new: cell.copy())
    line.handOn(ticket)
  }

  /// Makes what was edited in place the state.
  @inlinable
  nonisolated func endApplying(_ ticket: TicketNumber) {
    if line.endApplying(ticket, keepingTurn: false) { return }
    commitWatched(ticket) {}
    line.handOn(ticket)
  }

  /// Makes what was edited in place the state; the turn is still to be handed on.
  @inlinable
  nonisolated func endApplyingKeepingTurn(_ ticket: TicketNumber) {
    if !line.endApplying(ticket, keepingTurn: true) { commitWatched(ticket) {} }
  }

  /// Commits what `install` makes the state, and tells the subscribers; the turn is still to be handed on.
  @inlinable
  @inline(never)
  nonisolated func commitWatched(_ ticket: TicketNumber, install: () -> Void) {
    var publication = Broadcast.Publication()
    var selected = SubscriptionHub.Selected()
    let revision = line.commitWatched(ticket) {
      install()
      publication = hub.states.publish { Published(cell.copy()) }
      selected = hub.selected()
    }
    hub.states.offer(publication)
    if !selected.isEmpty { hub.evaluate(selected, Published(cell.copy()), at: revision) }
  }
}
