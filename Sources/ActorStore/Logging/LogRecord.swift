/// The end of one call to a store, as text and numbers.
public struct LogRecord: Sendable {
  /// The name of the store.
  public let store: String
  /// The label of a closure or a transaction, or the name of the type of any other action, or of a group.
  public let label: String
  /// The text of the action or the group, as ``ActionLogger`` describes it, or `nil` if the text is only the label.
  public let payload: String?
  /// How the call ended.
  public let outcome: ReportedOutcome.Kind
  /// The text of a failed call's error, or the reason of a veto.
  public let reason: String?
  /// The position of the call in the store's queue, as in ``ActionReport/ticket``.
  public let ticket: UInt64?
  /// The number of commits, as in ``ActionReport/revision``, or `nil` for a group.
  public let revision: UInt64?
  /// The number of the member in its transaction, starting at 1, or `nil` if the action is not a member.
  public let member: Int?
  /// The number of actions that waited for their turn when the call was made, or `nil` for a group.
  public let queueLength: Int?
  /// The time from the call until the action began, or `nil` if it is not known.
  public let waited: Duration?
  /// The time that the action or the group ran, or `nil` if it did not run or the time is not known.
  public let ran: Duration?
  /// The changes of the state, as ``Dump/difference(from:to:limits:)`` describes them, or `no change`.
  ///
  /// It is `nil` if the call did not commit, if the action was a member, or if the logger shows no differences.
  public let difference: String?
  /// The state after the commit, as `Dump` describes it.
  ///
  /// It is `nil` if the call did not commit, if the action was a member, or if the logger shows no states.
  public let state: String?
  /// The number of records that were dropped immediately before this one, because too many records waited.
  public internal(set) var dropped = 0
}
