/// Overlapping actions, which have a turn for their start, a turn for their commit, and none in between.
extension Store {
  /// An action that has run on a draft but has yet to commit.
  private struct Work<A: Action<State>>: Sendable {
    let action: A
    let label: ActionLabel
    /// The ID with which it runs in call chains.
    let turn: TurnID
    /// The ticket with which it started.
    let start: TicketNumber
    let output: A.Output
    /// The call and the time at which the action ended, for guards.
    let call: GuardedCall
    let ended: Duration?
  }

  @usableFromInline
  nonisolated(nonsending) func executeOverlapping<A: Action<State>, Reply: Sendable>(
    _ action: A,
    _ label: ActionLabel,
    reply: @Sendable (A.Output, State) -> Reply
  ) async throws(A.Failure) -> Outcome<Reply> {
    if queue.isSimulated { await queue.pauseBeforeCall() }
    let result: Result<Outcome<Reply>, A.Failure>
    switch queue.take(label, canSuspend: false, startingIn: .granted) {
    case .run(let ticket):
      result = await runDispatched(action, label, ticket, waiting: nil, reply: reply)
    case .wait(let ticket, let place):
      guards?.didArrive(ticket, ahead: place.ahead)
      result = await runDispatched(action, label, ticket, waiting: place.waiting, reply: reply)
    case .deferred(let ticket, let place):
      startDeferred(action, label, .overlapping, ticket, ahead: place.ahead)
      result = .success(.deferred)
    case .closed:
      didNotBegin(action, .none, .closed)
      result = .success(.closed)
    case nil:
      queue.noteRefusal(label)
      didNotBegin(action, .none, .cancelled)
      result = .success(.cancelled)
    }
    await queue.pause()
    return try result.get()
  }

  /// Runs a dispatched overlapping action, which has its own ID.
  private nonisolated(nonsending) func runDispatched<A: Action<State>, Reply: Sendable>(
    _ action: A,
    _ label: ActionLabel,
    _ start: TicketNumber,
    waiting: Waiting?,
    reply: @Sendable (A.Output, State) -> Reply
  ) async -> Result<Outcome<Reply>, A.Failure> {
    let turn = TurnID(store: queue.overlappingID, ticket: start)
    return await queue.preferringExecutor {
      await runOverlapping(action, label, as: turn, start, waiting: waiting, reply: reply)
    }
  }

  @usableFromInline
  nonisolated func startOverlapping<A: Action>(
    _ action: A,
    _ label: ActionLabel,
    as turn: TurnID,
    _ ticket: TicketNumber,
    waiting: Waiting?,
    _ custody: FailureCustody?
  ) -> Task<Result<Outcome<A.Output>, A.Failure>, Never> where A.State == State {
    queue.startTask { await self.runUnawaitedOverlapping(action, label, as: turn, ticket, waiting: waiting, custody) }
  }

  /// Runs an overlapping action, nested in nothing, for a caller that may not await it.
  nonisolated func runUnawaitedOverlapping<A: Action<State>>(
    _ action: A,
    _ label: ActionLabel,
    as turn: TurnID,
    _ ticket: TicketNumber,
    waiting: Waiting?,
    _ custody: FailureCustody?
  ) async -> Result<Outcome<A.Output>, A.Failure> {
    let result = await CallChain.nest(onlyIn: turn) {
      await self.runOverlapping(action, label, as: turn, ticket, waiting: waiting) { output, _ in output }
    }
    switch result {
    case .success(let outcome): custody?.ended(with: outcome)
    case .failure(let error): custody?.failed(error)
    }
    return result
  }

  /// Waits for a turn and starts, runs the action without a turn, and waits for another turn to commit.
  ///
  /// - Parameters:
  ///   - turn: The ID of the action, in which its run is nested.
  ///   - waiting: How to wait for the first turn, or `nil` if the action already has it.
  @concurrent
  private nonisolated func runOverlapping<A: Action<State>, Reply: Sendable>(
    _ action: A,
    _ label: ActionLabel,
    as turn: TurnID,
    _ start: TicketNumber,
    waiting: Waiting?,
    reply: @Sendable (A.Output, State) -> Reply
  ) async -> Result<Outcome<Reply>, A.Failure> {
    if let waiting {
      switch await queue.wait(for: start, waiting) {
      case .hasTurn: break
      case .withdrawn:
        didNotBegin(action, start, .cancelled)
        return .success(.cancelled)
      case .deferred:
        startDeferred(action, label, .overlapping, start, ahead: 0)
        return .success(.deferred)
      }
    }
    if queue.isSimulated { await queue.pauseInCall() }
    if !beginUnlessCancelled(start, A._execution) {
      didNotBegin(action, start, .cancelled)
      return .success(.cancelled)
    }
    if queue.isSimulated { await queue.pauseInCall(isAfterCheck: true) }
    let call = guards?.begin(start) ?? GuardedCall(ticket: start)
    if guards != nil, let veto = endIfVetoed(action, start, inPlace: false) {
      return .success(vetoed(action, call, veto, nil, nil))
    }
    var draft = committedState
    queue.enterIndex(as: turn)
    defer { queue.leaveIndex(as: turn) }
    queue.startOverlapping(start, Overlapping(label: label, turn: turn))
    var output: A.Output?
    var stop: Stop<A.Failure>?
    await CallChain.nest(in: turn) {
      do throws(Stop<A.Failure>) {
        output = try await perform(action, &draft, nil)
      } catch {
        stop = error
      }
    }
    if let stop { return endOverlapping(action, stop, call) }
    let work = Work(
      action: action, label: label, turn: turn, start: start, output: output!, call: call, ended: guards?.now())
    return .success(await commitInTurn(work, &draft, reply: reply))
  }

  /// Ends an action that failed or was refused.
  ///
  /// Nothing is committed, so the action needs no second turn.
  private nonisolated func endOverlapping<A: Action<State>, Reply>(
    _ action: A,
    _ stop: Stop<A.Failure>,
    _ call: GuardedCall
  ) -> Result<Outcome<Reply>, A.Failure> {
    let ended = guards?.now()
    switch stop {
    case .failed(let error):
      guards?.willFail(action, error)
      queue.endOverlapping(call.ticket)
      if guards != nil { failed(action, call, error, ended, nil) }
      return .failure(error)
    case .vetoed(let veto):
      guards?.didVeto(action, veto)
      queue.endOverlapping(call.ticket)
      return .success(vetoed(action, call, veto, ended, nil))
    }
  }

  private nonisolated(nonsending) func commitInTurn<A: Action<State>, Reply: Sendable>(
    _ work: Work<A>,
    _ draft: inout State,
    reply: @Sendable (A.Output, State) -> Reply
  ) async -> Outcome<Reply> {
    await queue.pauseInCall()
    switch queue.takeToCommit(work.label) {
    case .run(let ticket):
      await queue.pauseInCall()
      return finish(work, &draft, ticket, reply: reply)
    case .wait(let ticket, let place):
      if await queue.wait(for: ticket, place.waiting, evenIfCancelled: true) == .hasTurn {
        await queue.pauseInCall()
        return finish(work, &draft, ticket, reply: reply)
      }
      return finishLater(work, draft, ticket)
    case .deferred(let ticket, _):
      return finishLater(work, draft, ticket)
    case .closed:
      preconditionFailure(
        "ActorStore: the commit of an action that had already begun was refused. This is a bug in ActorStore.")
    }
  }

  /// Commits in a new task, because waiting here for the turn would close a cycle of stores.
  ///
  /// Like a deferred call, the commit belongs to the action that made the call. If that action fails, the commit never
  /// happens.
  private nonisolated func finishLater<A: Action<State>, Reply: Sendable>(
    _ work: Work<A>,
    _ draft: State,
    _ ticket: TicketNumber
  ) -> Outcome<Reply> {
    if guards != nil, !work.call.isDeferred { report(work.action, .deferred, work.call, work.ended, nil) }
    let ownership = queue.own(work.label, canSuspend: false, ticket, besides: work.turn)
    _ = queue.startTask {
      await CallChain.cleared {
        guard let ticket = await ownership.ticket else {
          self.queue.endOverlapping(work.start)
          if self.guards != nil { self.report(work.action, .givenUp, work.call, work.ended, nil) }
          return
        }
        // Another wait may make this one give way again, although no task awaits this commit.
        while await self.queue.wait(for: ticket, .sent, evenIfCancelled: true) != .hasTurn {}
        var draft = draft
        _ = self.finish(work, &draft, ticket) { output, _ in output }
      }
    }
    return .deferred
  }

  /// Commits the work of an action.
  ///
  /// The draft must be the only reference to the new state. Another reference would make the next mutation copy the
  /// state.
  private nonisolated func finish<A: Action<State>, Reply: Sendable>(
    _ work: Work<A>,
    _ draft: inout State,
    _ ticket: TicketNumber,
    reply: @Sendable (A.Output, State) -> Reply
  ) -> Outcome<Reply> {
    queue.begin(ticket, in: .running)
    queue.endOverlapping(work.start, committingWith: ticket)
    let value = reply(work.output, draft)
    if guards == nil {
      commit(work.action, &draft, ticket, nil)
    } else {
      commitGuarded(work.action, &draft, ticket, work.call, work.ended, nil)
    }
    return .committed(value)
  }
}
