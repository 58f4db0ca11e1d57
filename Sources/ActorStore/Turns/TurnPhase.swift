/// How far the action that has the turn has come.
@usableFromInline enum TurnPhase: Sendable {
  /// The turn was handed over. The action can still be cancelled, unless it is one that may suspend: whether that has
  /// begun is not said under the lock (`TurnLine.beginUnlocked`).
  case handed
  /// The action works on a draft; the committed state can be read.
  case running
  /// The action edits the state in place; a read has to wait for the commit.
  case applying
}
