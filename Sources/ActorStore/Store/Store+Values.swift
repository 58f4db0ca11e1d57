extension Store {
  /// The values at a key path, without repeats, from this moment's on: a subscription of its own (P11).
  ///
  /// ```swift
  /// for await balance in store.values(of: \.balance) { show(balance) }
  /// ```
  ///
  /// As ``states(bufferingPolicy:shouldUpdate:)``, with these differences. It is the committing task that evaluates, in
  /// its turn and once a commit for all the streams of equal key paths (P15): keep computed properties short. The
  /// states are not kept, so a mutation goes on editing in place (P16); what is kept is the last value, and those that
  /// a consumer has yet to take.
  ///
  /// - Parameters:
  ///   - path: What to watch.
  ///   - bufferingPolicy: What is kept for a consumer that is behind: all (the default), or so many of the newest or
  ///     the oldest, at least one.
  public nonisolated func values<Value: Equatable & Sendable>(
    of path: any KeyPath<State, Value> & Sendable,
    bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<Value> {
    let key = Selections.Key(path, isCompared: true)
    return stream(Buffering(bufferingPolicy), filter: nil, key) { Selection({ $0[keyPath: path] }, isSame: ==) }
  }

  /// The values at a key path that differ from the one before by a comparison of one's own.
  ///
  /// As ``values(of:bufferingPolicy:)``. The path is evaluated once a commit for all streams of equal key paths with a
  /// comparison of their own; the comparison is asked as a filter is, see ``states(bufferingPolicy:shouldUpdate:)``.
  ///
  /// - Parameters:
  ///   - path: What to watch.
  ///   - bufferingPolicy: What is kept for a consumer that is behind.
  ///   - isSame: Whether the second value is a repeat of the first, and to be left out.
  public nonisolated func values<Value: Sendable>(
    of path: any KeyPath<State, Value> & Sendable,
    bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded,
    by isSame: @escaping @Sendable (Value, Value) -> Bool
  ) -> AsyncStream<Value> {
    let key = Selections.Key(path, isCompared: false)
    let filter: @Sendable (Value?, Value) -> Bool = { previous, new in previous.map { !isSame($0, new) } ?? true }
    return stream(Buffering(bufferingPolicy), filter: filter, key) { Selection({ $0[keyPath: path] }, isSame: nil) }
  }

  /// What a closure selects, without repeats.
  ///
  /// As ``values(of:bufferingPolicy:)``; closures cannot be compared, so each call is evaluated for itself.
  ///
  /// - Parameters:
  ///   - select: What to watch; called once a commit, by the committing task in its turn, and once at the start.
  ///   - bufferingPolicy: What is kept for a consumer that is behind.
  public nonisolated func values<Value: Equatable & Sendable>(
    of select: @escaping @Sendable (State) -> Value,
    bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<Value> {
    stream(Buffering(bufferingPolicy), filter: nil, nil) { Selection(select, isSame: ==) }
  }

  /// What a closure selects and differs from the one before by a comparison of one's own.
  ///
  /// As ``values(of:bufferingPolicy:)``; closures cannot be compared, so each call is evaluated for itself.
  ///
  /// - Parameters:
  ///   - select: What to watch; called once a commit, by the committing task in its turn, and once at the start.
  ///   - bufferingPolicy: What is kept for a consumer that is behind.
  ///   - isSame: Whether the second value is a repeat of the first, and to be left out; called as `select` is.
  public nonisolated func values<Value: Sendable>(
    of select: @escaping @Sendable (State) -> Value,
    bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded,
    by isSame: @escaping @Sendable (Value, Value) -> Bool
  ) -> AsyncStream<Value> {
    stream(Buffering(bufferingPolicy), filter: nil, nil) { Selection(select, isSame: isSame) }
  }

  /// Subscribes to the selection of an equal key path, or to a new one.
  private nonisolated func stream<Value: Sendable>(
    _ buffering: Buffering,
    filter: (@Sendable (_ previous: Value?, _ new: Value) -> Bool)?,
    _ key: Selections.Key?,
    _ make: () -> Selection<State, Value>
  ) -> AsyncStream<Value> {
    while true {
      let (found, compared) = key.map(hub.find) ?? (nil, [])
      let known = found?.selection as? Selection<State, Value>
      let selection = known ?? make()
      let entry = Selections.Entry(selection: selection, key: key)
      if let states = subscribe(to: entry, isNew: known == nil, after: compared, selection, buffering, filter) {
        return states
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
    _ filter: (@Sendable (_ previous: Value?, _ new: Value) -> Bool)?
  ) -> AsyncStream<Value>? {
    let (hub, line) = (hub, line)
    let subscription = Subscription(selection.channel, buffering, filter: filter) {
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
    return subscription.stream
  }
}
