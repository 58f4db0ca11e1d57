/// The action that has the turn.
struct TurnHolder: Hashable, Sendable {
  let ticket: TicketNumber
  let label: ActionLabel
  /// Whether the action can suspend, and so take any length of time.
  let canSuspend: Bool
  var phase: TurnPhase
}
