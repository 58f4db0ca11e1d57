#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The entries of a file, which are checked one after another.
struct ImportedEntries<State: Sendable & Codable> {
  private(set) var all: [HistoryEntry<State>] = []
  private var revisions: Set<UInt64> = []
  private var lastStep = 0
  /// The largest number, after which there is room to count.
  private static var maxNumber: Int { 1 << 53 }

  /// Reads an entry.
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
