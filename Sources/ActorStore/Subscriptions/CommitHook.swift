/// Calls a closure with each committed state and its revision, in the committing turn and without a lock.
///
/// It exists as long as the hub of a store holds it.
final class CommitHook: AnySelection {
  /// A hook has no subscribers.
  let broadcast = Broadcast()
  private let body: @Sendable (AnyPublished, UInt64) -> Void

  init(_ body: @escaping @Sendable (AnyPublished, UInt64) -> Void) { self.body = body }

  func evaluate(_ state: AnyPublished, at revision: UInt64) { body(state, revision) }
}
