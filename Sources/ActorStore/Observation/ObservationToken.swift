/// An observation, which you can end before its owner is deallocated.
///
/// Releasing the token does not end the observation.
public final class ObservationToken: Sendable {
  let key: ObservationRegistryStateMachine.Key
  let id: ObservationID
  private let observer: any AnyObserver
  private let registry: ObservationRegistry

  init(
    _ observer: any AnyObserver,
    key: ObservationRegistryStateMachine.Key,
    id: ObservationID,
    _ registry: ObservationRegistry
  ) {
    self.observer = observer
    self.key = key
    self.id = id
    self.registry = registry
  }

  /// Ends the observation.
  ///
  /// A second call has no effect.
  ///
  /// If you call it on the closure's actor, no call of the closure begins afterward. If you call it elsewhere, one call
  /// that is about to begin may still do so.
  public func cancel() {
    registry.remove(self)
    observer.leave()
  }

  func run() async {
    await observer.run()
    cancel()
  }

  /// Whether an object that the caller holds is the owner.
  func belongs(to object: AnyObject) -> Bool { observer.belongs(to: object) }

  /// Whether an object that the caller holds is the owner, and the actor still exists.
  func isLive(for object: AnyObject) -> Bool { observer.isLive(for: object) }

  /// Whether only remaining values are to be delivered, because the store was closed.
  var isEnding: Bool { observer.isEnding }

  /// Whether the actor is gone, or the owner, as far as the caller's actor can tell.
  func isOver(asSeenOn current: (any Actor)?) -> Bool { observer.isOver(asSeenOn: current) }
}
