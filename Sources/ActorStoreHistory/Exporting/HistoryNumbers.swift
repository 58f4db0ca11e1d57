#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The limits of the numbers in files.
enum HistoryNumbers {
  /// The largest number of entries, and the largest revision and step that an import keeps.
  static let max = 1 << 53

  /// The years 1 to 4000 in seconds since 1970, because calendars do not work outside this range.
  static let dates = Date.distantPast.timeIntervalSince1970...Date.distantFuture.timeIntervalSince1970

  /// Returns the same records, with revisions and steps that are renumbered from 0 in the same order.
  static func renumbered(_ records: [HistoryRecord]) -> [HistoryRecord] {
    let revisions = records.map(\.revision).sorted()
    let ranks = Dictionary(zip(revisions, revisions.indices)) { first, _ in first }
    var (records, step, last) = (records, 0, records.first?.step)
    for index in records.indices {
      if records[index].step != last { (step, last) = (step + 1, records[index].step) }
      (records[index].revision, records[index].step) = (UInt64(ranks[records[index].revision] ?? 0), step)
    }
    return records
  }
}
