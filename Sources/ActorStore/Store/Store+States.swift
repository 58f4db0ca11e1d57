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
  /// It ends when its consumer stops or is cancelled, at once and with nothing more delivered, and when the store is
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
    let (hub, line) = (hub, line)
    let subscription = Subscription<State>(hub.states, Buffering(bufferingPolicy), filter: shouldUpdate) {
      line.watch { $0 = !hub.isEmpty }
    }
    let id = subscription.id
    line.subscribe { _, isReadable in
      // There is no stream yet, and so nobody to wake.
      if isReadable { _ = hub.states.start(id, with: Published(cell.copy())) }
    } later: {
      hub.states.start(id, with: Published(self.cell.copy())).resumeAll()
    }
    return subscription.stream
  }
}

extension Buffering {
  init<State>(_ policy: AsyncStream<State>.Continuation.BufferingPolicy) {
    switch policy {
    case .unbounded:
      self = .unbounded
    case .bufferingNewest(let count):
      precondition(
        count > 0,
        "ActorStore: bufferingPolicy: .bufferingNewest(\(count)) would drop everything, the last included; keep at least 1."
      )
      self = .newest(count)
    case .bufferingOldest(let count):
      precondition(
        count > 0,
        "ActorStore: bufferingPolicy: .bufferingOldest(\(count)) would drop everything; keep at least 1.")
      self = .oldest(count)
    @unknown default:
      self = .unbounded
    }
  }
}
