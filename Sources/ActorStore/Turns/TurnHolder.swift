/// The action that has the turn.
struct TurnHolder: Hashable, Sendable {
  let ticket: TicketNumber
  let label: ActionLabel
  /// Whether the action can suspend, and so take any length of time.
  let canSuspend: Bool
  /// A priority that the holder's task has at least, or 0 if it is unknown.
  var priority: UInt8 = 0
  var phase: TurnPhase
}
