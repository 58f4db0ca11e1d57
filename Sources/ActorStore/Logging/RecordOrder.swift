/// Passes the records of one store to a queue, in the order of the store's revisions.
final class RecordOrder: Sendable {
  typealias Place = RecordOrderStateMachine<LogRecord>.Place

  private let queue: RecordQueue
  private let order: Locked<RecordOrderStateMachine<LogRecord>>

  init(of queue: RecordQueue) {
    self.queue = queue
    // When a gap closes, the queue has room for all records behind it and one more.
    order = Locked(RecordOrderStateMachine(limit: queue.limit - 1))
  }

  /// Adds the record of a member, which waits for its transaction.
  func add(_ record: LogRecord, memberOf ticket: UInt64) {
    if !order.withLock({ $0.add(record, memberOf: ticket) }) { queue.drop() }
  }

  /// Adds the end of a call.
  ///
  /// - Parameters:
  ///   - record: The record, or `nil` if the filter excludes it.
  ///   - ticket: The ticket of the call.
  ///   - place: The place of the record.
  func add(_ record: LogRecord?, ticket: UInt64?, at place: Place) {
    let first = order.withLock { order in
      var first: RecordQueue.Entry?
      // The lock of the queue nests in that of the order. Otherwise, two callers could add their records to the queue
      // in the wrong order. After the queue has made this caller the writer, it takes the other records.
      order.add(record, ticket: ticket, at: place) { if let entry = queue.add($0) { first = entry } }
      return first
    }
    if let first { queue.write(first) }
  }
}
