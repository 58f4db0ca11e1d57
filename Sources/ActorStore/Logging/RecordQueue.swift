/// Passes records to a sink, one at a time.
///
/// The caller that adds a record while there is no writer becomes the writer. All other callers leave their records
/// and return. So a sink that blocks holds up one caller.
final class RecordQueue: Sendable {
  let limit: Int
  /// A record, or a task that waits until all earlier records have been written.
  private enum Item: Sendable {
    case record(LogRecord)
    case waiter(Parked<Void>)
  }

  private let queue: Locked<RecordQueueStateMachine<Item>>
  private let write: @Sendable (LogRecord) -> Void

  init(limit: Int, _ write: @escaping @Sendable (LogRecord) -> Void) {
    self.limit = max(1, limit)
    queue = Locked(RecordQueueStateMachine(limit: self.limit))
    self.write = write
  }

  /// Adds a record and returns `nil`, unless the caller must write the record and the entries that follow it.
  ///
  /// If the caller must write, it returns the number of records that were dropped before the record. It does not return
  /// the record, because a record is expensive to copy.
  func add(_ record: LogRecord) -> Int? { queue.withLock { $0.add(.record(record)) } }

  /// Counts a record that will not be written.
  func drop() { queue.withLock { $0.drop() } }

  /// Writes a record, and then the entries that follow it until there are none.
  ///
  /// - Parameters:
  ///   - first: The record.
  ///   - dropped: The number of records that were dropped before it.
  func write(_ first: LogRecord, dropped: Int) {
    write(record: first, dropped: dropped)
    writeOthers()
  }

  /// Writes entries until there are none.
  ///
  /// Under load, other callers may add records as fast as the sink takes them. After its share of records, the writer
  /// starts a task that continues, so that its own action ends.
  private func writeOthers() {
    for _ in 0..<256 {
      guard let entry = queue.withLock({ $0.take() }) else { return }
      switch entry.record {
      case .record(let record): write(record: record, dropped: entry.dropped)
      case .waiter(let task): task.resume(returning: ())
      }
    }
    _ = inheritingTask { self.writeOthers() }
  }

  private func write(record: LogRecord, dropped: Int) {
    if dropped == 0 { return write(record) }
    var record = record
    record.dropped = dropped
    write(record)
  }

  // MARK: The end

  /// Whether every record has been written.
  var isIdle: Bool { queue.withLock { !$0.isWriting } }

  /// Waits until all earlier records have been written.
  func waitUntilWritten() async {
    await park { task in
      if !queue.withLock({ $0.addToWriter(.waiter(task)) }) { task.resume(returning: ()) }
    }
  }
}
