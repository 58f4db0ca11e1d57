/// The place of one stream: leaves when the stream and its iterators are gone.
///
/// It holds what it watches, never the store (P14).
final class Subscription<Value: Sendable>: Sendable {
  private let channel: Channel
  private let onLeave: @Sendable () -> Void
  let id: SubscriptionID

  /// - Parameter onLeave: Called once it has left, without a lock; perhaps more than once.
  init(
    _ channel: Channel,
    _ buffering: Buffering,
    filter: (@Sendable (_ previous: Value?, _ new: Value) -> Bool)?,
    onLeave: @escaping @Sendable () -> Void
  ) {
    self.channel = channel
    self.onLeave = onLeave
    let filter = filter.map { filter -> Channel.Filter in
      { previous, new in filter(previous?.value(as: Value.self), new.value(as: Value.self)) }
    }
    id = channel.reserve(buffering, filter: filter)
  }

  deinit {
    leave()
  }

  /// The next value; nil at the end.
  func next() async -> Value? {
    let value = await channel.next(id)
    // A stream that has ended may be kept for long.
    if value == nil { leave() }
    return value?.value(as: Value.self)
  }

  func leave() {
    channel.leave(id)
    onLeave()
  }

  var stream: AsyncStream<Value> {
    AsyncStream(unfolding: { await self.next() }, onCancel: { self.leave() })
  }
}
