/// How a subscription begins: registered in the call, with the state of that moment or, while a mutation is applied in
/// place, with what that commits (P6, P11).
extension Store {
  typealias BufferingPolicy<Value> = AsyncStream<Value>.Continuation.BufferingPolicy

  /// A subscription to the states.
  nonisolated func subscription(
    _ policy: BufferingPolicy<State>,
    filter: SubscriptionFilter<State>?
  ) -> Subscription<State> {
    let (hub, line) = (hub, line)
    let subscription = Subscription<State>(hub.states, of: line, Buffering(policy), filter: filter) {
      line.watch { $0 = !hub.isEmpty }
    }
    let id = subscription.id
    line.subscribe { _, isReadable in
      // Nobody has it yet, so there is nobody to wake.
      if isReadable { _ = hub.states.start(id, with: Published(cell.copy())) }
    } later: {
      hub.states.start(id, with: Published(self.cell.copy())).resumeAll()
    }
    return subscription
  }

  /// A subscription to the values at a key path, which all share that watch an equal one.
  nonisolated func subscription<Value: Equatable & Sendable>(
    of path: any KeyPath<State, Value> & Sendable,
    _ policy: BufferingPolicy<Value>,
    filter: SubscriptionFilter<Value>?
  ) -> Subscription<Value> {
    subscription(of: Selections.Key(path, isCompared: true), Buffering(policy), filter: filter) {
      Selection({ $0[keyPath: path] }, isSame: ==)
    }
  }

  /// The same, repeats being left out for each subscriber by its own comparison.
  nonisolated func subscription<Value: Sendable>(
    of path: any KeyPath<State, Value> & Sendable,
    by isSame: @escaping @Sendable (Value, Value) -> Bool,
    _ policy: BufferingPolicy<Value>,
    filter: SubscriptionFilter<Value>?
  ) -> Subscription<Value> {
    let isNews: SubscriptionFilter<Value> = { previous, new in
      if let previous, isSame(previous, new) { return false }
      return filter?(previous, new) ?? true
    }
    return subscription(of: Selections.Key(path, isCompared: false), Buffering(policy), filter: isNews) {
      Selection({ $0[keyPath: path] }, isSame: nil)
    }
  }

  /// A subscription to what a closure selects.
  nonisolated func subscription<Value: Sendable>(
    of select: @escaping @Sendable (State) -> Value,
    by isSame: @escaping @Sendable (Value, Value) -> Bool,
    _ policy: BufferingPolicy<Value>,
    filter: SubscriptionFilter<Value>?
  ) -> Subscription<Value> {
    subscription(of: nil, Buffering(policy), filter: filter) { Selection(select, isSame: isSame) }
  }

  /// Subscribes to the selection of an equal key path, or to a new one.
  private nonisolated func subscription<Value: Sendable>(
    of key: Selections.Key?,
    _ buffering: Buffering,
    filter: SubscriptionFilter<Value>?,
    _ make: () -> Selection<State, Value>
  ) -> Subscription<Value> {
    while true {
      let (found, compared) = key.map(hub.find) ?? (nil, [])
      let known = found?.selection as? Selection<State, Value>
      let selection = known ?? make()
      let entry = Selections.Entry(selection: selection, key: key)
      if let found = subscribe(to: entry, isNew: known == nil, after: compared, selection, buffering, filter) {
        return found
      }
    }
  }

  /// Nil when the selections have changed since they were compared.
  private nonisolated func subscribe<Value: Sendable>(
    to entry: Selections.Entry,
    isNew: Bool,
    after compared: [Selections.Entry],
    _ selection: Selection<State, Value>,
    _ buffering: Buffering,
    _ filter: SubscriptionFilter<Value>?
  ) -> Subscription<Value>? {
    let (hub, line) = (hub, line)
    let subscription = Subscription(selection.broadcast, of: line, buffering, filter: filter) {
      let gone = line.watch { isWatched in
        let gone = hub.forgetIfUnwatched(selection)
        isWatched = !hub.isEmpty
        return gone
      }
      withExtendedLifetime(gone) {}
    }
    let id = subscription.id
    var isAdmitted = false
    var first: (state: State, revision: UInt64)?
    line.subscribe { revision, isReadable in
      isAdmitted = hub.admit(entry, isNew: isNew, after: compared)
      guard isAdmitted else { return }
      // While a mutation is applied in place, it starts with what that commits (P6).
      let isFirst = selection.join(id, at: isReadable ? revision : revision + 1)
      if isFirst && isReadable { first = (cell.copy(), revision) }
    } later: {
      selection.settle(id, with: self.cell.copy(), at: line.revision)
    }
    guard isAdmitted else { return nil }
    if let first { selection.begin(with: first.state, at: first.revision) }
    hub.finishIfLate(selection)
    return subscription
  }
}
