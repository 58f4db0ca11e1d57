/// The progress of the action that has the turn.
@usableFromInline enum TurnPhase: Sendable {
  /// The action has the turn but has not begun, so it can still be canceled.
  ///
  /// An action that begins without the lock stays in this phase (`TurnQueue.beginUnlocked`).
  case granted
  /// The action works on a draft, and the committed state can be read.
  case running
  /// The action edits the state in place, so a read waits for the commit.
  case applying
}
