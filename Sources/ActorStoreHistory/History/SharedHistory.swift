import ActorStore

/// The state of a history, which its lock protects.
struct SharedHistory: Sendable {
  typealias Target = Result<HistoryRecord, HistoryError>

  /// The effects of a change of the entries, which the caller applies without the lock.
  struct Effects: Sendable {
    let dropped: DroppedRecords
    let status: Store<HistoryStatus>?
    /// Whether the target of a move has to be released.
    let hasTarget: Bool
  }

  var stateMachine: HistoryStateMachine
  /// The target of the move that has the turn, or the error of a jump without one.
  var approved: Target?
  /// Whether that move has run.
  ///
  /// A middleware can keep a move from running.
  private(set) var hasRestored = false
  /// The store of the status, once a client has asked for it.
  var status: Store<HistoryStatus>?
  var lastStepID: UInt64 = 0
  var irreversibleTypes = IrreversibleTypes()

  init(stateMachine: HistoryStateMachine) { self.stateMachine = stateMachine }

  func effects(_ dropped: DroppedRecords) -> Effects {
    Effects(dropped: dropped, status: status, hasTarget: approved != nil)
  }

  /// Records that the move with the turn runs, and returns its target, or `nil` if no move was approved.
  mutating func beginMove() -> Target? {
    hasRestored = approved != nil
    return approved
  }

  /// Replaces the target with that of a move that begins.
  ///
  /// - Returns: The reason why the move is impossible, and the target of an older move.
  mutating func approve(_ target: Result<HistoryRecord, HistoryStateMachine.Refusal>) -> (Veto?, stale: Target?) {
    let stale = approved.take()
    hasRestored = false
    switch target {
    case .success(let record): approved = .success(record)
    // The action fails with the error.
    case .failure(.missing(let error)): approved = .failure(error)
    case .failure(.nothingToUndo): return (Veto("There is nothing to undo."), stale)
    case .failure(.nothingToRedo): return (Veto("There is nothing to redo."), stale)
    case .failure(.irreversible(let revision)): return (Veto("Commit \(revision) cannot be undone."), stale)
    }
    return (nil, stale)
  }
}
