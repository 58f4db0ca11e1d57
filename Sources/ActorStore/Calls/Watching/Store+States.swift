extension Store {
  /// A stream of the committed states, starting with the current one.
  ///
  /// Each access creates its own subscription, like ``states(bufferingPolicy:shouldUpdate:)`` without arguments. States
  /// that a slow consumer has yet to take stay in memory.
  public nonisolated var states: AsyncStream<State> { states() }

  /// Returns a stream of the committed states that a filter accepts, starting with the current one.
  ///
  /// Each call creates its own subscription.
  ///
  /// ```swift
  /// for await state in store.states(bufferingPolicy: .bufferingNewest(1)) { show(state) }
  /// ```
  ///
  /// The stream starts with the state at the time of the call. With the default arguments, it then delivers each later
  /// commit exactly once. If a mutation is editing the state in place at the time of the call, the stream starts with
  /// that mutation's commit. All subscribers see the commits in the same order. Call the method once for each consumer.
  /// If two consumers iterate over one stream, they share its elements, and canceling one ends the stream for both.
  ///
  /// The stream ends immediately when its consumer is canceled. Its subscription also ends when you release the stream
  /// and its iterators. When the store is closed or deallocated, the stream ends after it delivers its remaining
  /// states, including the last one. In a closed store whose groups still run, a stream that one of these groups
  /// created ends as soon as no action runs or waits. The stream does not keep the store alive. A loop over
  /// `store.states` may keep it alive, because the loop refers to the store, so create the stream before the loop.
  ///
  /// By default, no state is lost, so the states that a slow consumer has yet to take stay in memory, without a limit.
  /// ``StoreDiagnostics/Subscriber/pending`` is their number. A server passes `.bufferingNewest(1)` for clients that it
  /// does not control.
  ///
  /// The cost of a commit does not grow with the number of streams that are behind, except for streams that buffer the
  /// oldest states and still have room. The streams share one copy of each state that they have yet to deliver. See P11
  /// to P15 in <doc:Promises>.
  ///
  /// - Parameters:
  ///   - bufferingPolicy: The states to keep for a consumer that is behind: all of them (the default), or a number of
  ///     the newest or the oldest, at least one. The filter never sees a dropped state.
  ///   - shouldUpdate: A closure that returns whether to deliver a state, given the one it accepted last (`nil` at
  ///     first). It is called once for each state that is not dropped, in order, never concurrently, and without a
  ///     lock. The consumer's task calls it. While that task waits, the committing task calls it in its turn, so keep
  ///     it short. It may send to any store.
  public nonisolated func states(
    bufferingPolicy: AsyncStream<State>.Continuation.BufferingPolicy = .unbounded,
    shouldUpdate: (@Sendable (_ previous: State?, _ new: State) -> Bool)? = nil
  ) -> AsyncStream<State> {
    subscription(bufferingPolicy, isInGroup: queue.isOfGroup, filter: shouldUpdate).stream
  }
}
