/// The records that wait for a sink, and the choice of the caller that writes them.
struct RecordQueueStateMachine<Record: Sendable>: Sendable {
  /// A record, and the number of records that were dropped before it.
  struct Entry: Sendable {
    let record: Record
    let dropped: Int
  }

  private var entries = Fifo<Entry>()
  private(set) var isWriting = false
  /// The number of records that were dropped after the last entry.
  private(set) var dropped = 0
  private let limit: Int

  init(limit: Int) {
    self.limit = limit
  }

  /// Adds a record, or drops it if too many records wait.
  ///
  /// If there is no writer, it does not add the record, and the caller becomes the writer. It then returns the number of
  /// records that were dropped before the record. The caller must write the record, and then take entries until there
  /// are none. Otherwise, it returns `nil`.
  mutating func add(_ record: Record) -> Int? {
    if !isWriting {
      isWriting = true
      return takeDropped()
    }
    if entries.count < limit { entries.append(Entry(record: record, dropped: takeDropped())) } else { drop() }
    return nil
  }

  /// Adds an entry behind all others, even at the limit, or returns `false` if there is no writer.
  ///
  /// Without a writer, every earlier record has been written.
  mutating func addToWriter(_ record: Record) -> Bool {
    if isWriting { entries.append(Entry(record: record, dropped: 0)) }
    return isWriting
  }

  private mutating func takeDropped() -> Int {
    defer { dropped = 0 }
    return dropped
  }

  /// Counts a record that will not be written.
  mutating func drop() { dropped += 1 }

  /// Takes the entry to write next.
  ///
  /// If there is none, it returns `nil`, and the caller is no longer the writer.
  mutating func take() -> Entry? {
    if entries.isEmpty { isWriting = false }
    return entries.popFirst()
  }
}

extension RecordQueueStateMachine.Entry: Equatable where Record: Equatable {}
extension RecordQueueStateMachine.Entry: Hashable where Record: Hashable {}
extension RecordQueueStateMachine: Equatable where Record: Equatable {}
extension RecordQueueStateMachine: Hashable where Record: Hashable {}
