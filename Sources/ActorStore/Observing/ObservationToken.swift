/// An observation, to end it before its owner goes.
///
/// Letting go of the token ends nothing.
public final class ObservationToken: Sendable {
  let owner: ObjectIdentifier
  private let id: (any Hashable & Sendable)?
  private let observer: any AnyObserver
  private let hub: SubscriptionHub

  init(
    _ observer: any AnyObserver,
    owner: ObjectIdentifier,
    id: (any Hashable & Sendable)?,
    _ hub: SubscriptionHub
  ) {
    self.observer = observer
    self.owner = owner
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

  /// Whether it is an owner's observation of this id: without a lock, since ids are the user's to compare.
  func isObservation(of owner: AnyObject, _ id: (any Hashable & Sendable)?) -> Bool {
    observer.isOwned(by: owner) && self.id.map { AnyHashable($0) } == id.map { AnyHashable($0) }
  }

  func hasLostItsOwner(isolation: isolated any Actor) -> Bool { observer.hasLostItsOwner(isolation: isolation) }
}
