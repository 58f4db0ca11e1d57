/// `observe` for actors that observe for themselves.
extension Store {
  /// Calls a closure with each committed state, for an actor, on it.
  ///
  /// ```swift
  /// store.observe(self) { cache, state in cache.latest = state }
  /// ```
  ///
  /// As ``observe(_:bufferingPolicy:shouldUpdate:id:isolation:_:)``, which is for objects on an actor; this one may be
  /// called from anywhere.
  @discardableResult
  public nonisolated func observe<Owner: Actor>(
    _ owner: Owner,
    bufferingPolicy: AsyncStream<State>.Continuation.BufferingPolicy = .unbounded,
    shouldUpdate: (@Sendable (_ previous: State?, _ new: State) -> Bool)? = nil,
    id: (any Hashable & Sendable)? = nil,
    _ onState: @escaping @Sendable (_ owner: isolated Owner, _ state: State) -> Void
  ) -> ObservationToken {
    observe(actor: owner, id: id, { subscription(bufferingPolicy, filter: shouldUpdate) }, onState)
  }

  /// Calls a closure with each value at a key path, without repeats, for an actor, on it.
  ///
  /// As ``observe(_:of:bufferingPolicy:shouldUpdate:id:isolation:_:)``.
  @discardableResult
  public nonisolated func observe<Owner: Actor, Value: Equatable & Sendable>(
    _ owner: Owner,
    of path: any KeyPath<State, Value> & Sendable,
    bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded,
    shouldUpdate: (@Sendable (_ previous: Value?, _ new: Value) -> Bool)? = nil,
    id: (any Hashable & Sendable)? = nil,
    _ onValue: @escaping @Sendable (_ owner: isolated Owner, _ value: Value) -> Void
  ) -> ObservationToken {
    observe(actor: owner, id: id ?? path, { subscription(of: path, bufferingPolicy, filter: shouldUpdate) }, onValue)
  }

  /// Calls a closure with each value at a key path that differs from the one before by a comparison of one's own, for an
  /// actor, on it.
  ///
  /// As ``observe(_:of:by:bufferingPolicy:shouldUpdate:id:isolation:_:)``.
  @discardableResult
  public nonisolated func observe<Owner: Actor, Value: Sendable>(
    _ owner: Owner,
    of path: any KeyPath<State, Value> & Sendable,
    by isSame: @escaping @Sendable (Value, Value) -> Bool,
    bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded,
    shouldUpdate: (@Sendable (_ previous: Value?, _ new: Value) -> Bool)? = nil,
    id: (any Hashable & Sendable)? = nil,
    _ onValue: @escaping @Sendable (_ owner: isolated Owner, _ value: Value) -> Void
  ) -> ObservationToken {
    observe(
      actor: owner, id: id ?? path, { subscription(of: path, by: isSame, bufferingPolicy, filter: shouldUpdate) },
      onValue)
  }

  /// Calls a closure with each value that another selects, without repeats, for an actor, on it.
  ///
  /// As ``observe(_:of:bufferingPolicy:shouldUpdate:id:isolation:_:)``.
  @discardableResult
  public nonisolated func observe<Owner: Actor, Value: Equatable & Sendable>(
    _ owner: Owner,
    of select: @escaping @Sendable (State) -> Value,
    bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded,
    shouldUpdate: (@Sendable (_ previous: Value?, _ new: Value) -> Bool)? = nil,
    id: (any Hashable & Sendable)? = nil,
    _ onValue: @escaping @Sendable (_ owner: isolated Owner, _ value: Value) -> Void
  ) -> ObservationToken {
    observe(
      actor: owner, id: id ?? OfClosure(), { subscription(of: select, by: ==, bufferingPolicy, filter: shouldUpdate) },
      onValue)
  }

  /// Calls a closure with each value that another selects and that differs from the one before by a comparison of one's
  /// own, for an actor, on it.
  ///
  /// As ``observe(_:of:by:bufferingPolicy:shouldUpdate:id:isolation:_:)``.
  @discardableResult
  public nonisolated func observe<Owner: Actor, Value: Sendable>(
    _ owner: Owner,
    of select: @escaping @Sendable (State) -> Value,
    by isSame: @escaping @Sendable (Value, Value) -> Bool,
    bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded,
    shouldUpdate: (@Sendable (_ previous: Value?, _ new: Value) -> Bool)? = nil,
    id: (any Hashable & Sendable)? = nil,
    _ onValue: @escaping @Sendable (_ owner: isolated Owner, _ value: Value) -> Void
  ) -> ObservationToken {
    observe(
      actor: owner, id: id ?? OfClosure(),
      { subscription(of: select, by: isSame, bufferingPolicy, filter: shouldUpdate) }, onValue)
  }

  private nonisolated func observe<Owner: Actor, Value: Sendable>(
    actor owner: Owner,
    id: (any Hashable & Sendable)?,
    _ subscribe: () -> Subscription<Value>,
    _ body: @escaping @Sendable (_ owner: isolated Owner, _ value: Value) -> Void
  ) -> ObservationToken {
    hub.observe(owner, id: id, on: owner, calledOn: nil, subscribe) { owner, value in
      // An observer calls on its actor, which is the owner.
      owner.assumeIsolated { body($0, value) }
    }
  }
}
