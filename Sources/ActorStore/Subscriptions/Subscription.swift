/// The place of one stream: leaves when the stream and its iterators are gone.
final class Subscription<State: Sendable>: Sendable {
  private let hub: SubscriptionHub<State>
  private let line: TurnLine
  let id: SubscriptionID

  init(_ hub: SubscriptionHub<State>, _ line: TurnLine, _ buffering: Buffering, filter: SubscriptionHub<State>.Filter?)
  {
    self.hub = hub
    self.line = line
    id = line.watch { isWatched in
      isWatched = true
      return hub.reserve(buffering, filter: filter)
    }
  }

  deinit {
    leave()
  }

  /// The next state; nil at the end.
  func next() async -> State? {
    let state = await hub.next(id)
    // A stream that has ended may be kept for long.
    if state == nil { leave() }
    return state
  }

  func leave() {
    hub.leave(id)
    line.watch { $0 = !hub.isEmpty }
  }
}
