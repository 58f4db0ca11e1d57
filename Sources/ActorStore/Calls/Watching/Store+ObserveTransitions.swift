extension Store {
  /// Calls a closure with each transition, for code that does not run in a task of its own.
  ///
  /// ```swift
  /// store.observeTransitions(self) { view, transition in
  ///   if let action = transition.action { view.history.append("\(action)") }
  /// }
  /// ```
  ///
  /// The transitions are those of ``transitions(bufferingPolicy:)``, so the first call gets the current state. In all
  /// other respects, the observation is like
  /// ``Selected/observe(_:bufferingPolicy:id:isolation:fileID:line:column:_:)``. While it exists, mutations copy what
  /// they change.
  ///
  /// - Parameters:
  ///   - owner: The object to observe for. The closure gets it as an argument.
  ///   - bufferingPolicy: The transitions to keep while the actor is busy: all of them (the default), or a number of
  ///     the newest or the oldest, at least one.
  ///   - id: Distinguishes this observation from others of the same owner.
  ///   - isolation: The actor on which the closure runs.
  ///   - fileID: The file of the call, which identifies an observation without an `id`.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - onTransition: A closure that gets the owner and the transition. Calls do not overlap.
  /// - Returns: A token with which you can end the observation. You do not have to keep it.
  @discardableResult
  public func observeTransitions<Owner: AnyObject>(
    _ owner: Owner,
    bufferingPolicy: AsyncStream<Transition<State>>.Continuation.BufferingPolicy = .unbounded,
    id: (any Hashable & Sendable)? = nil,
    isolation: isolated any Actor = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column,
    _ onTransition: @escaping (_ owner: Owner, _ transition: Transition<State>) -> Void
  ) -> ObservationToken {
    observations.observe(
      owner, id: ObservationID(id, of: OfTransitions(), CallSite(fileID: fileID, line: line, column: column)),
      on: isolation, calledOn: isolation, { transitionSubscription(bufferingPolicy, isInGroup: false) }, onTransition)
  }

  /// Calls an actor-isolated closure with each transition, for an actor that observes for itself.
  ///
  /// It is like ``observeTransitions(_:bufferingPolicy:id:isolation:fileID:line:column:_:)``, which is for objects on
  /// an actor. You can call this overload from anywhere.
  @discardableResult
  public nonisolated func observeTransitions<Owner: Actor>(
    _ owner: Owner,
    bufferingPolicy: AsyncStream<Transition<State>>.Continuation.BufferingPolicy = .unbounded,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column,
    _ onTransition: @escaping @Sendable (_ owner: isolated Owner, _ transition: Transition<State>) -> Void
  ) -> ObservationToken {
    observations.observe(
      owner, id: ObservationID(id, of: OfTransitions(), CallSite(fileID: fileID, line: line, column: column)),
      on: owner, calledOn: nil, { transitionSubscription(bufferingPolicy, isInGroup: false) }
    ) { owner, transition in
      // An observer calls its closure on its actor, which is the owner.
      owner.assumeIsolated { onTransition($0, transition) }
    }
  }
}

/// Represents the transitions of a store in an `ObservationID`.
private struct OfTransitions: Hashable, Sendable {}
