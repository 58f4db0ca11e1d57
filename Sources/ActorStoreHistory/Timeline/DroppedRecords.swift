/// Records that a history no longer has.
///
/// Most commits drop at most one record, which needs no memory for an array.
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
