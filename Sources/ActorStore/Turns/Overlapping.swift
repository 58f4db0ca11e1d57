/// An action that runs without a turn.
struct Overlapping: Hashable, Sendable {
  let label: ActionLabel
  /// The ID of the action in call chains and in the wait graph.
  ///
  /// It is not the turn in which the action started. In a call chain, a later turn of the same store replaces that
  /// turn, but the chain must still show that the code is nested in this action.
  let turn: TurnID
}
