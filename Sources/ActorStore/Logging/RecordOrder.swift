/// Passes the records of one store to a queue, in the order of the store's revisions.
///
/// Each store with a logger has one, so it is small.
struct RecordOrder: ~Copyable, Sendable {
  typealias Place = RecordOrderStateMachine<LogRecord>.Place

  let settings: LoggerSettings
  private let order: Locked<RecordOrderStateMachine<LogRecord>>

  init(_ settings: LoggerSettings) {
    self.settings = settings
    // When a gap closes, the queue has room for all records behind it and one more.
    order = Locked(RecordOrderStateMachine(limit: settings.queue.limit - 1))
  }

  private var queue: RecordQueue { settings.queue }

  /// Adds the record of a member, which waits for its transaction.
  func add(_ record: LogRecord, memberOf ticket: UInt64) {
    if !order.withLock({ $0.add(record, memberOf: ticket) }) { queue.drop() }
  }

  /// Adds the end of a call.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - ticket: The ticket of the call.
  ///   - place: The place of the record.
  func add(_ record: LogRecord, ticket: UInt64?, at place: Place) {
    // The lock of the queue nests in that of the order. Otherwise, two callers could add their records to the queue in
    // the wrong order.
    let step = order.withLock { order in
      if !order.pass(place) { return add(record, ticket: ticket, at: place, to: &order) }
      return queue.add(record).map { .write(dropped: $0) } ?? .done
    }
    switch step {
    case .done: break
    case .write(let dropped): queue.write(record, dropped: dropped)
    case .writeOther(let first, let dropped): queue.write(first, dropped: dropped)
    }
  }

  /// Adds the end of a call whose record the filter excludes.
  func addNothing(ticket: UInt64?, at place: Place) {
    let step = order.withLock { order in
      order.pass(place) ? .done : add(nil, ticket: ticket, at: place, to: &order)
    }
    if case .writeOther(let first, let dropped) = step { queue.write(first, dropped: dropped) }
  }

  /// The next step of a caller after it releases the lock.
  private enum Step: Sendable {
    case done
    /// The caller writes its own record first, which this case does not copy.
    case write(dropped: Int)
    /// The caller writes this record first, even if it is the caller's own.
    case writeOther(LogRecord, dropped: Int)
  }

  @inline(never)  // HP2
  private func add(
    _ record: LogRecord?,
    ticket: UInt64?,
    at place: Place,
    to order: inout RecordOrderStateMachine<LogRecord>
  ) -> Step {
    var step = Step.done
    order.add(record, ticket: ticket, at: place) { record in
      // The first record may make this caller the writer. The queue then keeps the other records.
      if let dropped = queue.add(record) { step = .writeOther(record, dropped: dropped) }
    }
    return step
  }
}
