/// The place of one stream: leaves when the stream and its iterators are gone.
///
/// It holds the channel and the line of its store, never the store (P14).
final class Subscription<Value: Sendable>: Sendable {
  private let channel: Channel
  private let line: TurnLine
  let id: SubscriptionID

  init(
    _ channel: Channel,
    _ line: TurnLine,
    _ buffering: Buffering,
    filter: (@Sendable (_ previous: Value?, _ new: Value) -> Bool)?
  ) {
    self.channel = channel
    self.line = line
    let filter = filter.map { filter -> Channel.Filter in
      { previous, new in filter(previous?.value(as: Value.self), new.value(as: Value.self)) }
    }
    id = line.watch { isWatched in
      isWatched = true
      return channel.reserve(buffering, filter: filter)
    }
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
    line.watch { $0 = !channel.isEmpty }
  }
}
