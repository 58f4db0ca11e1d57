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
    var waiting: [SubscriptionID]?
    let isKept = line.commit(ticket) {
      cell.swap(&draft)
      if hub.isWatched { waiting = hub.publish(cell.copy()) }
      return waiting != nil || guards != nil
    }
    if isKept { tell(action, old: draft, ticket, waiting, guards) }
  }

  /// Makes what was edited in place the state.
  @inlinable
  nonisolated func endApplying<A: Action<State>>(_ action: A, _ ticket: TicketNumber) {
    var waiting: [SubscriptionID]?
    let isKept = line.endApplying(ticket) {
      if hub.isWatched { waiting = hub.publish(cell.copy()) }
      return waiting != nil
    }
    if isKept { tell(action, old: nil, ticket, waiting, nil) }
  }

  /// Makes what was edited in place the state, before guards.
  @inlinable
  nonisolated func endApplying<A: Action<State>>(
    _ action: A,
    old: State?,
    _ ticket: TicketNumber,
    _ guards: any Guards<State>
  ) {
    var waiting: [SubscriptionID]?
    _ = line.endApplying(ticket) {
      if hub.isWatched { waiting = hub.publish(cell.copy()) }
      return true
    }
    tell(action, old: old, ticket, waiting, guards)
  }

  /// Tells subscribers and guards of a commit, and hands the turn on.
  @inlinable
  nonisolated func tell<A: Action<State>>(
    _ action: A,
    old: State?,
    _ ticket: TicketNumber,
    _ waiting: [SubscriptionID]?,
    _ guards: (any Guards<State>)?
  ) {
    if let waiting { hub.offer(cell.copy(), to: waiting) }
    guards?.didUpdate(action, old: old, orNot: nil, new: cell.copy())
    line.handOn(ticket)
  }
}
