#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Collects the entries of a file, and checks each one against the entries before it.
struct ImportedEntries<State: Sendable & Codable> {
  private(set) var all: [HistoryEntry<State>] = []
  private var revisions: Set<UInt64> = []
  private var lastStep = 0
  /// The largest revision or step in a file, which leaves room for the commits after a restoration.
  private static var maxNumber: Int { 1 << 53 }

  /// Reads and checks the next entry.
  mutating func add(from lines: inout LineReader) throws(HistoryFileError) {
    let line = try lines.entry(HistoryLine<State>.self)
    if line.revision > Self.maxNumber { throw lines.error(.invalid("revision is larger than \(Self.maxNumber)")) }
    if line.step > Self.maxNumber { throw lines.error(.invalid("step is larger than \(Self.maxNumber)")) }
    if !line.date.isFinite { throw lines.error(.invalid("date is \(line.date)")) }
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
    all.append(HistoryEntry(record))
  }
}
