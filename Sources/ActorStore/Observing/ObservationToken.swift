/// An observation, to end it before its owner goes.
///
/// Letting go of the token ends nothing.
public final class ObservationToken: Sendable {
  let key: ObservationRegistry.Key
  private let id: (any Hashable & Sendable)?
  private let observer: any AnyObserver
  private let hub: SubscriptionHub

  init(
    _ observer: any AnyObserver,
    key: ObservationRegistry.Key,
    id: (any Hashable & Sendable)?,
    _ hub: SubscriptionHub
  ) {
    self.observer = observer
    self.key = key
    self.id = id
    self.hub = hub
  }

  /// Ends the observation; a second call does nothing.
  ///
  /// Called on the closure's actor, no call of the closure begins after it. Called elsewhere, one that is just about to
  /// begin still may.
  public func cancel() {
    hub.remove(self)
    observer.leave()
  }

  func run() async {
    await observer.run()
    cancel()
  }

  /// Whether an object, which the caller has, is its owner.
  func belongs(to object: AnyObject) -> Bool { observer.belongs(to: object) }

  /// Whether an object, which the caller has, is its owner, and its actor is there to be called on.
  func isLive(for object: AnyObject) -> Bool { observer.isLive(for: object) }

  /// Without a lock: ids are the user's to compare.
  func hasID(_ id: (any Hashable & Sendable)?) -> Bool {
    self.id.map { AnyHashable($0) } == id.map { AnyHashable($0) }
  }

  func isOver(asSeenOn current: (any Actor)?) -> Bool { observer.isOver(asSeenOn: current) }
}
