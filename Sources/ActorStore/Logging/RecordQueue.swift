/// Passes records to a sink, one at a time.
///
/// The caller that adds a record while there is no writer becomes the writer. All other callers leave their records
/// and return. So a sink that blocks holds up one caller.
final class RecordQueue: Sendable {
  typealias Entry = RecordQueueStateMachine<LogRecord>.Entry

  let limit: Int
  private let queue: Locked<RecordQueueStateMachine<LogRecord>>
  private let write: @Sendable (LogRecord) -> Void

  init(limit: Int, _ write: @escaping @Sendable (LogRecord) -> Void) {
    self.limit = max(1, limit)
    queue = Locked(RecordQueueStateMachine(limit: self.limit))
    self.write = write
  }

  /// Adds a record, and returns an entry if the caller must write it and the entries that follow it.
  func add(_ record: LogRecord) -> Entry? { queue.withLock { $0.add(record) } }

  /// Counts a record that will not be written.
  func drop() { queue.withLock { $0.drop() } }

  /// Writes an entry, and then others until there are none.
  func write(_ first: Entry) {
    write(entry: first)
    writeOthers()
  }

  /// Writes entries until there are none.
  ///
  /// Under load, other callers may add records as fast as the sink takes them. After its share of records, the writer
  /// starts a task that continues, so that its own action ends.
  private func writeOthers() {
    var share = 256
    while let entries = queue.withLock({ $0.take() }) {
      for entry in entries { write(entry: entry) }
      share -= entries.count
      if share <= 0 {
        _ = inheritingTask { self.writeOthers() }
        return
      }
    }
  }

  private func write(entry: Entry) {
    if entry.dropped == 0 { return write(entry.record) }
    var record = entry.record
    record.dropped = entry.dropped
    write(record)
  }
}
