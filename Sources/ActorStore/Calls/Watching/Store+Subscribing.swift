/// The start of a subscription.
///
/// The call registers the subscriber. Its stream starts with the current state. If a mutation is editing the state in
/// place, the stream starts with that mutation's commit instead (P6, P11).
extension Store {
  typealias BufferingPolicy<Value> = AsyncStream<Value>.Continuation.BufferingPolicy

  /// Subscribes to the states.
  nonisolated func subscription(
    _ policy: BufferingPolicy<State>,
    isInGroup: Bool = false,
    filter: SubscriptionFilter<State>?
  ) -> Subscription<State> {
    let (hub, queue) = (hub, queue)
    queue.point()
    defer { queue.point() }
    queue.touch()
    let subscription = Subscription<State>(
      hub.states, of: queue, Buffering(policy), filter: filter, isInGroup: isInGroup
    ) {
      queue.watch { $0 = !hub.isEmpty }
    }
    let id = subscription.id
    queue.subscribe { _, isReadable in
      // There is no stream yet, so there is no consumer to resume.
      if isReadable { _ = hub.states.start(id, with: Published(cell.copy())) }
    } later: {
      hub.states.start(id, with: Published(self.cell.copy())).resumeAll()
    }
    if isInGroup { queue.noWaiterRemains() }
    return subscription
  }

  /// Subscribes to the values at a key path, which subscribers of equal key paths share.
  nonisolated func subscription<Value: Equatable & Sendable>(
    of path: any KeyPath<State, Value> & Sendable,
    _ policy: BufferingPolicy<Value>,
    filter: SubscriptionFilter<Value>?,
    isInGroup: Bool = false
  ) -> Subscription<Value> {
    subscription(to: SelectionNode(path, TypedEquality<Value>()), Buffering(policy), filter: filter, isInGroup)
  }

  /// Subscribes to the values at a key path, with the subscriber's own comparison for repeated values.
  nonisolated func subscription<Value: Sendable>(
    of path: any KeyPath<State, Value> & Sendable,
    by isSame: @escaping @Sendable (Value, Value) -> Bool,
    _ policy: BufferingPolicy<Value>,
    filter: SubscriptionFilter<Value>?,
    isInGroup: Bool = false
  ) -> Subscription<Value> {
    let isNew: SubscriptionFilter<Value> = { previous, new in
      if let previous, isSame(previous, new) { return false }
      return filter?(previous, new) ?? true
    }
    return subscription(to: SelectionNode(path, nil), Buffering(policy), filter: isNew, isInGroup)
  }

  /// Subscribes to the values that a closure selects, without repeats.
  nonisolated func subscription<Value: Equatable & Sendable>(
    of select: @escaping @Sendable (State) -> Value,
    _ policy: BufferingPolicy<Value>,
    filter: SubscriptionFilter<Value>?,
    isInGroup: Bool = false
  ) -> Subscription<Value> {
    subscription(to: SelectionNode(select, TypedEquality<Value>()), Buffering(policy), filter: filter, isInGroup)
  }

  /// Subscribes to the values that a closure selects, without values that a comparison considers repeats.
  nonisolated func subscription<Value: Sendable>(
    of select: @escaping @Sendable (State) -> Value,
    by isSame: @escaping @Sendable (Value, Value) -> Bool,
    _ policy: BufferingPolicy<Value>,
    filter: SubscriptionFilter<Value>?,
    isInGroup: Bool = false
  ) -> Subscription<Value> {
    subscription(to: SelectionNode(select, ClosureEquality(isSame)), Buffering(policy), filter: filter, isInGroup)
  }

  /// Subscribes to the existing selection with an equal node, or to a new selection.
  private nonisolated func subscription<Value: Sendable>(
    to node: SelectionNode<State, Value>,
    _ buffering: Buffering,
    filter: SubscriptionFilter<Value>?,
    _ isInGroup: Bool
  ) -> Subscription<Value> {
    queue.point()
    defer { queue.point() }
    queue.touch()
    while true {
      let (selection, compared) = hub.selections.find(node)
      if let found = subscribe(to: selection, after: compared, buffering, filter, isInGroup) { return found }
    }
  }

  /// Subscribes to a selection, or returns `nil` if the selections have changed since the caller compared them.
  private nonisolated func subscribe<Value: Sendable>(
    to selection: SharedSelection,
    after compared: [SharedSelections.StateMachine.ID],
    _ buffering: Buffering,
    _ filter: SubscriptionFilter<Value>?,
    _ isInGroup: Bool
  ) -> Subscription<Value>? {
    let (hub, queue) = (hub, queue)
    let subscription = Subscription(selection.broadcast, of: queue, buffering, filter: filter, isInGroup: isInGroup) {
      let removed = queue.watch { isWatched in
        let removed = hub.selections.removeIfUnwatched(selection)
        isWatched = !hub.isEmpty
        return removed
      }
      withExtendedLifetime(removed) {}
    }
    let id = subscription.id
    var mustEvaluate: Bool?
    var first: (state: State, revision: UInt64)?
    queue.subscribe { revision, isReadable in
      mustEvaluate = hub.selections.subscribe(
        id, to: selection, after: compared, at: revision, isReadable: isReadable)
      if mustEvaluate == true { first = (cell.copy(), revision) }
    } later: {
      hub.selections.subscribeAfterEdit(id, to: selection, at: queue.revision) { Published(self.cell.copy()) }
    }
    if mustEvaluate == nil { return nil }
    if let first { hub.selections.startFirst(selection, from: Published(first.state), at: first.revision) }
    hub.selections.finishIfLate(selection)
    if isInGroup { queue.noWaiterRemains() }
    return subscription
  }
}
