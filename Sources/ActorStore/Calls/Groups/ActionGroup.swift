/// An async procedure that dispatches any number of actions to a store.
///
/// Use it for long waits, such as network requests. A group takes no ticket and holds no turn, so other actions run
/// between its own.
///
/// ```swift
/// struct Refresh: ActionGroup {
///   let server: Server
///
///   func run(with store: Store<Library>) async throws -> Int {
///     let books = try await server.books()  // Holds up no other action.
///     try await store.dispatch { $0.books = books }.get()
///     return books.count
///   }
/// }
///
/// let count = try await store.dispatch(Refresh(server: server)).get()
/// ```
///
/// A group is not atomic. Other code sees the state between its actions, and if it throws, the actions that it has
/// already dispatched remain committed. For an atomic change, use one ``Action`` or a transaction.
public protocol ActionGroup<State>: Sendable {
  /// The state of the store.
  associatedtype State: Sendable
  /// The result of the group, by default `Void`.
  associatedtype Output: Sendable = Void
  /// The error that the group can throw, by default `Never`.
  ///
  /// Dispatching a group that cannot fail needs no `try`.
  associatedtype Failure: Error = Never

  /// Dispatches actions to the store.
  ///
  /// After ``Store/close()``, the store still accepts the actions of a running group, and of the groups that it starts.
  /// As soon as no action runs or waits, the store's streams that the group created and its calls to `firstState` end,
  /// so that the group can end.
  ///
  /// Cancellation is cooperative. The group can check `Task.isCancelled`. After the cancellation, its dispatches return
  /// ``Outcome/cancelled``. To run an action regardless, send it.
  ///
  /// - Parameter store: The store to dispatch to.
  /// - Returns: The result of the group.
  func run(with store: Store<State>) async throws(Failure) -> Output
}
