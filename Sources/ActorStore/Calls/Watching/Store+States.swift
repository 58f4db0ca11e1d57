extension Store {
  /// The committed states, from this moment's on: each call is a subscription of its own (P11).
  ///
  /// As ``states(bufferingPolicy:shouldUpdate:)`` without an argument.
  public nonisolated var states: AsyncStream<State> { states() }

  /// The committed states that a filter accepts, from this moment's on: each call is a subscription of its own (P11).
  ///
  /// ```swift
  /// for await state in store.states(bufferingPolicy: .bufferingNewest(1)) { show(state) }
  /// ```
  ///
  /// The stream starts with the state of this call, misses none and repeats none; made while a mutation is applied in
  /// place, it starts with that commit (P6). Every subscriber sees the commits in the same order (P12). Call it once for
  /// each consumer: two that iterate over one stream share its states, and the end of one is the end of both.
  ///
  /// It ends when its consumer stops or is canceled, at once and with nothing more delivered, and when the store is
  /// closed or gone, after what is still due, the last state included (P14). It does not keep the store alive; a loop
  /// over `store.states` may, since it refers to the store: make the stream first.
  ///
  /// What a commit costs does not grow with the number of streams that are behind (P15). States that somebody has yet to
  /// take are kept once for all.
  ///
  /// - Parameters:
  ///   - bufferingPolicy: What is kept for a consumer that is behind: all (the default), or so many of the newest or
  ///     the oldest, at least one. What it drops is never shown to the filter.
  ///   - shouldUpdate: Whether a state is to be delivered, given the one that it last accepted, nil at first. Called
  ///     once for each state that is not dropped, in order, never about two at once, and without a lock: by the
  ///     consumer's task, or, when that waits, by the committing one inside its turn, so keep it short (P13). It may
  ///     `send` to any store.
  public nonisolated func states(
    bufferingPolicy: AsyncStream<State>.Continuation.BufferingPolicy = .unbounded,
    shouldUpdate: (@Sendable (_ previous: State?, _ new: State) -> Bool)? = nil
  ) -> AsyncStream<State> {
    subscription(bufferingPolicy, filter: shouldUpdate).stream
  }
}
