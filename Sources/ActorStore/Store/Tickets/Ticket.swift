/// The place of a sent action in its store's queue, and the way to its outcome.
///
/// ```swift
/// let ticket = store.send(Save())          // from any synchronous code; the place is taken here
/// ...
/// let outcome = try await ticket.outcome   // as often as one likes, from as many tasks
/// ```
///
/// Letting go of a ticket cancels nothing. If its action fails and nobody has awaited it by the time the last copy of
/// the ticket is gone, the store's `onUnhandledFailure` gets the error.
@frozen public struct Ticket<Output: Sendable, Failure: Error>: Sendable {
  @frozen @usableFromInline enum Work: Sendable {
    case ended(Outcome<Output>)
    case pending(PendingTicket<Output, Failure>)
  }

  @usableFromInline let work: Work

  @inlinable
  init(work: Work) {
    self.work = work
  }

  /// What became of the action; waits until it has ended.
  ///
  /// Throws what the action threw. Returns `.cancelled` if the ticket was cancelled before the action began, `.closed`
  /// if the store was closed before the call of `send`. Awaited below a running action of the same store, for an
  /// action that can run only after that one, or below an action of another store that it waits for (P8), it returns
  /// `.deferred` at once instead of waiting for itself; the action runs all the same, and can be awaited later.
  ///
  /// As with the value of a `Task`, cancelling the task that waits ends neither the wait nor the action.
  public var outcome: Outcome<Output> {
    get async throws(Failure) {
      try await result().get()
    }
  }

  private func result() async -> Result<Outcome<Output>, Failure> {
    let result: Result<Outcome<Output>, Failure> =
      switch work {
      case .ended(let outcome): .success(outcome)
      case .pending(let pending): await pending.result()
      }
    await SimulationHooks.current?.pause()
    return result
  }

  /// Cancels the action.
  ///
  /// If it has not begun, it never runs and the outcome is `.cancelled`. If it is running, its task is cancelled,
  /// cooperatively: if it returns all the same, it is committed. If it has ended, nothing happens. Returns at once.
  public func cancel() {
    if case .pending(let pending) = work { pending.cancel() }
  }
}

// The compiler (6.3.1) crashes on the use of a getter that `throws(Failure)` where `Failure` is `Never`; so that case
// has a getter of its own.
extension Ticket where Failure == Never {
  /// What became of the action; waits until it has ended.
  ///
  /// As the property of the same name for actions that can fail, without the error.
  public var outcome: Outcome<Output> {
    get async {
      await result().get()
    }
  }
}

/// A ticket whose action had not ended, or had failed, when it was handed out.
@usableFromInline final class PendingTicket<Output: Sendable, Failure: Error>: Sendable {
  @usableFromInline enum Work: Sendable {
    case failed(Failure)
    case task(Task<Result<Outcome<Output>, Failure>, Never>)
  }

  @usableFromInline let work: Work
  @usableFromInline let number: TicketNumber
  @usableFromInline let line: TurnLine
  /// What its action is known by if it overlaps.
  @usableFromInline let overlapping: TurnID
  /// Nil for an action that cannot fail.
  @usableFromInline let watch: FailureWatch?

  @usableFromInline
  init(_ work: Work, number: TicketNumber, line: TurnLine, overlapping: TurnID, watch: FailureWatch?) {
    self.work = work
    self.number = number
    self.line = line
    self.overlapping = overlapping
    self.watch = watch
  }

  deinit {
    watch?.dropped()
  }

  func result() async -> Result<Outcome<Output>, Failure> {
    switch work {
    case .failed(let error):
      watch?.awaited()
      return .failure(error)
    case .task(let task):
      if line.isHeldUp(number) { return .success(.deferred) }
      let result = CallChain.isEmptyHere ? await task.value : await valueNested(of: task)
      guard let result else { return .success(.deferred) }
      watch?.awaited()
      return result
    }
  }

  /// Awaits the task's value in an action of another store; nil if that would close a cycle of stores.
  private func valueNested(
    of task: Task<Result<Outcome<Output>, Failure>, Never>
  ) async -> Result<Outcome<Output>, Failure>? {
    let (wait, value) = (NotedWait(), RevocableValue<Result<Outcome<Output>, Failure>>())
    defer { wait.end() }
    let entry = WaitsAcrossStores.beginWait(forOutcomeOf: number, of: line, overlapping: overlapping, wait) {
      if wait.revoke() { value.revoke() }
    }
    switch entry {
    case .cycle: return nil
    case .notAcross: return await task.value
    case .across: return await value.of(task)
    }
  }

  func cancel() {
    guard case .task(let task) = work else { return }
    task.cancel()
    line.giveUp(number)
  }
}
