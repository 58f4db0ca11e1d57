/// Actions that overlap: a turn for the start, a turn for the end, and none in between.
extension Store {
  /// What an action has made of its draft.
  private struct Work<A: Action<State>>: Sendable {
    let action: A
    let label: ActionLabel
    let result: Result<A.Output, A.Failure>
    let draft: State
  }

  @usableFromInline
  nonisolated(nonsending) func submitOverlapping<A: Action<State>, Reply: Sendable>(
    _ action: A,
    _ label: ActionLabel,
    reply: @Sendable (A.Output, State) -> Reply
  ) async throws(A.Failure) -> Outcome<Reply> {
    let result: Result<Outcome<Reply>, A.Failure>
    if Task.isCancelled {
      result = .success(.cancelled)
    } else {
      switch line.take(label, canSuspend: false, startingIn: .handed) {
      case .run(let ticket):
        result = await overlap(action, label, at: .granted(ticket), reply: reply)
      case .wait(let ticket, let waiting):
        result = await overlap(action, label, at: .queued(ticket, waiting), reply: reply)
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
  @concurrent
  nonisolated func overlap<A: Action<State>, Reply: Sendable>(
    _ action: A,
    _ label: ActionLabel,
    at place: Place,
    reply: @Sendable (A.Output, State) -> Reply
  ) async -> Result<Outcome<Reply>, A.Failure> {
    guard let start = await turn(at: place), begin(start, A._execution) else { return .success(.cancelled) }
    if let guards, let veto = veto(action, start, guards) { return .success(.vetoed(by: veto)) }
    var draft = cell.copy()
    line.startOverlapping(start, label)
    let result: Result<A.Output, A.Failure>
    do throws(A.Failure) {
      result = .success(try await action.run(&draft))
    } catch {
      result = .failure(error)
    }
    let end = await end(Work(action: action, label: label, result: result, draft: draft), reply: reply)
    line.endOverlapping(start)
    return end
  }

  private nonisolated(nonsending) func end<A: Action<State>, Reply: Sendable>(
    _ work: Work<A>,
    reply: @Sendable (A.Output, State) -> Reply
  ) async -> Result<Outcome<Reply>, A.Failure> {
    if case .failure(let error) = work.result, guards == nil { return .failure(error) }
    switch line.takeAgain(work.label) {
    case .run(let ticket):
      return finish(work, ticket, reply: reply)
    case .wait(let ticket, let waiting):
      await line.waitWhateverHappens(for: ticket, waiting)
      return finish(work, ticket, reply: reply)
    case .deferred(let ticket):
      _ = inheritingTask {
        await TurnChain.cleared {
          await self.line.waitWhateverHappens(for: ticket, .forActions)
          _ = self.finish(work, ticket) { output, _ in output }
        }
      }
      return work.result.map { _ in .deferred }
    case .closed:
      preconditionFailure("ActorStore: an action that had begun was refused its commit. This is a bug in ActorStore.")
    }
  }

  /// Commits what an action has done, or tells the guards of its error.
  private nonisolated func finish<A: Action<State>, Reply: Sendable>(
    _ work: Work<A>,
    _ ticket: TicketNumber,
    reply: @Sendable (A.Output, State) -> Reply
  ) -> Result<Outcome<Reply>, A.Failure> {
    line.begin(ticket, in: .running)
    switch work.result {
    case .success(let output):
      var draft = work.draft
      let value = reply(output, draft)
      commit(work.action, &draft, ticket, guards)
      return .success(.committed(value))
    case .failure(let error):
      fail(work.action, error, ticket, guards)
      return .failure(error)
    }
  }
}

extension Store.Place {
  /// What the ticket's action and all that it starts can be known by.
  func turn(of line: TurnLine) -> TurnID {
    switch self {
    case .granted(let ticket), .queued(let ticket, _): TurnID(store: line.id, ticket: ticket)
    }
  }
}
