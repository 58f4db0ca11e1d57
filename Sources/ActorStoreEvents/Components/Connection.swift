import ActorStore

/// The link between a component and a part of a store's state.
///
/// The component stores it. It ends with ``disconnect()``, with the next connection of the component, when the
/// component is deallocated, and after the last props of a store that is closed or deallocated. It retains neither the
/// component nor the store.
public final class Connection: Sendable {
  /// Distinguishes the observations of two connections of one component.
  final class Identity: Sendable {}

  let identity: Identity
  private let token: ObservationToken

  init(_ identity: Identity, _ token: ObservationToken) { (self.identity, self.token) = (identity, token) }

  deinit { disconnect() }

  /// Ends the connection.
  ///
  /// If you call it on the component's actor, the component is not rendered again, even if new props have already been
  /// committed. If you call it elsewhere, one more call of `render()` may begin. A second call has no effect.
  public func disconnect() { token.cancel() }
}
