/// How an action that has a ticket is run; the public calls are in `Store+Dispatch` and `Store+Send`.
extension Store {
  /// A ticket on its way to the turn.
  @usableFromInline enum Place: Sendable {
    /// The turn was there at once, but the task may have to change threads before the action can begin.
    case granted(TicketNumber)
    case queued(TicketNumber, Waiting)
  }

  /// Waits for the turn, runs the action, commits and hands the turn on: in the caller's task (P3), off its actor, for a
  /// busy one must not hold up the queue (P2).
  ///
  /// `reply` is asked inside the turn for what to return, with the state that is about to be committed.
  @inlinable
  @inline(never)
  @concurrent
  nonisolated func perform<A: Action, Reply: Sendable>(
    _ action: A,
    _ label: ActionLabel,
    at place: Place,
    reply: @Sendable (A.Output, State) -> Reply
  ) async throws(A.Failure) -> Outcome<Reply> where A.State == State {
    let (ticket, arrival) = await turn(at: place)
    switch arrival {
    case .withdrawn: return .cancelled
    case .deferred:
      runLater(action, label, .serial, ticket)
      return .deferred
    case .hasTurn:
      if !begin(ticket, A._execution) { return .cancelled }
      return try await runAfterWaiting(action, ticket, reply: reply)
    }
  }

  /// `run`, out of the frame that a call keeps while it waits.
  @inlinable
  @inline(never)
  nonisolated(nonsending) func runAfterWaiting<A: Action, Reply: Sendable>(
    _ action: A,
    _ ticket: TicketNumber,
    reply: @Sendable (A.Output, State) -> Reply
  ) async throws(A.Failure) -> Outcome<Reply> where A.State == State {
    try await run(action, ticket, reply: reply)
  }

  /// Waits for the turn.
  @inlinable
  nonisolated(nonsending) func turn(at place: Place) async -> (ticket: TicketNumber, TurnLine.Arrival) {
    switch place {
    case .granted(let ticket): return (ticket, .hasTurn)
    case .queued(let ticket, let waiting): return (ticket, await line.wait(for: ticket, waiting))
    }
  }

  /// Runs an action that has begun, in whichever way it is to be run, unless a guard refuses it.
  @inlinable
  nonisolated(nonsending) func run<A: Action, Reply: Sendable>(
    _ action: A,
    _ ticket: TicketNumber,
    reply: @Sendable (A.Output, State) -> Reply
  ) async throws(A.Failure) -> Outcome<Reply> where A.State == State {
    if A._execution != .transaction, let veto = veto(action, ticket) { return .vetoed(veto) }
    // What follows an `await` here would cost each action a look whether it has to change executors.
    switch A._execution {
    case .asynchronous: return try await runOnDraft(action, ticket, reply: reply)
    case .synchronous, .inPlace: return .committed(try apply(action, ticket, reply: reply))
    case .transaction: return try await runTransaction(action, ticket, reply: reply)
    }
  }

  /// The last moment at which a cancellation keeps the action from running (P9).
  @usableFromInline
  nonisolated func begin(_ ticket: TicketNumber, _ execution: _ActionExecution) -> Bool {
    if isCurrentTaskCancelled() {
      line.release(ticket)
      return false
    }
    if execution.canSuspend { line.beginUnlocked(ticket) } else { line.begin(ticket, in: .begun(by: execution)) }
    return true
  }

  /// Mostly without a frame of its own, for which a task would be asked for memory: a fifth of an action's time.
  @inlinable
  nonisolated(nonsending) func runOnDraft<A: Action, Reply: Sendable>(
    _ action: A,
    _ ticket: TicketNumber,
    reply: @Sendable (A.Output, State) -> Reply
  ) async throws(A.Failure) -> Outcome<Reply> where A.State == State {
    var draft = cell.copy()
    // They have their places before the push, as has to be: see there.
    var output: A.Output?
    var failure: A.Failure?
    if RuntimeShortcuts.areOn {
      let pushed = line.pushChain(for: ticket)
      do throws(A.Failure) {
        output = try await action.run(&draft)
      } catch {
        failure = error
      }
      CallChain.pop(pushed)
    } else {
      await line.nest(in: ticket) {
        do throws(A.Failure) {
          output = try await action.run(&draft)
        } catch {
          failure = error
        }
      }
    }
    if let failure {
      fail(action, failure, ticket)
      throw failure
    }
    let value = reply(output!, draft)
    commit(action, &draft, ticket)
    return .committed(value)
  }

  /// Runs a mutation in the turn, without suspending: nothing can be below it, so it pushes no chain.
  @inlinable
  nonisolated func apply<A: Action, Reply>(
    _ action: A,
    _ ticket: TicketNumber,
    reply: @Sendable (A.Output, State) -> Reply
  ) throws(A.Failure) -> Reply where A.State == State {
    switch A._execution {
    case .inPlace:
      if guards != nil { return try applyInPlace(action, ticket, reply: reply) }
      let value = try cell.edit { state throws(A.Failure) in reply(try action._runSynchronously(&state), state) }
      endApplying(ticket)
      return value
    case .synchronous, .asynchronous, .transaction:
      var draft = cell.copy()
      do throws(A.Failure) {
        let value = reply(try action._runSynchronously(&draft), draft)
        commit(action, &draft, ticket)
        return value
      } catch {
        fail(action, error, ticket)
        throw error
      }
    }
  }
}
