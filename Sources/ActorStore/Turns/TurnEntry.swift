/// What became of a call that asked for a ticket.
@usableFromInline enum TurnEntry: Sendable {
  /// The turn is the caller's.
  case run(TicketNumber)
  /// The caller is to park until it is resumed. `isBrief` when nothing ahead of it can suspend.
  case wait(TicketNumber, isBrief: Bool)
  /// The caller runs below the action it would wait for: it must not wait (P7), another task runs its action.
  case deferred(TicketNumber)
  case closed
}
