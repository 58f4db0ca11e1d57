/// The action that has the turn.
struct TurnHolder: Hashable, Sendable {
  let ticket: TicketNumber
  let label: ActionLabel
  /// Whether the action can suspend, and so take any length of time.
  let canSuspend: Bool
  /// A lower bound for the priority of the holder's task, or 0 if the priority is unknown.
  var priority: UInt8 = 0
  var phase: TurnPhase
}
