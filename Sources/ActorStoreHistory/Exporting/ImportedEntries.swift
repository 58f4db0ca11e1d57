#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The entries of a file, which are checked one after another.
struct ImportedEntries<State: Sendable & Codable> {
  private(set) var all: [HistoryEntry<State>] = []
  private var revisions: Set<UInt64> = []
  private var last: (stepInFile: Int, step: Int)?
  /// The largest integer that all JSON readers keep.
  private static var maxRevision: UInt64 { 1 << 53 }

  /// Reads an entry.
  mutating func add(from lines: inout LineReader) throws(HistoryFileError) {
    let line = try lines.entry(HistoryLine<State>.self)
    if line.revision > Self.maxRevision { throw lines.error(.invalid("revision is larger than \(Self.maxRevision)")) }
    guard revisions.insert(line.revision).inserted else {
      throw lines.error(.invalid("revision \(line.revision) occurs twice"))
    }
    if let last, line.step < last.stepInFile {
      throw lines.error(.invalid("step is less than that of the line before"))
    }
    // The numbers of the file can be too large to count further.
    let step = last.map { $0.step + (line.step > $0.stepInFile ? 1 : 0) } ?? 0
    last = (line.step, step)
    var record = HistoryRecord(
      revision: line.revision, step: step, date: Date(timeIntervalSince1970: line.date), cost: 0,
      isIrreversible: line.isIrreversible ?? false,
      content: HistoryContent(line.action?.action, line.state, label: line.label))
    record.duration = line.nanoseconds.map { .nanoseconds($0) }
    record.start = line.start.map { HistoryContent<State>(nil, $0) }
    all.append(HistoryEntry(record))
  }
}
