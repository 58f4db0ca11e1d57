public import ActorStore

/// Emitting events.
extension Store where State: EventDriven {
  /// Gives an event to the state, and returns the outcome.
  ///
  /// ```swift
  /// await store.dispatch(.added("milk"))
  /// ```
  ///
  /// It dispatches an ``Emit``. If the state refuses the event, the call throws the state's error.
  ///
  /// - Parameter event: The event.
  @inlinable
  @discardableResult
  public nonisolated(nonsending) func dispatch(_ event: State.Event) async throws(State.Failure) -> Outcome<Void> {
    try await dispatch(Emit<State>(event))
  }

  /// Gives several events to the state with one commit, and returns the outcome.
  ///
  /// ```swift
  /// await store.dispatch([.added("eggs"), .toggled(1)])
  /// ```
  ///
  /// It dispatches an ``EmitAll``. If the state refuses one of the events, none of them changes it. For no events, the
  /// call commits the unchanged state.
  ///
  /// - Parameter events: The events, in order.
  @inlinable
  @discardableResult
  public nonisolated(nonsending) func dispatch(_ events: [State.Event]) async throws(State.Failure) -> Outcome<Void> {
    try await dispatch(EmitAll<State>(events))
  }

  /// Gives an event to the state without waiting for the outcome.
  ///
  /// It sends an ``Emit``. In an idle store, the state has reacted when the call returns.
  ///
  /// - Parameter event: The event.
  /// - Returns: A ticket with which a task can await the outcome or cancel the action.
  @inlinable
  @discardableResult
  public nonisolated func send(_ event: State.Event) -> Ticket<Void, State.Failure> {
    send(Emit<State>(event))
  }

  /// Gives several events to the state with one commit, without waiting for the outcome.
  ///
  /// - Parameter events: The events, in order.
  /// - Returns: A ticket with which a task can await the outcome or cancel the action.
  @inlinable
  @discardableResult
  public nonisolated func send(_ events: [State.Event]) -> Ticket<Void, State.Failure> {
    send(EmitAll<State>(events))
  }
}
