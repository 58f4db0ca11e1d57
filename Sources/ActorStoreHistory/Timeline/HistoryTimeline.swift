/// The entries of a history and the position among them.
public struct HistoryTimeline<State: Sendable>: Sendable {
  /// The entries, from the oldest to the newest.
  ///
  /// Those after the position have been undone.
  public let entries: [HistoryEntry<State>]
  /// The index of the entry with the current state.
  public let position: Int
  /// The entry with the current state, or `nil` before the first commit.
  public var current: HistoryEntry<State>? { entries.isEmpty ? nil : entries[position] }
}
