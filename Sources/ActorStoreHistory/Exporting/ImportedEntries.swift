#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Collects the entries of a file, and checks each one against the entries before it.
struct ImportedEntries<State: Sendable & Codable> {
  private var records: [HistoryRecord] = []
  private var revisions: Set<UInt64> = []
  private var lastStep = 0

  var count: Int { records.count }

  /// The entries.
  ///
  /// If a number leaves no room for the commits after a restoration, all revisions and steps are renumbered from 0. So
  /// each history can be exported and imported again, whatever its file contains.
  var all: [HistoryEntry<State>] {
    let isLarge = records.contains { $0.revision > HistoryNumbers.max || $0.step > HistoryNumbers.max }
    return (isLarge ? HistoryNumbers.renumbered(records) : records).map { HistoryEntry($0) }
  }

  /// Reads and checks the next entry.
  mutating func add(from lines: inout LineReader) throws(HistoryFileError) {
    let line = try lines.entry(HistoryLine<State>.self)
    guard HistoryNumbers.dates.contains(line.date) else { throw lines.error(.invalid("date is \(line.date)")) }
    guard revisions.insert(line.revision).inserted else {
      throw lines.error(.invalid("revision \(line.revision) occurs twice"))
    }
    if line.step < lastStep { throw lines.error(.invalid("step is less than \(lastStep)")) }
    lastStep = line.step
    var record = HistoryRecord(
      revision: line.revision, step: line.step, date: Date(timeIntervalSince1970: line.date), cost: 0,
      isIrreversible: line.isIrreversible ?? false,
      content: HistoryContent(line.action?.action, line.state, label: line.label))
    record.duration = line.nanoseconds.map { .nanoseconds($0) }
    record.start = line.start.map { HistoryContent<State>(nil, $0.state) }
    records.append(record)
  }
}
