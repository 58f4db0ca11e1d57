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

  /// The progress of a move.
  enum MovePhase: Sendable {
    /// The history admits the move, but a later guard may refuse it.
    case asked
    /// All guards have admitted the move.
    case admitted
    /// The move has run. A middleware can keep an admitted move from running.
    case restored
  }

  var stateMachine: HistoryStateMachine
  /// The target of the newest move, or the error of a jump without a target.
  ///
  /// It is `nil` if another action has begun since then.
  private(set) var target: Target?
  private(set) var phase = MovePhase.asked
  /// The store of the status, once a client has asked for it.
  var status: Store<HistoryStatus>?
  var lastStepID: UInt64 = 0
  var irreversibleTypes = IrreversibleTypes()

  init(stateMachine: HistoryStateMachine) { self.stateMachine = stateMachine }

  func effects(_ dropped: DroppedRecords) -> Effects {
    Effects(dropped: dropped, status: status, hasTarget: target != nil)
  }

  /// Replaces the target, and returns the former one.
  mutating func ask(_ target: Target?) -> Target? {
    defer { (self.target, phase) = (target, .asked) }
    return self.target
  }

  mutating func admit() { phase = .admitted }

  /// Records that the move runs, and returns its target, or `nil` if no move has been admitted.
  mutating func restore() -> Target? {
    if phase == .asked { return nil }
    phase = .restored
    return target
  }

  /// The target of the move that has run.
  var restored: Target? { phase == .restored ? target : nil }
}

extension HistoryStateMachine.Refusal {
  /// The veto that refuses a move, or `nil` if the move fails with an error instead.
  var veto: Veto? {
    switch self {
    case .nothingToUndo: Veto("There is nothing to undo.")
    case .nothingToRedo: Veto("There is nothing to redo.")
    case .irreversible(let revision): Veto("Commit \(revision) cannot be undone.")
    case .missing: nil
    }
  }
}
