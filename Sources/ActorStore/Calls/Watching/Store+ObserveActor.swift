/// `observe` for actors that observe for themselves.
extension Store {
  /// Calls an actor-isolated closure with each committed state.
  ///
  /// ```swift
  /// store.observe(self) { cache, state in cache.latest = state }
  /// ```
  ///
  /// It is like ``observe(_:bufferingPolicy:shouldUpdate:id:isolation:fileID:line:column:_:)``, which is for objects on
  /// an actor. You can call this overload from anywhere.
  @discardableResult
  public nonisolated func observe<Owner: Actor>(
    _ owner: Owner,
    bufferingPolicy: AsyncStream<State>.Continuation.BufferingPolicy = .unbounded,
    shouldUpdate: (@Sendable (_ previous: State?, _ new: State) -> Bool)? = nil,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column,
    _ onState: @escaping @Sendable (_ owner: isolated Owner, _ state: State) -> Void
  ) -> ObservationToken {
    observe(
      actor: owner, ObservationID(id, of: OfStates(), CallSite(fileID: fileID, line: line, column: column)),
      { subscription(bufferingPolicy, filter: shouldUpdate) }, onState)
  }

  /// Calls an actor-isolated closure with each value at a key path, without repeats.
  ///
  /// It is like `observe(_:of:)`.
  @discardableResult
  public nonisolated func observe<Owner: Actor, Value: Equatable & Sendable>(
    _ owner: Owner,
    of path: any KeyPath<State, Value> & Sendable,
    bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded,
    shouldUpdate: (@Sendable (_ previous: Value?, _ new: Value) -> Bool)? = nil,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column,
    _ onValue: @escaping @Sendable (_ owner: isolated Owner, _ value: Value) -> Void
  ) -> ObservationToken {
    observe(
      actor: owner, ObservationID(id, of: path, CallSite(fileID: fileID, line: line, column: column)),
      { subscription(of: path, bufferingPolicy, filter: shouldUpdate) }, onValue)
  }

  /// Calls an actor-isolated closure with each value at a key path, without values that a comparison
  /// considers repeats.
  ///
  /// It is like `observe(_:of:by:)`.
  @discardableResult
  public nonisolated func observe<Owner: Actor, Value: Sendable>(
    _ owner: Owner,
    of path: any KeyPath<State, Value> & Sendable,
    by isSame: @escaping @Sendable (Value, Value) -> Bool,
    bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded,
    shouldUpdate: (@Sendable (_ previous: Value?, _ new: Value) -> Bool)? = nil,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column,
    _ onValue: @escaping @Sendable (_ owner: isolated Owner, _ value: Value) -> Void
  ) -> ObservationToken {
    observe(
      actor: owner, ObservationID(id, of: path, CallSite(fileID: fileID, line: line, column: column)),
      { subscription(of: path, by: isSame, bufferingPolicy, filter: shouldUpdate) }, onValue)
  }

  /// Calls an actor-isolated closure with each value that another closure selects, without repeats.
  ///
  /// It is like `observe(_:of:)`.
  @discardableResult
  public nonisolated func observe<Owner: Actor, Value: Equatable & Sendable>(
    _ owner: Owner,
    of select: @escaping @Sendable (State) -> Value,
    bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded,
    shouldUpdate: (@Sendable (_ previous: Value?, _ new: Value) -> Bool)? = nil,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column,
    _ onValue: @escaping @Sendable (_ owner: isolated Owner, _ value: Value) -> Void
  ) -> ObservationToken {
    observe(
      actor: owner, ObservationID(id, of: OfClosure(), CallSite(fileID: fileID, line: line, column: column)),
      { subscription(of: select, bufferingPolicy, filter: shouldUpdate) }, onValue)
  }

  /// Calls an actor-isolated closure with each value that another closure selects, without values that a
  /// comparison considers repeats.
  ///
  /// It is like `observe(_:of:by:)`.
  @discardableResult
  public nonisolated func observe<Owner: Actor, Value: Sendable>(
    _ owner: Owner,
    of select: @escaping @Sendable (State) -> Value,
    by isSame: @escaping @Sendable (Value, Value) -> Bool,
    bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded,
    shouldUpdate: (@Sendable (_ previous: Value?, _ new: Value) -> Bool)? = nil,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column,
    _ onValue: @escaping @Sendable (_ owner: isolated Owner, _ value: Value) -> Void
  ) -> ObservationToken {
    observe(
      actor: owner, ObservationID(id, of: OfClosure(), CallSite(fileID: fileID, line: line, column: column)),
      { subscription(of: select, by: isSame, bufferingPolicy, filter: shouldUpdate) }, onValue)
  }

  private nonisolated func observe<Owner: Actor, Value: Sendable>(
    actor owner: Owner,
    _ id: ObservationID,
    _ subscribe: () -> Subscription<Value>,
    _ body: @escaping @Sendable (_ owner: isolated Owner, _ value: Value) -> Void
  ) -> ObservationToken {
    observations.observe(owner, id: id, on: owner, calledOn: nil, subscribe) { owner, value in
      // An observer calls its closure on its actor, which is the owner.
      owner.assumeIsolated { body($0, value) }
    }
  }
}
