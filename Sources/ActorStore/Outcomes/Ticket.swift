/// The queue position of a sent action, with which you can await the action's outcome or cancel the action.
///
/// ```swift
/// let ticket = store.send(Save())          // from any synchronous code
/// ...
/// let outcome = try await ticket.outcome   // any number of times, from any number of tasks
/// ```
///
/// Releasing a ticket cancels nothing. If its action fails or is not committed, and no task awaits the outcome before
/// the last copy of the ticket is released, the store's `onUnhandledFailure` gets the reason, unless you canceled the
/// ticket.
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

  /// The outcome of the action.
  ///
  /// Waits until the action ends. If the action throws, the property throws the same error. As with the value of a
  /// `Task`, canceling the waiting task ends neither the wait nor the action.
  ///
  /// The outcome is ``Outcome/cancelled`` if the ticket was canceled before the action began, ``Outcome/vetoed(_:)`` if
  /// the action was refused, and ``Outcome/closed`` if the store was closed before the call to `send`. It is
  /// ``Outcome/deferred`` if the current task would wait for itself. That is the case inside an action of the same
  /// store that is ahead of the ticket, and inside an action of another store that the ticket's action waits for. The
  /// sent action still runs, and you can await it later.
  public var outcome: Outcome<Output> {
    get async throws(Failure) {
      try await result().get()
    }
  }

  private func result() async -> Result<Outcome<Output>, Failure> {
    await SimulationHooks.current?.pause(before: .unknown)
    let result: Result<Outcome<Output>, Failure> =
      switch work {
      case .ended(let outcome): .success(outcome)
      case .pending(let pending): await pending.result()
      }
    await SimulationHooks.current?.pause(before: .ownCode)
    return result
  }

  /// Cancels the action, and returns immediately.
  ///
  /// If the action has not begun, it never runs, and its outcome is ``Outcome/cancelled``. If it is running, its task
  /// is canceled. Cancellation is cooperative, so the action is committed if it returns anyway. If it has ended, the
  /// call has no effect.
  public func cancel() {
    if case .pending(let pending) = work { pending.cancel() }
  }
}

// The compiler (6.3.1) crashes on uses of a getter that `throws(Failure)` where `Failure` is `Never`, so that case has
// a getter of its own.
extension Ticket where Failure == Never {
  /// The outcome of the action.
  ///
  /// Waits until the action ends. It is like the property of the same name for actions that can fail, except that it
  /// does not throw.
  public var outcome: Outcome<Output> {
    get async {
      await result().get()
    }
  }
}

/// A ticket whose action had not ended, or had ended without a commit, when `send` returned.
@usableFromInline final class PendingTicket<Output: Sendable, Failure: Error>: Sendable {
  @usableFromInline enum Work: Sendable {
    case ended(Result<Outcome<Output>, Failure>)
    case task(Task<Result<Outcome<Output>, Failure>, Never>)
  }

  @usableFromInline let work: Work
  @usableFromInline let number: TicketNumber
  @usableFromInline let queue: TurnQueue
  /// The ID of the action if it overlaps.
  @usableFromInline let overlapping: TurnID
  /// The custody of the action's failure, or `nil` if the action is always committed unless its ticket is canceled.
  @usableFromInline let custody: FailureCustody?

  @usableFromInline
  init(_ work: Work, number: TicketNumber, queue: TurnQueue, overlapping: TurnID, custody: FailureCustody?) {
    self.work = work
    self.number = number
    self.queue = queue
    self.overlapping = overlapping
    self.custody = custody
  }

  deinit {
    custody?.dropped()
  }

  func result() async -> Result<Outcome<Output>, Failure> {
    switch work {
    case .ended(let result):
      custody?.awaited()
      return result
    case .task(let task):
      if queue.isHeldUp(number) { return .success(.deferred) }
      let result = CallChain.isEmptyHere ? await task.value : await valueNested(of: task)
      guard let result else { return .success(.deferred) }
      custody?.awaited()
      return result
    }
  }

  /// Awaits the task's value in an action of another store, or returns `nil` if that would close a cycle of stores.
  private func valueNested(
    of task: Task<Result<Outcome<Output>, Failure>, Never>
  ) async -> Result<Outcome<Output>, Failure>? {
    let (wait, value) = (NotedWait(), FirstValue<Result<Outcome<Output>, Failure>?>())
    defer { wait.end() }
    let entry = WaitGraph.addWait(forOutcomeOf: number, of: queue, overlapping: overlapping, wait) {
      if wait.revoke() { value.set(nil) }
    }
    switch entry {
    case .cycle: return nil
    case .notAcross: return await task.value
    case .across:
      // Awaiting the task's value directly could not end before the task does.
      _ = inheritingTask { value.set(await task.value) }
      return await value.get()
    }
  }

  func cancel() {
    guard case .task(let task) = work else { return }
    queue.note(.canceled, of: number)
    custody?.canceled()
    task.cancel()
    SimulationHooks.ofThread?.scheduler.pointAfterCancel()
    queue.withdraw(number)
    SimulationHooks.ofThread?.scheduler.pointAfterCancel()
  }
}
