/// An action that runs without a turn.
struct Overlapping: Hashable, Sendable {
  let label: ActionLabel
  /// By what it is known where it waits for others; nil where nobody can wait for it but its own caller.
  ///
  /// Not the turn of its start: what it dispatches to its own store runs below a turn of that store, which takes the
  /// place of an earlier one, and must still be known to be below this action.
  let turn: TurnID?
}
