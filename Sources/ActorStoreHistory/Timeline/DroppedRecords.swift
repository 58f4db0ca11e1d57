/// The records that a change of a history drops.
///
/// Most commits drop at most one record, and storing the first one allocates no array.
struct DroppedRecords: Sendable {
  private var first: HistoryRecord?
  private var others: [HistoryRecord] = []

  mutating func append(_ record: HistoryRecord) {
    if first == nil { first = record } else { others.append(record) }
  }

  var isEmpty: Bool { first == nil }

  /// All records, in the order in which they were dropped.
  var all: [HistoryRecord] { first.map { [$0] + others } ?? [] }
}
