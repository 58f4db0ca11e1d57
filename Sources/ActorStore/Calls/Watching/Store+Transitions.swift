extension Store {
  /// Returns a stream of the commits, each with its revision, its action, and the old and the new state.
  ///
  /// Each call creates its own subscription.
  ///
  /// ```swift
  /// for await transition in store.transitions() {
  ///   guard let action = transition.action else { continue }  // The first element.
  ///   print("\(transition.revision): \(action)")
  /// }
  /// ```
  ///
  /// The first element has the state and the revision at the time of the call, and no action. With the default policy,
  /// the stream then delivers each later commit exactly once, in order. The revisions have no gap, and the old state of
  /// each transition is the new state of the one before it. If a mutation is editing the state in place at the time of
  /// the call, the stream starts with that mutation's commit as its first element. Actions that do not commit have no
  /// transition. For these, use a ``ReportGuard``.
  ///
  /// The stream ends like one of ``states(bufferingPolicy:shouldUpdate:)``: when its consumer is canceled, when you
  /// release the stream and its iterators, and, after the remaining elements, when the store is closed or deallocated.
  /// It does not keep the store alive.
  ///
  /// While a store has a stream of transitions, read or not, the store keeps the newest state for the next transition.
  /// So each mutation copies the arrays, dictionaries, and strings that it changes instead of editing them in place.
  /// Pending transitions keep their old states and actions. All streams of states and transitions share one copy of
  /// each state. When the last stream of transitions ends, the store releases the state, and mutations edit in place
  /// again. A store without such a stream pays nothing. See P18 in <doc:Promises>.
  ///
  /// - Parameter bufferingPolicy: The transitions to keep for a consumer that is behind: all of them (the default), or
  ///   a number of the newest or the oldest, at least one. After a dropped transition, the revisions have a gap.
  public nonisolated func transitions(
    bufferingPolicy: AsyncStream<Transition<State>>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<Transition<State>> {
    transitionSubscription(bufferingPolicy, isInGroup: queue.isOfGroup).stream
  }

  /// Subscribes to the transitions.
  nonisolated func transitionSubscription(
    _ bufferingPolicy: AsyncStream<Transition<State>>.Continuation.BufferingPolicy,
    isInGroup: Bool
  ) -> Subscription<Transition<State>> {
    let (hub, queue) = (hub, queue)
    queue.point()
    defer { queue.pointAfterCall() }
    queue.touch()
    let series = hub.transitions
    let subscription = Subscription<Transition<State>>(
      series.broadcast, of: queue, Buffering(bufferingPolicy), filter: nil, isInGroup: isInGroup
    ) {
      let forgotten = queue.watch { isWatched in
        let forgotten = series.forgetIfEmpty()
        queue.recordsMembers = !series.isUnused
        isWatched = !hub.isEmpty
        return forgotten
      }
      withExtendedLifetime(forgotten) {}
    }
    let id = subscription.id
    queue.subscribe { revision, isReadable in
      queue.recordsMembers = true
      // There is no stream yet, so there is no consumer to resume.
      if isReadable { _ = start(id, in: series, at: revision) }
    } later: {
      // The holder has yet to hand off the turn, so the revision is still that of its commit.
      let revision = queue.revision
      queue.watch { _ in self.start(id, in: series, at: revision) }.resumeAll()
    }
    if isInGroup { queue.noWaiterRemains() }
    return subscription
  }

  /// Starts a subscriber with the current state.
  private nonisolated func start(
    _ id: SubscriptionID,
    in series: TransitionSeries,
    at revision: UInt64
  ) -> [Broadcast.Consumer] {
    series.start(id) {
      Published(committedState)
    } _: { state in
      Transition<State>.published(revision, nil, members: [], from: nil, to: state)
    }
  }
}
