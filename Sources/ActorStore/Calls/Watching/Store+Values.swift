extension Store {
  /// Returns a stream of the values at a key path, starting with the current one, without repeats.
  ///
  /// Each call creates its own subscription.
  ///
  /// ```swift
  /// for await balance in store.values(of: \.balance) { show(balance) }
  /// ```
  ///
  /// It is like ``states(bufferingPolicy:shouldUpdate:)``, with two differences. The committing task reads the key path
  /// in its turn, once per commit for all streams of equal key paths, so keep computed properties short. (The call
  /// itself may read the key path once more, for the first value.) The store keeps the last value and those that a
  /// consumer has yet to take, but no states, so mutations still edit the state in place. See P15 and P16 in
  /// <doc:Promises>. P15 also describes repeats of values that are not equal to themselves, such as NaN.
  ///
  /// - Parameters:
  ///   - path: The key path of the values.
  ///   - bufferingPolicy: The values to keep for a consumer that is behind: all of them (the default), or a number of
  ///     the newest or the oldest, at least one.
  public nonisolated func values<Value: Equatable & Sendable>(
    of path: any KeyPath<State, Value> & Sendable,
    bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<Value> {
    subscription(of: path, bufferingPolicy, filter: nil, isInGroup: queue.isOfGroup).stream
  }

  /// Returns a stream of the values at a key path, without values that a comparison considers repeats.
  ///
  /// It is like `values(of:bufferingPolicy:)`. The committing task reads the key path once per commit for all streams
  /// of equal key paths that have a comparison. The comparison is called like a filter. See
  /// ``states(bufferingPolicy:shouldUpdate:)``.
  ///
  /// - Parameters:
  ///   - path: The key path of the values.
  ///   - isSame: A closure that returns whether the second value repeats the first.
  ///   - bufferingPolicy: The values to keep for a consumer that is behind.
  public nonisolated func values<Value: Sendable>(
    of path: any KeyPath<State, Value> & Sendable,
    by isSame: @escaping @Sendable (Value, Value) -> Bool,
    bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<Value> {
    subscription(of: path, by: isSame, bufferingPolicy, filter: nil, isInGroup: queue.isOfGroup).stream
  }

  /// Returns a stream of the values that a closure selects, without repeats.
  ///
  /// It is like `values(of:bufferingPolicy:)`. Closures cannot be compared, so each call evaluates its own.
  ///
  /// - Parameters:
  ///   - select: A closure that selects a value. The committing task calls it in its turn, once per commit. It may
  ///     also be called once at the start.
  ///   - bufferingPolicy: The values to keep for a consumer that is behind.
  public nonisolated func values<Value: Equatable & Sendable>(
    of select: @escaping @Sendable (State) -> Value,
    bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<Value> {
    subscription(of: select, bufferingPolicy, filter: nil, isInGroup: queue.isOfGroup).stream
  }

  /// Returns a stream of the values that a closure selects, without values that a comparison considers repeats.
  ///
  /// It is like `values(of:bufferingPolicy:)`. Closures cannot be compared, so each call evaluates its own.
  ///
  /// - Parameters:
  ///   - select: A closure that selects a value. The committing task calls it in its turn, once per commit. It may
  ///     also be called once at the start.
  ///   - isSame: A closure that returns whether the second value repeats the first. It is called like `select`.
  ///   - bufferingPolicy: The values to keep for a consumer that is behind.
  public nonisolated func values<Value: Sendable>(
    of select: @escaping @Sendable (State) -> Value,
    by isSame: @escaping @Sendable (Value, Value) -> Bool,
    bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<Value> {
    subscription(of: select, by: isSame, bufferingPolicy, filter: nil, isInGroup: queue.isOfGroup).stream
  }
}
