/// A handle to a part of a store's state, from `Store.select(_:)`.
///
/// ```swift
/// let balance = account.select(\.balance)
/// print(await balance.current)
/// for await amount in balance.values { show(amount) }
/// ```
///
/// The handle keeps the store alive. Its streams, observations, mirrors, and atoms do not. A handle does nothing by
/// itself, so you can make one each time that you need it. All consumers of one selection in one store share it, no
/// matter which handle they come from. Each commit computes it at most once.
public struct Selected<State: Sendable, Value: Sendable>: Sendable {
  package let store: Store<State>
  package let node: SelectionNode<State, Value>
  /// The call that made the handle.
  package let callSite: CallSite

  init(_ store: Store<State>, _ node: SelectionNode<State, Value>, _ callSite: CallSite) {
    self.store = store
    self.node = node
    self.callSite = callSite
  }

  /// The value in the committed state.
  ///
  /// Reading waits like ``Store/state``, and computes the value in the task of the caller. It does not use the values
  /// that consumers share.
  public nonisolated(nonsending) var current: Value {
    get async { node.value(in: Published(await store.state)).value(as: Value.self) }
  }

  /// A stream of the values, starting with the current one.
  ///
  /// Each access creates its own subscription, like ``values(bufferingPolicy:)`` without arguments.
  public var values: AsyncStream<Value> { values() }

  /// Returns a stream of the values, starting with the current one, without repeats.
  ///
  /// Each call creates its own subscription.
  ///
  /// It is like ``Store/states(bufferingPolicy:shouldUpdate:)``, with two differences. The committing task computes the
  /// value in its turn, at most once per commit for all consumers of the selection. (The call itself may compute it
  /// once more, for the first value.) The store keeps the last value, the last values of the inputs, and the values
  /// that a consumer has yet to take, but no states. So mutations still edit the state in place, except for collections
  /// among these values. (A stream of the whole state is the same as ``Store/states``.) See P15 and P16 in
  /// <doc:Promises>.
  ///
  /// - Parameter bufferingPolicy: The values to keep for a consumer that is behind: all of them (the default), or a
  ///   number of the newest or the oldest, at least one.
  public func values(
    bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<Value> {
    subscription(bufferingPolicy, isInGroup: store.queue.isOfGroup).stream
  }

  /// Subscribes to the values.
  func subscription(
    _ policy: AsyncStream<Value>.Continuation.BufferingPolicy,
    isInGroup: Bool = false,
    filter: SubscriptionFilter<Value>? = nil
  ) -> Subscription<Value> {
    let (node, isNew) = node.streamed
    guard let isNew else { return store.subscription(to: node, policy, isInGroup: isInGroup, filter: filter) }
    return store.subscription(to: node, policy, isInGroup: isInGroup) { last, new in
      isNew(last, new) && filter?(last, new) ?? true
    }
  }
}
