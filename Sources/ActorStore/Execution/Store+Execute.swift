/// The story of a dispatch, from top to bottom:
///
/// 1. Take a ticket, unless the task is canceled.
/// 2. Run now, wait for the turn, or defer.
/// 3. Check for cancellation one last time.
/// 4. Ask the guards.
/// 5. Run the action, on a draft or in place.
/// 6. Commit.
/// 7. Offer the new state to subscribers.
/// 8. Tell the guards.
/// 9. Hand off the turn.
/// 10. Report the end to the guards.
///
/// When the store is idle and the caller has no actor, the steps run in one go, without a suspension of their own. The
/// functions marked with a rule ("HP1") are split off or inlined only for speed. `docs/HotPath.md` explains the rules.
/// Functions that exist only for the optimizer are in `Store+ExecuteForOptimizer.swift`.
extension Store {
  /// Runs an action and returns its outcome.
  ///
  /// Every `dispatch` of an action or a transaction arrives here. `reply` computes the result in the action's turn,
  /// from its output and the state that it is about to commit.
  @inlinable
  @inline(__always)  // HP1
  nonisolated(nonsending) func execute<A: Action, Reply: Sendable>(
    _ action: A,
    _ label: ActionLabel,
    _ policy: DispatchPolicy = .serial,
    reply: @Sendable (A.Output, State) -> Reply
  ) async throws(A.Failure) -> Outcome<Reply> where A.State == State {
    if A.overlaps(under: policy) { return try await executeOverlapping(action, label, reply: reply) }
    if Self.mayHoldVectors(A.self, Reply.self) { return try await executeUnspecialized(action, label, reply: reply) }
    if queue.takesDetour { return try await executeDetour(action, label, reply: reply).get() }
    return try await executeSerial(action, label, reply: reply)
  }

  // MARK: 1. Take a ticket

  @inlinable
  @inline(__always)  // HP1
  nonisolated(nonsending) func executeSerial<A: Action, Reply: Sendable>(
    _ action: A,
    _ label: ActionLabel,
    reply: @Sendable (A.Output, State) -> Reply
  ) async throws(A.Failure) -> Outcome<Reply> where A.State == State {
    // An action runs off its caller's actor. A caller without one is already in the right place.
    let caller: (any Actor)? = #isolation
    let isHere = caller == nil
    let taken = queue.take(
      label, canSuspend: A._execution.canSuspend, startingIn: isHere ? .begun(by: A._execution) : .granted)
    guard let entry = taken else {
      didNotBegin(action, .none, .cancelled)
      return .cancelled
    }
    if isHere, case .run(let ticket) = entry { return try await run(action, ticket, reply: reply) }
    return try await proceed(with: entry, action, label, reply: reply)
  }

  // MARK: 2. Run now, wait, or defer

  /// Continues a dispatch whose action cannot begin immediately where the call was made.
  @inlinable
  @inline(never)  // HP2
  nonisolated(nonsending) func proceed<A: Action, Reply: Sendable>(
    with entry: TurnEntry,
    _ action: A,
    _ label: ActionLabel,
    reply: @Sendable (A.Output, State) -> Reply
  ) async throws(A.Failure) -> Outcome<Reply> where A.State == State {
    let (ticket, waiting): (TicketNumber, Waiting?)
    switch entry {
    case .run(let granted): (ticket, waiting) = (granted, nil)
    case .wait(let queued, let place):
      (ticket, waiting) = (queued, place.waiting)
      guards?.didArrive(queued, ahead: place.ahead)
    case .deferred(let ticket, let place):
      startDeferred(action, label, .serial, ticket, ahead: place.ahead)
      return .deferred
    case .closed:
      didNotBegin(action, .none, .closed)
      return .closed
    }
    // There is one call for both cases, because each call would take memory in the frame (HP9).
    return try await runInTurn(action, label, ticket, waiting: waiting, reply: reply)
  }

  /// Waits for the turn and runs the action, in the caller's task (P3) but off its actor.
  ///
  /// Otherwise, a busy actor would hold up the queue (P2).
  ///
  /// - Parameter waiting: How to wait for the turn, or `nil` if the action already has it.
  @inlinable
  @inline(never)  // HP2
  @concurrent
  nonisolated func runInTurn<A: Action, Reply: Sendable>(
    _ action: A,
    _ label: ActionLabel,
    _ ticket: TicketNumber,
    waiting: Waiting?,
    reply: @Sendable (A.Output, State) -> Reply
  ) async throws(A.Failure) -> Outcome<Reply> where A.State == State {
    if let waiting {
      switch await queue.wait(for: ticket, waiting) {
      case .hasTurn: break
      case .withdrawn:
        didNotBegin(action, ticket, .cancelled)
        return .cancelled
      case .deferred:
        startDeferred(action, label, .serial, ticket, ahead: 0)
        return .deferred
      }
    }
    return try await runAfterWaiting(action, ticket, reply: reply)
  }

  // MARK: 3. Check for cancellation

  /// Begins an action, or ends its turn and returns `false` if its task is canceled.
  ///
  /// This is the last moment at which a cancellation prevents the action (P9).
  @usableFromInline
  nonisolated func beginUnlessCancelled(_ ticket: TicketNumber, _ execution: _ActionExecution) -> Bool {
    if isCurrentTaskCancelled() {
      guards?.willGiveUp(ticket)
      queue.endWithoutCommit(ticket)
      return false
    }
    if execution.canSuspend { queue.beginUnlocked(ticket) } else { queue.begin(ticket, in: .begun(by: execution)) }
    return true
  }

  // MARK: 4. Ask the guards

  /// Runs an action that has begun.
  ///
  /// In a store with guards, `Store+Guarded.swift` has the steps from here on.
  @inlinable
  nonisolated(nonsending) func run<A: Action, Reply: Sendable>(
    _ action: A,
    _ ticket: TicketNumber,
    reply: @Sendable (A.Output, State) -> Reply
  ) async throws(A.Failure) -> Outcome<Reply> where A.State == State {
    // Each case ends with its call, because code after an `await` is expensive (HP4).
    switch A._execution {
    case .asynchronous, .transaction:
      if guards != nil { return try await runGuarded(action, ticket, reply: reply) }
      if mustRecord(A.self) { return try await runRecorded(action, ticket, reply: reply) }
      return try await runOnDraft(action, ticket, nil, reply: reply)
    case .synchronous, .synchronousTransaction:
      if guards != nil { return try applyGuarded(action, ticket, reply: reply) }
      if mustRecord(A.self) { return try applyRecorded(action, ticket, reply: reply) }
      return try apply(action, ticket, nil, reply: reply)
    case .inPlace:
      if guards != nil {
        // An outcome whose case the optimizer does not know is expensive to destroy.
        switch try applyGuarded(action, ticket, reply: reply) {
        case .committed(let value): return .committed(value)
        case .vetoed(let veto): return .vetoed(veto)
        case .cancelled: return .cancelled
        case .deferred: return .deferred
        case .closed: return .closed
        }
      }
      return try apply(action, ticket, nil, reply: reply)
    }
  }

  // MARK: 5. Run on a draft or in place

  /// Runs an asynchronous action on a draft, nested in its turn.
  ///
  /// - Parameter recorder: The record of the members of a transaction, or `nil` if nothing needs them.
  @inlinable
  nonisolated(nonsending) func runOnDraft<A: Action, Reply: Sendable>(
    _ action: A,
    _ ticket: TicketNumber,
    _ recorder: MemberRecorder<State>?,
    reply: @Sendable (A.Output, State) -> Reply
  ) async throws(A.Failure) -> Outcome<Reply> where A.State == State {
    var draft = committedState
    // Declared before the call of `nest` (HP6).
    var output: A.Output?
    var failure: A.Failure?
    await CallChain.nest(in: ticket, of: queue) {
      do throws(A.Failure) {
        output = try await run(action, on: &draft, recorder)
      } catch {
        failure = error
      }
    }
    if let failure { return try endFailed(action, failure, ticket) }
    let value = reply(output!, draft)
    commit(action, &draft, ticket, recorder)
    return .committed(value)
  }

  /// Runs a mutation, or a transaction that does not suspend.
  ///
  /// It pushes nothing onto the call chain, because nothing can be nested in it. A mutation that cannot fail edits the
  /// state in place.
  @inlinable
  nonisolated func apply<A: Action, Reply>(
    _ action: A,
    _ ticket: TicketNumber,
    _ recorder: MemberRecorder<State>?,
    reply: @Sendable (A.Output, State) -> Reply
  ) throws(A.Failure) -> Outcome<Reply> where A.State == State {
    switch A._execution {
    case .inPlace:
      let output = try action._runSynchronously(&committedState)
      let value = reply(output, committedState)
      commitInPlace(action, ticket)
      return .committed(value)
    case .synchronous, .synchronousTransaction, .asynchronous, .transaction:
      var draft = committedState
      do throws(A.Failure) {
        let value = reply(try apply(action, on: &draft, recorder), draft)
        commit(action, &draft, ticket, recorder)
        return .committed(value)
      } catch {
        return try endFailed(action, error, ticket)
      }
    }
  }

  /// Hands off the turn of an action that failed, and throws the error.
  ///
  /// The state remains unchanged. If a transaction failed with a veto, returns the veto instead.
  @inlinable
  @inline(never)  // HP2
  nonisolated func endFailed<A: Action<State>, Reply>(
    _ action: A,
    _ error: A.Failure,
    _ ticket: TicketNumber
  ) throws(A.Failure) -> Outcome<Reply> {
    queue.endWithoutCommit(ticket)
    if A._execution.isTransaction, let veto = error as? Veto { return .vetoed(veto) }
    throw error
  }

  // MARK: 6 to 9. Commit, offer to subscribers, tell the guards, hand off

  /// Commits a draft and ends the turn (P5).
  ///
  /// - Parameter recorder: The members of a transaction.
  @inlinable
  nonisolated func commit<A: Action<State>>(
    _ action: A,
    _ draft: inout State,
    _ ticket: TicketNumber,
    _ recorder: MemberRecorder<State>?
  ) {
    let keepsTurn = guards != nil && guards!.takesPart
    let isUnwatched = queue.commit(ticket, keepingTurn: keepsTurn) { swap(&committedState, &draft) }
    if isUnwatched && !keepsTurn { return }
    if !isUnwatched { commitWatched(action, ticket, recorder) { swap(&committedState, &draft) } }
    guards?.didUpdate(action, old: draft, orNot: nil, new: committedState)
    queue.handOff(ticket)
  }

  /// Commits an edit in place and ends the turn.
  @inlinable
  nonisolated func commitInPlace<A: Action<State>>(_ action: A, _ ticket: TicketNumber) {
    if queue.endApplying(ticket, keepingTurn: false) { return }
    commitWatched(action, ticket, nil) {}
    queue.handOff(ticket)
  }

  /// Commits the state that `install` installs, and offers it to subscribers.
  ///
  /// Keeps the turn, and returns the revision.
  @inlinable
  @inline(never)  // HP2
  @discardableResult
  nonisolated func commitWatched<A: Action<State>>(
    _ action: A,
    _ ticket: TicketNumber,
    _ recorder: MemberRecorder<State>?,
    install: () -> Void
  ) -> UInt64 {
    let hub = hub
    let members = recorder?.committed ?? []
    // All consumers share one copy of the state.
    var shared: AnyPublished?
    func state() -> AnyPublished {
      if let shared { return shared }
      let new = Published(committedState)
      shared = new
      return new
    }
    var publication = Broadcast.Publication()
    var transition: TransitionSeries.Publication?
    var mustSelect = false
    let revision = queue.commitWatched(ticket) { revision in
      install()
      publication = hub.states.publish(state)
      if queue.recordsMembers {
        transition = hub.publishTransition(to: state) { old, new in
          Transition.published(revision, action, members: members, from: old, to: new)
        }
      }
      mustSelect = hub.beginCommit()
    }
    hub.offer(transition, publication)
    if mustSelect { hub.select(from: state(), at: revision) }
    return revision
  }
}
