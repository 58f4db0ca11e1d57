#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The numbers in files.
enum HistoryNumbers {
  /// The largest number of entries, and the largest revision and step that an import keeps.
  static let max = 1 << 53

  /// The seconds since 1970 of the years 1 to 4000, outside of which calendars do not work.
  static let dates = Date.distantPast.timeIntervalSince1970...Date.distantFuture.timeIntervalSince1970

  /// The same records with revisions and steps that begin with 0, in the same order.
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
