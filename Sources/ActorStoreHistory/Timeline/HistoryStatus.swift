/// The position of a history, and the moves that are possible from there.
public struct HistoryStatus: Hashable, Sendable {
  /// Whether there is a step to undo that contains no irreversible action.
  public let canUndo: Bool
  /// Whether there is a step to redo.
  public let canRedo: Bool
  /// The number of entries.
  public let count: Int
  /// The index of the entry with the current state.
  public let position: Int
  /// The revision of the entry with the current state.
  public let revision: UInt64
}
