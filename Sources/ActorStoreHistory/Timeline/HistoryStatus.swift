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

/// The entries of a history and the position among them.
public struct HistoryTimeline<State: Sendable>: Sendable {
  /// The entries, from the oldest to the newest.
  ///
  /// Those after the position have been undone.
  public let entries: [HistoryEntry<State>]
  /// The index of the entry with the current state.
  public let position: Int
}

/// The reason why a jump is impossible.
public enum HistoryError: Error, Hashable, Sendable {
  /// The history has dropped the entry with the revision, or the revision is that of a move.
  case dropped(UInt64)
  /// There has not been such a revision yet.
  case unknown(UInt64)
}
