import ActorStore

/// The state of a history, which its lock protects.
struct SharedHistory: Sendable {
  typealias Target = Result<HistoryRecord, HistoryError>

  var stateMachine: HistoryStateMachine
  /// The target of the move that has the turn, or the error of a jump without one.
  var approved: Target?
  /// The store of the status, once a client has asked for it.
  var status: Store<HistoryStatus>?
  var lastStepID: UInt64 = 0
  /// Whether actions are irreversible, by their types, because finding that out takes longer.
  var areIrreversible: [ObjectIdentifier: Bool] = [:]

  init(stateMachine: HistoryStateMachine) { self.stateMachine = stateMachine }
}
