/// The memory of one store's committed state.
///
/// This invariant makes it safe to share without a lock of its own. Only the turn's holder *writes* it: in place while
/// the phase of its turn is `applying`, otherwise under the queue's lock. The holder may also *read* it. Others read it
/// under the queue's lock while the phase is not `applying`. So a write never overlaps another access.
@safe @frozen @usableFromInline struct StateCell<State: Sendable>: ~Copyable, @unchecked Sendable {
  @usableFromInline let address: UnsafeMutablePointer<State>

  @inlinable
  init(_ state: consuming State) {
    unsafe address = .allocate(capacity: 1)
    unsafe address.initialize(to: state)
  }

  @inlinable
  deinit {
    unsafe address.deinitialize(count: 1)
    unsafe address.deallocate()
  }

  /// Reads the state, with the turn or under the queue's lock.
  @inlinable
  func copy() -> State {
    unsafe address.pointee
  }

  /// Exchanges the state with a draft, with the turn and under the queue's lock.
  ///
  /// It releases nothing. The old state is in `draft` afterward.
  @inlinable
  func swap(_ draft: inout State) {
    unsafe Swift.swap(&address.pointee, &draft)
  }

  /// Edits the state in place, with a turn whose phase is `applying`.
  @inlinable
  func edit<Result, Failure: Error>(_ body: (inout State) throws(Failure) -> Result) throws(Failure) -> Result {
    try unsafe body(&address.pointee)
  }
}
