extension Store {
  /// Calls a closure with each committed state, for code that is no task of its own.
  ///
  /// ```swift
  /// store.observe(self) { view, state in view.title = state.title }
  /// ```
  ///
  /// The closure is called on the actor that `observe` is called on, first with the state of this moment, but not before
  /// `observe` has returned, and then with each that is committed, in order, as a stream of ``states`` delivers them. It
  /// is called by a task that inherits the caller's task-locals and priority, as `Task {}` would.
  ///
  /// Neither the owner nor the actor is held, nor the store: the observation ends when one of them is gone, when the
  /// store is closed, after what is still due, or by ``ObservationToken/cancel()`` and ``stopObserving(_:)``. There is
  /// nothing to unsubscribe; but take the owner from the closure's argument, a closure that captures it keeps it. That
  /// an owner is gone is noticed when something is to be delivered; those that get nothing are looked for now and then,
  /// when others are observed for on the same actor, so that owners that come and go do not pile up.
  ///
  /// The first observation of an owner stands: calling again returns its token and changes nothing, unless `id` differs.
  /// An owner may observe any number of stores.
  ///
  /// An actor that observes for itself has overloads of its own, whose closure gets it isolated; they are callable from
  /// anywhere.
  ///
  /// - Parameters:
  ///   - owner: For whom; the closure gets it.
  ///   - bufferingPolicy: What is kept while the actor is busy: all (the default), or so many of the newest or the
  ///     oldest, at least one. To show the state, `.bufferingNewest(1)` is enough.
  ///   - shouldUpdate: Whether a state is to be delivered, given the one that it last accepted; see
  ///     ``states(bufferingPolicy:shouldUpdate:)``. Not always called on the actor.
  ///   - id: What tells this observation from others of the same owner.
  ///   - isolation: The actor to call the closure on. A caller that is on none does not compile: a task iterates over
  ///     ``states``, other code calls this on an actor (`await MainActor.run { store.observe(...) }`).
  ///   - onState: Gets the owner and the state; not called again before it has returned.
  /// - Returns: The token to end the observation with; it need not be kept.
  @discardableResult
  public func observe<Owner: AnyObject>(
    _ owner: Owner,
    bufferingPolicy: AsyncStream<State>.Continuation.BufferingPolicy = .unbounded,
    shouldUpdate: (@Sendable (_ previous: State?, _ new: State) -> Bool)? = nil,
    id: (any Hashable & Sendable)? = nil,
    isolation: isolated any Actor = #isolation,
    _ onState: @escaping (_ owner: Owner, _ state: State) -> Void
  ) -> ObservationToken {
    hub.observe(
      owner, id: id, on: isolation, calledOn: isolation, { subscription(bufferingPolicy, filter: shouldUpdate) },
      onState)
  }

  /// Calls a closure with each value at a key path, without repeats.
  ///
  /// As ``observe(_:bufferingPolicy:shouldUpdate:id:isolation:_:)``, with the values of ``values(of:bufferingPolicy:)``;
  /// the key path serves as `id` when none is given, so one owner may observe several.
  @discardableResult
  public func observe<Owner: AnyObject, Value: Equatable & Sendable>(
    _ owner: Owner,
    of path: any KeyPath<State, Value> & Sendable,
    bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded,
    shouldUpdate: (@Sendable (_ previous: Value?, _ new: Value) -> Bool)? = nil,
    id: (any Hashable & Sendable)? = nil,
    isolation: isolated any Actor = #isolation,
    _ onValue: @escaping (_ owner: Owner, _ value: Value) -> Void
  ) -> ObservationToken {
    hub.observe(
      owner, id: id ?? path, on: isolation, calledOn: isolation,
      { subscription(of: path, bufferingPolicy, filter: shouldUpdate) },
      onValue)
  }

  /// Calls a closure with each value at a key path that differs from the one before by a comparison of one's own.
  ///
  /// As ``observe(_:of:bufferingPolicy:shouldUpdate:id:isolation:_:)``; `isSame` says whether the second value is a
  /// repeat of the first, see ``values(of:bufferingPolicy:by:)``.
  @discardableResult
  public func observe<Owner: AnyObject, Value: Sendable>(
    _ owner: Owner,
    of path: any KeyPath<State, Value> & Sendable,
    by isSame: @escaping @Sendable (Value, Value) -> Bool,
    bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded,
    shouldUpdate: (@Sendable (_ previous: Value?, _ new: Value) -> Bool)? = nil,
    id: (any Hashable & Sendable)? = nil,
    isolation: isolated any Actor = #isolation,
    _ onValue: @escaping (_ owner: Owner, _ value: Value) -> Void
  ) -> ObservationToken {
    hub.observe(
      owner, id: id ?? path, on: isolation, calledOn: isolation,
      { subscription(of: path, by: isSame, bufferingPolicy, filter: shouldUpdate) }, onValue)
  }

  /// Calls a closure with each value that another selects, without repeats.
  ///
  /// As ``observe(_:bufferingPolicy:shouldUpdate:id:isolation:_:)``, with the values that `select` finds, see
  /// ``values(of:bufferingPolicy:)``. Closures cannot be compared: where an owner observes several, give each an `id`,
  /// or only the first stands.
  @discardableResult
  public func observe<Owner: AnyObject, Value: Equatable & Sendable>(
    _ owner: Owner,
    of select: @escaping @Sendable (State) -> Value,
    bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded,
    shouldUpdate: (@Sendable (_ previous: Value?, _ new: Value) -> Bool)? = nil,
    id: (any Hashable & Sendable)? = nil,
    isolation: isolated any Actor = #isolation,
    _ onValue: @escaping (_ owner: Owner, _ value: Value) -> Void
  ) -> ObservationToken {
    observe(
      owner, of: select, by: ==, bufferingPolicy: bufferingPolicy, shouldUpdate: shouldUpdate, id: id,
      isolation: isolation, onValue)
  }

  /// Calls a closure with each value that another selects and that differs from the one before by a comparison of
  /// one's own.
  ///
  /// As ``observe(_:of:bufferingPolicy:shouldUpdate:id:isolation:_:)``; `isSame` says whether the second value is a
  /// repeat of the first.
  @discardableResult
  public func observe<Owner: AnyObject, Value: Sendable>(
    _ owner: Owner,
    of select: @escaping @Sendable (State) -> Value,
    by isSame: @escaping @Sendable (Value, Value) -> Bool,
    bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded,
    shouldUpdate: (@Sendable (_ previous: Value?, _ new: Value) -> Bool)? = nil,
    id: (any Hashable & Sendable)? = nil,
    isolation: isolated any Actor = #isolation,
    _ onValue: @escaping (_ owner: Owner, _ value: Value) -> Void
  ) -> ObservationToken {
    hub.observe(
      owner, id: id ?? OfClosure(), on: isolation, calledOn: isolation,
      { subscription(of: select, by: isSame, bufferingPolicy, filter: shouldUpdate) }, onValue)
  }

  /// Ends all observations of an owner in this store, as ``ObservationToken/cancel()`` ends one.
  public nonisolated func stopObserving(_ owner: AnyObject) {
    hub.stopObserving(owner)
  }
}

/// What stands for a closure that was given no `id`.
struct OfClosure: Hashable {}
