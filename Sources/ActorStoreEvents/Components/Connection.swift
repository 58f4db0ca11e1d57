import ActorStore

/// The connection between a component and a part of a store's state.
///
/// The component stores its connection. The connection ends when you call ``disconnect()``, when you connect the
/// component again, and when the component is deallocated. If the store is closed or deallocated, the connection
/// delivers the last props and then ends. It retains neither the component nor the store.
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
  /// committed. If you call it elsewhere, one more call to `render()` can begin. Disconnecting again has no effect.
  public func disconnect() { token.cancel() }
}
