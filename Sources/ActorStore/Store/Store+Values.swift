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
    subscription(of: path, bufferingPolicy, filter: nil).stream
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
    subscription(of: path, by: isSame, bufferingPolicy, filter: nil).stream
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
    subscription(of: select, by: ==, bufferingPolicy, filter: nil).stream
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
    subscription(of: select, by: isSame, bufferingPolicy, filter: nil).stream
  }
}
