/// The memory of one store's committed state, which is part of the store.
///
/// The store shares it without a separate lock. This invariant makes that safe. Only the turn's holder *writes* it: in
/// place while the phase of its turn is `applying`, otherwise under the queue's lock. The holder may also *read* it.
/// Others read it under the queue's lock while the phase is not `applying`. So a write never overlaps another access.
@frozen @usableFromInline struct StateCell<State: Sendable>: ~Copyable, Sendable {
  @usableFromInline var state: State

  @inlinable
  init(_ state: consuming State) {
    self.state = state
  }

  /// Reads the state, with the turn or under the queue's lock.
  @inlinable
  func copy() -> State {
    state
  }

  /// Exchanges the state with a draft, with the turn and under the queue's lock.
  ///
  /// It releases nothing. The old state is in `draft` afterward.
  @inlinable
  mutating func swap(_ draft: inout State) {
    Swift.swap(&state, &draft)
  }

  /// Edits the state in place, with a turn whose phase is `applying`.
  @inlinable
  mutating func edit<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(&state)
  }
}
