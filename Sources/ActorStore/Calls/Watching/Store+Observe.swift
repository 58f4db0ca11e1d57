extension Store {
  /// Calls a closure with each committed state, for code that does not run in a task of its own.
  ///
  /// ```swift
  /// store.observe(self) { view, state in view.title = state.title }
  /// ```
  ///
  /// The closure runs on the actor on which you call `observe`. The first call comes after `observe` has returned, with
  /// the state at the time of the call to `observe`. Calls with each committed state follow, in order, as in a stream
  /// of ``states``. A task makes the calls. It inherits your task-locals and priority, like a `Task {}`.
  ///
  /// The observation does not retain the owner, the actor, or the store. It ends when one of them is deallocated,
  /// when the store is closed (after its last state), or with ``ObservationToken/cancel()`` or ``stopObserving(_:)``.
  /// You do not have to unsubscribe. Inside the closure, use its argument for the owner, because a closure that
  /// captures the owner keeps it alive. The store notices that an owner is gone at the next delivery. Occasionally,
  /// when you observe for another owner on the same actor, it also searches for deallocated owners that get no
  /// deliveries, so their observations do not accumulate.
  ///
  /// Observing again with the same owner and `id` returns the existing token and does not use the new closure. Without
  /// an `id`, do that only from the same call in your source code. In debug builds, observing the same thing for the
  /// same owner from another call fails an assertion, because the second closure would never be called. If one call
  /// observes with several closures for the same owner, for example in a loop or a helper function, give each an `id`.
  /// Without one, only the first closure is called. An owner may observe any number of stores.
  ///
  /// For an actor that observes for itself, there are overloads whose closure is isolated to the actor. You can call
  /// those from anywhere.
  ///
  /// - Parameters:
  ///   - owner: The object to observe for. The closure gets it as an argument.
  ///   - bufferingPolicy: The states to keep while the actor is busy: all of them (the default), or a number of the
  ///     newest or the oldest, at least one. To display the state, `.bufferingNewest(1)` is enough.
  ///   - shouldUpdate: A closure that decides whether to deliver a state, given the one it accepted last. See
  ///     ``states(bufferingPolicy:shouldUpdate:)``. It may run off the actor.
  ///   - id: Distinguishes this observation from others of the same owner.
  ///   - isolation: The actor on which the closure runs. Code without an actor cannot call this method. Such code can
  ///     iterate over ``states`` in a task, or call the method on an actor
  ///     (`await MainActor.run { store.observe(...) }`).
  ///   - fileID: The file of the call, which identifies an observation without an `id`.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - onState: A closure that gets the owner and the state. Calls do not overlap.
  /// - Returns: A token with which you can end the observation. You do not have to keep it.
  @discardableResult
  public func observe<Owner: AnyObject>(
    _ owner: Owner,
    bufferingPolicy: AsyncStream<State>.Continuation.BufferingPolicy = .unbounded,
    shouldUpdate: (@Sendable (_ previous: State?, _ new: State) -> Bool)? = nil,
    id: (any Hashable & Sendable)? = nil,
    isolation: isolated any Actor = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column,
    _ onState: @escaping (_ owner: Owner, _ state: State) -> Void
  ) -> ObservationToken {
    observations.observe(
      owner, id: ObservationID(id, of: OfStates(), CallSite(fileID: fileID, line: line, column: column)),
      on: isolation, calledOn: isolation, { subscription(bufferingPolicy, filter: shouldUpdate) }, onState)
  }

  /// Calls a closure with each value at a key path, without repeats.
  ///
  /// It is like ``observe(_:bufferingPolicy:shouldUpdate:id:isolation:fileID:line:column:_:)``, with the values of
  /// `values(of:bufferingPolicy:)`. Without an `id`, the key path serves as one, so an owner may observe several key
  /// paths.
  @discardableResult
  public func observe<Owner: AnyObject, Value: Equatable & Sendable>(
    _ owner: Owner,
    of path: any KeyPath<State, Value> & Sendable,
    bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded,
    shouldUpdate: (@Sendable (_ previous: Value?, _ new: Value) -> Bool)? = nil,
    id: (any Hashable & Sendable)? = nil,
    isolation: isolated any Actor = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column,
    _ onValue: @escaping (_ owner: Owner, _ value: Value) -> Void
  ) -> ObservationToken {
    observations.observe(
      owner, id: ObservationID(id, of: path, CallSite(fileID: fileID, line: line, column: column)),
      on: isolation, calledOn: isolation, { subscription(of: path, bufferingPolicy, filter: shouldUpdate) }, onValue)
  }

  /// Calls a closure with each value at a key path, without values that a comparison considers repeats.
  ///
  /// It is like `observe(_:of:)`. `isSame` returns whether the second value repeats the first. See
  /// `values(of:by:bufferingPolicy:)`.
  @discardableResult
  public func observe<Owner: AnyObject, Value: Sendable>(
    _ owner: Owner,
    of path: any KeyPath<State, Value> & Sendable,
    by isSame: @escaping @Sendable (Value, Value) -> Bool,
    bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded,
    shouldUpdate: (@Sendable (_ previous: Value?, _ new: Value) -> Bool)? = nil,
    id: (any Hashable & Sendable)? = nil,
    isolation: isolated any Actor = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column,
    _ onValue: @escaping (_ owner: Owner, _ value: Value) -> Void
  ) -> ObservationToken {
    observations.observe(
      owner, id: ObservationID(id, of: path, CallSite(fileID: fileID, line: line, column: column)),
      on: isolation, calledOn: isolation,
      { subscription(of: path, by: isSame, bufferingPolicy, filter: shouldUpdate) }, onValue)
  }

  /// Calls a closure with each value that another closure selects, without repeats.
  ///
  /// It is like ``observe(_:bufferingPolicy:shouldUpdate:id:isolation:fileID:line:column:_:)``, with the values of
  /// `values(of:bufferingPolicy:)`. Closures cannot be compared. If an owner observes several, give each an `id`.
  @discardableResult
  public func observe<Owner: AnyObject, Value: Equatable & Sendable>(
    _ owner: Owner,
    of select: @escaping @Sendable (State) -> Value,
    bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded,
    shouldUpdate: (@Sendable (_ previous: Value?, _ new: Value) -> Bool)? = nil,
    id: (any Hashable & Sendable)? = nil,
    isolation: isolated any Actor = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column,
    _ onValue: @escaping (_ owner: Owner, _ value: Value) -> Void
  ) -> ObservationToken {
    observe(
      owner, of: select, by: isUnchanged, bufferingPolicy: bufferingPolicy, shouldUpdate: shouldUpdate, id: id,
      isolation: isolation, fileID: fileID, line: line, column: column, onValue)
  }

  /// Calls a closure with each value that another closure selects, without values that a comparison considers repeats.
  ///
  /// It is like `observe(_:of:)`. `isSame` returns whether the second value repeats the first.
  @discardableResult
  public func observe<Owner: AnyObject, Value: Sendable>(
    _ owner: Owner,
    of select: @escaping @Sendable (State) -> Value,
    by isSame: @escaping @Sendable (Value, Value) -> Bool,
    bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded,
    shouldUpdate: (@Sendable (_ previous: Value?, _ new: Value) -> Bool)? = nil,
    id: (any Hashable & Sendable)? = nil,
    isolation: isolated any Actor = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column,
    _ onValue: @escaping (_ owner: Owner, _ value: Value) -> Void
  ) -> ObservationToken {
    observations.observe(
      owner, id: ObservationID(id, of: OfClosure(), CallSite(fileID: fileID, line: line, column: column)),
      on: isolation, calledOn: isolation,
      { subscription(of: select, by: isSame, bufferingPolicy, filter: shouldUpdate) }, onValue)
  }

  /// Ends all observations of an owner in this store.
  ///
  /// It is like calling ``ObservationToken/cancel()`` for each of them.
  ///
  /// - Parameter owner: The object that the observations belong to.
  public nonisolated func stopObserving(_ owner: AnyObject) {
    observations.stopObserving(owner)
  }
}
