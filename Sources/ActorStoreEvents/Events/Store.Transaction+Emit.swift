public import ActorStore

/// Events as members of a transaction.
extension Store.Transaction where State: EventDriven {
  /// Gives an event to the draft, as a member of the transaction.
  ///
  /// If the state refuses the event, the call restores the draft and throws the state's error. If a guard refuses it,
  /// the call throws a `Veto`.
  ///
  /// - Parameter event: The event.
  @inlinable
  public mutating func run(_ event: State.Event) throws { try run(Emit<State>(event)) }

  /// Gives an event that the state cannot refuse to the draft.
  ///
  /// The call throws only a `Veto`.
  @inlinable
  public mutating func run(_ event: State.Event) throws(Veto) where State.Failure == Never {
    try run(Emit<State>(event))
  }

  // MARK: In a body that may suspend

  /// Gives an event to the draft, as a member of the transaction.
  ///
  /// - Parameter event: The event.
  @inlinable
  public mutating func run(_ event: State.Event) async throws { try await run(Emit<State>(event)) }

  /// Gives an event that the state cannot refuse to the draft.
  ///
  /// The call throws only a `Veto`.
  @inlinable
  public mutating func run(_ event: State.Event) async throws(Veto) where State.Failure == Never {
    try await run(Emit<State>(event))
  }
}
