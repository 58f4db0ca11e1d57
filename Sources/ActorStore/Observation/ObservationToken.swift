/// A handle for an observation, with which you can end it before its owner is deallocated.
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
  /// If you call it on the closure's actor, the closure is not called again. If you call it elsewhere, one more call of
  /// the closure may begin.
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

  /// Whether the observation delivers only its remaining values, because no more are published.
  var isEnding: Bool { observer.isEnding }

  /// Whether the actor is gone, or the owner is gone and the caller runs on the observation's actor.
  func isOver(asSeenOn current: (any Actor)?) -> Bool { observer.isOver(asSeenOn: current) }
}
