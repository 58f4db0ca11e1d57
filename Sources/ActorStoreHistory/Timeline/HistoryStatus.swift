/// What a history can do at the moment.
public struct HistoryStatus: Hashable, Sendable {
  /// Whether there is a step to undo, and no irreversible action is in it.
  public let canUndo: Bool
  /// Whether there is a step to redo.
  public let canRedo: Bool
  /// The number of entries.
  public let count: Int
  /// The index of the entry with the current state.
  public let position: Int
  /// The revision of that entry.
  public let revision: UInt64
}
