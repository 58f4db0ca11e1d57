/// The place of one store's committed state.
///
/// The invariant that makes it safe to share without a lock of its own: it is *written* only by who has the turn, in
/// place while the turn's phase is `applying`, otherwise under the line's lock; it is *read* by who has the turn, or
/// under the line's lock while the phase is not `applying`. So a write never meets another access.
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

  /// Reads: with the turn, or under the line's lock.
  @inlinable
  func copy() -> State {
    unsafe address.pointee
  }

  /// Writes, under the line's lock and with the turn.
  ///
  /// Nothing is released: the old state is in `draft` afterwards.
  @inlinable
  func swap(_ draft: inout State) {
    unsafe Swift.swap(&address.pointee, &draft)
  }

  /// Edits in place, with the turn in its phase `applying`.
  @inlinable
  func edit<Result, Failure: Error>(_ body: (inout State) throws(Failure) -> Result) throws(Failure) -> Result {
    try unsafe body(&address.pointee)
  }
}
