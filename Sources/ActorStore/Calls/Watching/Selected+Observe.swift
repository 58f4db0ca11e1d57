extension Selected {
  /// Calls a closure with each value, for code that does not run in a task of its own.
  ///
  /// ```swift
  /// store.select(\.title).observe(self) { view, title in view.title = title }
  /// ```
  ///
  /// The closure runs on the actor on which you call `observe`. The first call comes after `observe` has returned, with
  /// the value at the time of the call to `observe`. Calls with each later value follow, in order, as in a stream of
  /// ``values``. A task makes the calls. It inherits your task-locals and priority, like a `Task {}`.
  ///
  /// The observation does not retain the owner, the actor, or the store. It ends when one of them is deallocated,
  /// when the store is closed (after its last value), or with ``ObservationToken/cancel()`` or
  /// ``Store/stopObserving(_:)``. You do not have to unsubscribe. Inside the closure, use its argument for the owner,
  /// because a closure that captures the owner keeps it alive. The store notices that an owner is gone at the next
  /// delivery. Occasionally, when you observe for another owner on the same actor, it also searches for deallocated
  /// owners that get no deliveries, so their observations do not accumulate.
  ///
  /// Observing a store again for the same owner and `id` returns the existing token and does not use the new closure,
  /// even if the selection differs. Without an `id`, the selection serves as the `id`, regardless of its comparison.
  /// Repeat such an observation only from the same call in your source code. In debug builds, repeating it from another
  /// call fails an assertion, because the second closure would never be called. If one call observes one selection with
  /// several closures for the same owner, for example in a loop or a helper function, give each an `id`. Without one,
  /// only the first closure is called. A selection with a closure is the same only if it is a copy, so keep it in a
  /// constant if you observe more than once. An owner may observe any number of stores and selections.
  ///
  /// For an actor that observes for itself, there is an overload whose closure is isolated to the actor. You can call
  /// it from anywhere.
  ///
  /// - Parameters:
  ///   - owner: The object to observe for. The closure gets it as an argument.
  ///   - bufferingPolicy: The values to keep while the actor is busy: all of them (the default), or a number of the
  ///     newest or the oldest, at least one. To display the value, `.bufferingNewest(1)` is enough.
  ///   - id: Distinguishes this observation from others of the same owner.
  ///   - isolation: The actor on which the closure runs. Code without an actor cannot call this method. Such code can
  ///     iterate over ``values`` in a task, or call the method on an actor
  ///     (`await MainActor.run { selected.observe(...) }`).
  ///   - fileID: The file of the call, which identifies an observation without an `id`.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - onValue: A closure that gets the owner and the value. Calls do not overlap.
  /// - Returns: A token with which you can end the observation. You do not have to keep it.
  @discardableResult
  public func observe<Owner: AnyObject>(
    _ owner: Owner,
    bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded,
    id: (any Hashable & Sendable)? = nil,
    isolation: isolated any Actor = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column,
    _ onValue: @escaping (_ owner: Owner, _ value: Value) -> Void
  ) -> ObservationToken {
    store.observations.observe(
      owner, id: ObservationID(id, of: node.key, CallSite(fileID: fileID, line: line, column: column)),
      on: isolation, calledOn: isolation, { subscription(bufferingPolicy) }, onValue)
  }

  /// Calls an actor-isolated closure with each value, for an actor that observes for itself.
  ///
  /// ```swift
  /// store.select(\.title).observe(self) { cache, title in cache.title = title }
  /// ```
  ///
  /// It is like ``observe(_:bufferingPolicy:id:isolation:fileID:line:column:_:)``, which is for objects on an actor.
  /// You can call this overload from anywhere.
  @discardableResult
  public func observe<Owner: Actor>(
    _ owner: Owner,
    bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column,
    _ onValue: @escaping @Sendable (_ owner: isolated Owner, _ value: Value) -> Void
  ) -> ObservationToken {
    store.observations.observe(
      owner, id: ObservationID(id, of: node.key, CallSite(fileID: fileID, line: line, column: column)),
      on: owner, calledOn: nil, { subscription(bufferingPolicy) }
    ) { owner, value in
      // An observer calls its closure on its actor, which is the owner.
      owner.assumeIsolated { onValue($0, value) }
    }
  }
}

extension Store {
  /// Ends all observations of an owner in this store.
  ///
  /// It is like calling ``ObservationToken/cancel()`` for each of them.
  ///
  /// - Parameter owner: The object that the observations belong to.
  public nonisolated func stopObserving(_ owner: AnyObject) {
    observations.stopObserving(owner)
  }
}
