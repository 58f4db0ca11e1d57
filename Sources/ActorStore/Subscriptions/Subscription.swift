/// Whether a value is to be delivered, given the one that was accepted last.
typealias SubscriptionFilter<Value> = @Sendable (_ previous: Value?, _ new: Value) -> Bool

/// What there was to take.
enum Taken<Value: Sendable>: Sendable {
  case value(Value)
  /// A value that its filter did not accept.
  case refused
  case nothing
  case end
}

/// The place of one stream: leaves when the stream and its iterators are gone.
///
/// It holds what it watches, never the store (P14).
final class Subscription<Value: Sendable>: Sendable {
  private let broadcast: Broadcast
  private let line: TurnLine
  private let onLeave: @Sendable () -> Void
  let id: SubscriptionID

  /// - Parameters:
  ///   - line: The queue of the store whose commits it waits for.
  ///   - onLeave: Called once it has left, without a lock; perhaps more than once.
  init(
    _ broadcast: Broadcast,
    of line: TurnLine,
    _ buffering: Buffering,
    filter: SubscriptionFilter<Value>?,
    onLeave: @escaping @Sendable () -> Void
  ) {
    self.broadcast = broadcast
    self.line = line
    self.onLeave = onLeave
    let filter = filter.map { filter -> Broadcast.Filter in
      { previous, new in filter(previous?.value(as: Value.self), new.value(as: Value.self)) }
    }
    id = broadcast.reserve(buffering, filter: filter)
  }

  deinit {
    leave()
  }

  /// The next value; nil at the end.
  ///
  /// In an action of another store, waiting for it is a wait across stores (P8), which a caller may have noted itself.
  func next(isNoted: Bool = false) async -> Value? {
    let value = await broadcast.next(id, waitingFor: isNoted ? nil : line)
    // A stream that has ended may be kept for long.
    if value == nil { leave() }
    return value?.value(as: Value.self)
  }

  /// Waits until there may be something to take.
  func wait() async {
    await broadcast.wait(id)
  }

  /// The next value of those that are there; nil if there is none that the filter accepts.
  func take() -> Value? {
    while true {
      switch takeOne() {
      case .value(let value): return value
      case .refused: continue
      case .nothing, .end: return nil
      }
    }
  }

  /// The next of those that are there, accepted or not.
  func takeOne() -> Taken<Value> {
    switch broadcast.take(id) {
    case .value(let value): .value(value.value(as: Value.self))
    case .refused: .refused
    case .nothing: .nothing
    case .end: .end
    }
  }

  func leave() {
    broadcast.leave(id)
    onLeave()
  }

  var stream: AsyncStream<Value> {
    AsyncStream(unfolding: { await self.next() }, onCancel: { self.leave() })
  }
}
