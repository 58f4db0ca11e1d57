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
    subscription(of: SelectionKey(path, dropsRepeats: true), Buffering(policy), filter: filter, isInGroup) {
      Selection({ $0[keyPath: path] }, isSame: isUnchanged)
    }
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
    return subscription(of: SelectionKey(path, dropsRepeats: false), Buffering(policy), filter: isNew, isInGroup) {
      Selection({ $0[keyPath: path] }, isSame: nil)
    }
  }

  /// Subscribes to the values that a closure selects, without repeats.
  nonisolated func subscription<Value: Equatable & Sendable>(
    of select: @escaping @Sendable (State) -> Value,
    _ policy: BufferingPolicy<Value>,
    filter: SubscriptionFilter<Value>?,
    isInGroup: Bool = false
  ) -> Subscription<Value> {
    subscription(of: select, by: isUnchanged, policy, filter: filter, isInGroup: isInGroup)
  }

  /// Subscribes to the values that a closure selects, without values that a comparison considers repeats.
  nonisolated func subscription<Value: Sendable>(
    of select: @escaping @Sendable (State) -> Value,
    by isSame: @escaping @Sendable (Value, Value) -> Bool,
    _ policy: BufferingPolicy<Value>,
    filter: SubscriptionFilter<Value>?,
    isInGroup: Bool = false
  ) -> Subscription<Value> {
    subscription(of: nil, Buffering(policy), filter: filter, isInGroup) { Selection(select, isSame: isSame) }
  }

  /// Subscribes to the existing selection with an equal key, or to a new selection.
  private nonisolated func subscription<Value: Sendable>(
    of key: SelectionKey?,
    _ buffering: Buffering,
    filter: SubscriptionFilter<Value>?,
    _ isInGroup: Bool,
    _ make: () -> Selection<State, Value>
  ) -> Subscription<Value> {
    queue.point()
    defer { queue.point() }
    queue.touch()
    while true {
      let (found, compared) = key.map(hub.find) ?? (nil, [])
      let known = found?.selection as? Selection<State, Value>
      let selection = known ?? make()
      let shared = SharedSelection(selection: selection, key: key)
      if let found = subscribe(
        to: shared, isNew: known == nil, after: compared, selection, buffering, filter, isInGroup)
      {
        return found
      }
    }
  }

  /// Subscribes to a selection, or returns `nil` if the selections have changed since the caller compared them.
  private nonisolated func subscribe<Value: Sendable>(
    to shared: SharedSelection,
    isNew: Bool,
    after compared: [SharedSelection],
    _ selection: Selection<State, Value>,
    _ buffering: Buffering,
    _ filter: SubscriptionFilter<Value>?,
    _ isInGroup: Bool
  ) -> Subscription<Value>? {
    let (hub, queue) = (hub, queue)
    let subscription = Subscription(selection.broadcast, of: queue, buffering, filter: filter, isInGroup: isInGroup) {
      let removed = queue.watch { isWatched in
        let removed = hub.removeIfUnwatched(selection)
        isWatched = !hub.isEmpty
        return removed
      }
      withExtendedLifetime(removed) {}
    }
    let id = subscription.id
    var isAdmitted = false
    var first: (state: State, revision: UInt64)?
    queue.subscribe { revision, isReadable in
      isAdmitted = hub.admit(shared, isNew: isNew, after: compared)
      guard isAdmitted else { return }
      let isFirst = selection.join(id, at: isReadable ? revision : revision + 1)
      if isFirst && isReadable { first = (cell.copy(), revision) }
    } later: {
      selection.startAfterEdit(id, with: self.cell.copy(), at: queue.revision)
    }
    guard isAdmitted else { return nil }
    if let first { selection.evaluateFirst(first.state, at: first.revision) }
    hub.finishIfLate(selection)
    if isInGroup { queue.noWaiterRemains() }
    return subscription
  }
}
