public import ActorStore

/// The result of replaying the actions of a history.
public struct HistoryReplay<State: Sendable>: Sendable {
  /// The first state that differs from the recorded one, or the first action that was not committed.
  public struct Difference: Hashable, Sendable, CustomStringConvertible {
    /// The revision of the entry.
    public let revision: UInt64
    /// The label of the action.
    public let label: String
    /// The fields that differ, as `Dump.difference` describes them, or why the action was not committed.
    public let text: String

    /// The revision, the label, and the fields.
    public var description: String { "After revision \(revision), \(label):\n\(text)" }
  }

  /// The store in which the actions ran.
  ///
  /// It has the state after the last entry that was replayed.
  public let store: Store<State>
  /// The number of actions that ran and reproduced the recorded state.
  public let replayedCount: Int
  /// The revisions of the entries whose action is not registered, such as a closure or a transaction.
  ///
  /// The replay adopted the recorded states of these entries.
  public let adopted: [UInt64]
  /// The first difference, at which the replay ended, or `nil` if all replayed states equal the recorded ones.
  public let difference: Difference?
}
