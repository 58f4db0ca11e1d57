/// Actions that overlap: a turn for the start, a turn for the end, and none in between.
extension Store {
  /// An action that has run on a draft, and has yet to commit.
  private struct Work<A: Action<State>>: Sendable {
    let action: A
    let label: ActionLabel
    /// The ticket of its start.
    let start: TicketNumber
    let result: Result<A.Output, A.Failure>
  }

  @usableFromInline
  nonisolated(nonsending) func submitOverlapping<A: Action<State>, Reply: Sendable>(
    _ action: A,
    _ label: ActionLabel,
    reply: @Sendable (A.Output, State) -> Reply
  ) async throws(A.Failure) -> Outcome<Reply> {
    let result: Result<Outcome<Reply>, A.Failure>
    if isCurrentTaskCancelled() {
      result = .success(.cancelled)
    } else {
      switch line.take(label, canSuspend: false, startingIn: .handed) {
      case .run(let ticket):
        result = await overlap(action, label, at: .granted(ticket), as: nil, reply: reply)
      case .wait(let ticket, let waiting):
        result = await overlap(action, label, at: .queued(ticket, waiting), as: nil, reply: reply)
      case .deferred(let ticket):
        runLater(action, label, .overlapping, ticket)
        result = .success(.deferred)
      case .closed:
        result = .success(.closed)
      }
    }
    await line.pause()
    return try result.get()
  }

  /// Waits for the turn to start, runs the action without it, waits for the turn to commit.
  ///
  /// `turn` is what the action is known by if others can wait for it; it runs below that.
  @concurrent
  nonisolated func overlap<A: Action<State>, Reply: Sendable>(
    _ action: A,
    _ label: ActionLabel,
    at place: Place,
    as turn: TurnID?,
    reply: @Sendable (A.Output, State) -> Reply
  ) async -> Result<Outcome<Reply>, A.Failure> {
    let (start, arrival) = await self.turn(at: place)
    switch arrival {
    case .withdrawn: return .success(.cancelled)
    case .deferred:
      runLater(action, label, .overlapping, start)
      return .success(.deferred)
    case .hasTurn: if !begin(start, A._execution) { return .success(.cancelled) }
    }
    if let veto = veto(action, start) { return .success(.vetoed(veto)) }
    var draft = cell.copy()
    line.startOverlapping(start, Overlapping(label: label, turn: turn))
    let result: Result<A.Output, A.Failure>
    do throws(A.Failure) {
      result = .success(try await action.run(&draft))
    } catch {
      result = .failure(error)
      if guards == nil {
        // Nobody but the caller is to hear of it.
        line.endOverlapping(start)
        return .failure(error)
      }
    }
    return await end(Work(action: action, label: label, start: start, result: result), &draft, reply: reply)
  }

  private nonisolated(nonsending) func end<A: Action<State>, Reply: Sendable>(
    _ work: Work<A>,
    _ draft: inout State,
    reply: @Sendable (A.Output, State) -> Reply
  ) async -> Result<Outcome<Reply>, A.Failure> {
    switch line.takeAgain(work.label) {
    case .run(let ticket):
      return finish(work, &draft, ticket, reply: reply)
    case .wait(let ticket, let waiting):
      if await line.waitWhateverHappens(for: ticket, waiting) { return finish(work, &draft, ticket, reply: reply) }
      return finishLater(work, draft, ticket)
    case .deferred(let ticket):
      return finishLater(work, draft, ticket)
    case .closed:
      preconditionFailure("ActorStore: an action that had begun was refused its commit. This is a bug in ActorStore.")
    }
  }

  /// Leaves the commit to a task of its own, because the wait for it would close a cycle of stores.
  private nonisolated func finishLater<A: Action<State>, Reply: Sendable>(
    _ work: Work<A>,
    _ draft: State,
    _ ticket: TicketNumber
  ) -> Result<Outcome<Reply>, A.Failure> {
    _ = inheritingTask {
      await CallChain.cleared {
        // The wait that it gave way to may ask it again, though nobody waits for this one.
        while !(await self.line.waitWhateverHappens(for: ticket, .sent)) {}
        var draft = draft
        _ = self.finish(work, &draft, ticket) { output, _ in output }
      }
    }
    return work.result.map { _ in .deferred }
  }

  /// Commits what an action has done, or tells the guards of its error.
  ///
  /// The draft is the only reference to what becomes the state: another would make the next mutation copy it.
  private nonisolated func finish<A: Action<State>, Reply: Sendable>(
    _ work: Work<A>,
    _ draft: inout State,
    _ ticket: TicketNumber,
    reply: @Sendable (A.Output, State) -> Reply
  ) -> Result<Outcome<Reply>, A.Failure> {
    line.begin(ticket, in: .running)
    line.endOverlapping(work.start)
    switch work.result {
    case .success(let output):
      let value = reply(output, draft)
      commit(work.action, &draft, ticket)
      return .success(.committed(value))
    case .failure(let error):
      fail(work.action, error, ticket)
      return .failure(error)
    }
  }
}
