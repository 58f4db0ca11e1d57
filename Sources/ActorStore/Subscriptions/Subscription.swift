/// A closure that decides whether to deliver a value, given the value it accepted last.
package typealias SubscriptionFilter<Value> = @Sendable (_ previous: Value?, _ new: Value) -> Bool

/// The subscription of one stream, which ends when the stream and its iterators are gone.
///
/// It holds the broadcast, never the store (P14).
package final class Subscription<Value: Sendable>: Sendable {
  private let broadcast: Broadcast
  private let queue: TurnQueue?
  private let onLeave: @Sendable () -> Void
  let id: SubscriptionID

  /// - Parameters:
  ///   - queue: The queue of the store whose commits it waits for, or `nil` if it does not wait for a store.
  ///   - isInGroup: Whether a running group of the store reads the stream.
  ///   - onLeave: Called without a lock after the subscription has ended, possibly more than once.
  package init(
    _ broadcast: Broadcast,
    of queue: TurnQueue?,
    _ buffering: Buffering,
    filter: SubscriptionFilter<Value>?,
    isInGroup: Bool = false,
    onLeave: @escaping @Sendable () -> Void
  ) {
    self.broadcast = broadcast
    self.queue = queue
    self.onLeave = onLeave
    let filter = filter.map { filter -> Broadcast.Filter in
      { previous, new in filter(previous?.value(as: Value.self), new.value(as: Value.self)) }
    }
    id = broadcast.reserve(buffering, filter: filter, isInGroup: isInGroup)
  }

  deinit {
    leave()
  }

  /// Offers the subscriber this value and all later ones.
  package func start(with value: Value) {
    broadcast.start(id, with: Published(value)).resumeAll()
  }

  /// The next value, or `nil` at the end.
  ///
  /// Inside an action of another store, the wait is in the wait graph (P8).
  ///
  /// - Parameter isNoted: Whether the caller has already added the wait to the graph.
  func next(isNoted: Bool = false) async -> Value? {
    let value = await broadcast.next(id, waitingFor: isNoted ? nil : queue)
    // The program may keep a stream that has ended.
    if value == nil { leave() }
    let element = value?.value(as: Value.self)
    queue?.note(.received(element.map { Dump.line(of: $0) }))
    return element
  }

  /// Waits until there may be a value.
  func wait() async {
    await broadcast.wait(id)
  }

  /// Takes the next value that the filter accepts, or returns `nil` if there is none yet.
  package func takeAccepted() -> Value? {
    while true {
      switch take() {
      case .value(let value): return value
      case .refused: continue
      case .nothing, .end: return nil
      }
    }
  }

  /// Takes the next value, whether or not the filter accepts it.
  func take() -> Taken<Value> {
    broadcast.take(id).map { $0.value(as: Value.self) }
  }

  /// Whether no more values will be published.
  var isEnding: Bool { broadcast.isFinished }

  /// Ends the stream and drops its remaining values.
  package func leave() {
    broadcast.leave(id)
    onLeave()
  }

  package var stream: AsyncStream<Value> {
    AsyncStream(unfolding: { await self.next() }, onCancel: { self.leave() })
  }
}
