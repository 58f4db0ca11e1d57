public import ActorStore

extension Store where State: EventDriven {
  /// Returns a stream of the commits, each with its events, and the old and the new state.
  ///
  /// ```swift
  /// for await commit in store.events() {
  ///   for event in commit.events { print("\(commit.revision): \(event)") }
  /// }
  /// ```
  ///
  /// Its elements are the transitions of the store, with the same guarantees. The first element has the state at the
  /// time of the call, and no events. With the default policy, each later commit follows exactly once, in order. A
  /// commit of an action that is not an event has no events. If only events change the state (see ``EventsOnly``), and
  /// no action is a `TimeMove`, the events applied one after another to the state of the first element give the state
  /// of each later one.
  ///
  /// While the stream exists, mutations copy what they change, as with a stream of transitions. A transaction that was
  /// called before the store had such a stream shows its events only if the store has a guard.
  ///
  /// - Parameter bufferingPolicy: The commits to keep for a consumer that is behind: all of them (the default), or a
  ///   number of the newest or the oldest, at least one. After a dropped commit, the revisions have a gap.
  public nonisolated func events(
    bufferingPolicy: AsyncStream<Transition<State>>.Continuation.BufferingPolicy = .unbounded
  ) -> EventStream<State, EventCommit<State>> {
    EventStream(transitions: transitions(bufferingPolicy: bufferingPolicy)) { EventCommit($0) }
  }

  /// Calls a closure with each commit and its events, for code that does not run in a task of its own.
  ///
  /// ```swift
  /// store.observeEvents(self) { screen, commit in screen.react(to: commit.events) }
  /// ```
  ///
  /// The closure runs on the actor on which you call the method. The first call comes after the method has returned.
  /// The observation retains neither the owner, nor the actor, nor the store. It is like that of `observeTransitions`.
  ///
  /// - Parameters:
  ///   - owner: The object to observe for. The closure gets it as an argument.
  ///   - bufferingPolicy: The commits to keep while the actor is busy.
  ///   - id: Distinguishes this observation from others of the same owner, also from those of transitions.
  ///   - isolation: The actor on which the closure runs.
  ///   - fileID: The file of the call, which identifies an observation without an `id`.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - onCommit: A closure that gets the owner and the commit. Calls do not overlap.
  /// - Returns: A token with which you can end the observation. You do not have to keep it.
  @discardableResult
  public func observeEvents<Owner: AnyObject>(
    _ owner: Owner,
    bufferingPolicy: AsyncStream<Transition<State>>.Continuation.BufferingPolicy = .unbounded,
    id: (any Hashable & Sendable)? = nil,
    isolation: isolated any Actor = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column,
    _ onCommit: @escaping (_ owner: Owner, _ commit: EventCommit<State>) -> Void
  ) -> ObservationToken {
    observeTransitions(
      owner, bufferingPolicy: bufferingPolicy, id: id, isolation: isolation, fileID: fileID, line: line,
      column: column
    ) { owner, transition in onCommit(owner, EventCommit(transition)) }
  }

  /// Calls an actor-isolated closure with each commit and its events, for an actor that observes for itself.
  ///
  /// You can call this overload from anywhere.
  @discardableResult
  public nonisolated func observeEvents<Owner: Actor>(
    _ owner: Owner,
    bufferingPolicy: AsyncStream<Transition<State>>.Continuation.BufferingPolicy = .unbounded,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column,
    _ onCommit: @escaping @Sendable (_ owner: isolated Owner, _ commit: EventCommit<State>) -> Void
  ) -> ObservationToken {
    observeTransitions(
      owner, bufferingPolicy: bufferingPolicy, id: id, fileID: fileID, line: line, column: column
    ) { owner, transition in onCommit(owner, EventCommit(transition)) }
  }
}
