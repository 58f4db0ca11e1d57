/// The start of a subscription.
///
/// The call registers the subscriber. Its stream starts with the current state. If a mutation is editing the state in
/// place, the stream starts with that mutation's commit instead (P6, P11).
extension Store {
  typealias BufferingPolicy<Value> = AsyncStream<Value>.Continuation.BufferingPolicy

  /// Subscribes to the states.
  ///
  /// - Parameter policy: The policy for states. `Whole` is the type of the states.
  nonisolated func subscription<Whole: Sendable>(
    _ policy: BufferingPolicy<Whole>,
    isInGroup: Bool = false,
    filter: SubscriptionFilter<Whole>?
  ) -> Subscription<Whole> {
    let (hub, queue) = (hub, queue)
    queue.point()
    defer { queue.pointAfterCall() }
    queue.touch()
    queue.note(.subscribed)
    let subscription = Subscription<Whole>(
      hub.states, of: queue, Buffering(policy), filter: filter, isInGroup: isInGroup
    ) {
      queue.watch { $0 = !hub.isEmpty }
    }
    let id = subscription.id
    queue.subscribe { _, isReadable in
      // There is no stream yet, so there is no consumer to resume.
      if isReadable { _ = hub.states.start(id, with: hub.newestState ?? Published(committedState)) }
    } later: {
      hub.states.start(id, with: hub.newestState ?? Published(self.committedState)).resumeAll()
    }
    if isInGroup { queue.noWaiterRemains() }
    return subscription
  }

  /// Subscribes to the values of a selection, which its subscribers share.
  nonisolated func subscription<Value: Sendable>(
    to node: SelectionNode<State, Value>,
    _ policy: BufferingPolicy<Value>,
    isInGroup: Bool = false,
    filter: SubscriptionFilter<Value>?
  ) -> Subscription<Value> {
    if node.isWholeState { return subscription(policy, isInGroup: isInGroup, filter: filter) }
    queue.point()
    defer { queue.pointAfterCall() }
    queue.touch()
    queue.note(.subscribed)
    while true {
      let found = hub.selections.find(node)
      if let new = subscribe(to: found, Buffering(policy), filter, isInGroup) { return new }
    }
  }

  /// Subscribes to a selection, or returns `nil` if the selections have changed since the search.
  private nonisolated func subscribe<Value: Sendable>(
    to found: FoundSelection,
    _ buffering: Buffering,
    _ filter: SubscriptionFilter<Value>?,
    _ isInGroup: Bool
  ) -> Subscription<Value>? {
    let (hub, queue, selection) = (hub, queue, found.selection)
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
      mustEvaluate = hub.selections.subscribe(id, to: found, at: revision, isReadable: isReadable)
      if mustEvaluate == true { first = (committedState, revision) }
    } later: {
      hub.selections.subscribeAfterEdit(id, to: selection, at: queue.revision) { Published(self.committedState) }
    }
    if mustEvaluate == nil { return nil }
    if let first { hub.selections.startFirst(selection, from: Published(first.state), at: first.revision) }
    hub.selections.finishIfLate(selection)
    if isInGroup { queue.noWaiterRemains() }
    return subscription
  }
}
