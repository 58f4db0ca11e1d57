/// How far the action that has the turn has come.
@usableFromInline enum TurnPhase: Sendable {
  /// The turn was handed over, the action has not begun: it can still be cancelled.
  case handed
  /// The action works on a draft; the committed state can be read.
  case running
  /// The action edits the state in place; a read has to wait for the commit.
  case applying
}

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

/// The action that has the turn.
struct TurnHolder: Hashable, Sendable {
  let ticket: TicketNumber
  let label: ActionLabel
  /// Whether the action can suspend, and so take any length of time.
  let canSuspend: Bool
  var phase: TurnPhase
}
