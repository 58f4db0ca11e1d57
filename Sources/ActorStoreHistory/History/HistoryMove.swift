public import ActorStore

/// The action that undoes or redoes a step.
///
/// You get it from ``History/undo()`` and ``History/redo()``.
public struct HistoryMove<State: Sendable>: Mutation, TimeMove, CustomStringConvertible {
  /// A move has no result.
  public typealias Output = Void
  /// A move does not fail.
  public typealias Failure = Never

  let history: History<State>
  let move: HistoryStateMachine.Move

  /// Restores the state.
  public func run(_ state: inout State) {
    // An undo has a target, or the history refuses it.
    try? history.restore(&state)
  }

  /// `undo` or `redo`.
  public var description: String { "\(move)" }
}

/// The action that goes to any entry of a history.
///
/// You get it from ``History/jump(to:)`` and ``History/rollback(to:)``.
public struct HistoryJump<State: Sendable>: Mutation, TimeMove, CustomStringConvertible {
  /// A jump has no result.
  public typealias Output = Void
  /// The error of a jump to an entry that does not exist.
  public typealias Failure = HistoryError

  let history: History<State>
  let move: HistoryStateMachine.Move

  /// Restores the state.
  ///
  /// - Throws: An error if there is no such entry.
  public func run(_ state: inout State) throws(HistoryError) { try history.restore(&state) }

  /// The move and its revision.
  public var description: String { "\(move)" }
}

/// Moving in time.
extension History {
  /// Returns the action that undoes the last step.
  ///
  /// If there is none, or if it cannot be undone, the history refuses the action with a reason. In a transaction, a move
  /// starts from the position before the transaction, and the commit is a new entry.
  ///
  /// Each move finds its target when it begins, so you can dispatch the same move several times. If you call a move's
  /// `run` yourself, or dispatch the move to a store without this history, the program stops with a message.
  public func undo() -> HistoryMove<State> { HistoryMove(history: self, move: .undo) }

  /// Returns the action that redoes the step that was undone last.
  ///
  /// If there is none, the history refuses the action with a reason.
  public func redo() -> HistoryMove<State> { HistoryMove(history: self, move: .redo) }

  /// Returns the action that goes to an entry.
  ///
  /// The later entries are kept, so you can go forward again. The action fails if there is no such entry. The history
  /// refuses it if the way back passes a commit that cannot be undone.
  ///
  /// - Parameter revision: The revision of the entry.
  public func jump(to revision: UInt64) -> HistoryJump<State> {
    HistoryJump(history: self, move: .jump(revision))
  }

  /// Returns the action that goes to an entry and drops the later ones.
  ///
  /// Otherwise, it is like ``jump(to:)``.
  ///
  /// - Parameter revision: The revision of the entry.
  public func rollback(to revision: UInt64) -> HistoryJump<State> {
    HistoryJump(history: self, move: .rollback(revision))
  }
}
