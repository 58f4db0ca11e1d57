/// Calls a closure with each committed state, in the committing turn and without a lock.
///
/// It exists as long as the hub of a store holds it.
final class CommitHook<State: Sendable>: AnySelection {
  /// A hook has no subscribers.
  let broadcast = Broadcast()
  private let body: @Sendable (State) -> Void

  init(_ body: @escaping @Sendable (State) -> Void) { self.body = body }

  func evaluate(_ state: AnyPublished, at revision: UInt64) { body(state.value(as: State.self)) }
}
