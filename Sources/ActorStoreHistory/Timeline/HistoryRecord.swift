#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A commit in a history, without the type of the state.
///
/// The logic of a history does not depend on that type. Code that is generic over it would run without specialization,
/// because a store calls its guards through a protocol.
struct HistoryRecord: Sendable {
  var revision: UInt64
  /// The number of the step that an undo takes back as a whole.
  var step: Int
  let date: Date
  var duration: Duration?
  /// The cost of the state, by the closure of the history.
  var cost: Int
  var isIrreversible = false
  /// The `HistoryContent`.
  let content: any AnyObject & Sendable
  /// The `HistoryContent` with the state that the action started from, if it is not that of the record before.
  var start: (any AnyObject & Sendable)?

  init(
    revision: UInt64 = 0, step: Int = 0, date: Date, cost: Int, isIrreversible: Bool = false,
    content: any AnyObject & Sendable
  ) {
    (self.revision, self.step, self.date, self.cost) = (revision, step, date, cost)
    (self.isIrreversible, self.content) = (isIrreversible, content)
  }
}
