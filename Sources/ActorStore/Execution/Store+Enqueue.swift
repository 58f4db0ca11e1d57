/// Sent and deferred actions, most of which run in tasks of their own.
extension Store {
  /// Takes a ticket for a sent action.
  ///
  /// Every `send` of an action or a transaction arrives here. If the store is idle, a mutation runs inside the call,
  /// unless the current task is canceled or calls are nested too deeply. All other actions get a task.
  @inlinable
  @inline(__always)  // HP1
  nonisolated func enqueue<A: Action>(
    _ action: A,
    _ label: ActionLabel,
    _ policy: DispatchPolicy
  ) -> Ticket<A.Output, A.Failure> where A.State == State {
    if queue.takesDetour { return enqueueDetour(action, label, policy) }
    return enqueueHere(action, label, policy)
  }

  /// `enqueue` in a simulation, which lets another task run before and after the call, or in a store whose middleware
  /// may suspend around a mutation.
  @inlinable
  @inline(never)  // HP2
  nonisolated func enqueueDetour<A: Action>(
    _ action: A,
    _ label: ActionLabel,
    _ policy: DispatchPolicy
  ) -> Ticket<A.Output, A.Failure> where A.State == State {
    queue.point()
    defer { queue.pointAfterCall() }
    if execution(of: A.self) != A._execution {
      return startSent(
        action, label, policy, queue.takeWithoutWaiting(label, canSuspend: true, startingIn: .granted))
    }
    return enqueueHere(action, label, policy)
  }

  /// `enqueue` without points.
  @inlinable
  @inline(__always)  // HP1
  nonisolated func enqueueHere<A: Action>(
    _ action: A,
    _ label: ActionLabel,
    _ policy: DispatchPolicy
  ) -> Ticket<A.Output, A.Failure> where A.State == State {
    if A._execution.canSuspend {
      let entry = queue.takeWithoutWaiting(label, canSuspend: !A.overlaps(under: policy), startingIn: .granted)
      return startSent(action, label, policy, entry)
    }
    switch queue.takeInsideCall(label, startingIn: .begun(by: A._execution)) {
    case .here(let ticket, let isNested):
      defer { Nesting.leave() }
      return applySent(action, ticket, label, isNested: isNested)
    case .elsewhere(let entry):
      return startSent(action, label, policy, entry)
    }
  }

  // MARK: Inside the call

  /// Runs a sent mutation inside the call to `send`, nested in nothing.
  @inlinable
  @inline(__always)  // HP1
  nonisolated func applySent<A: Action>(
    _ action: A,
    _ ticket: TicketNumber,
    _ label: ActionLabel,
    isNested: Bool
  ) -> Ticket<A.Output, A.Failure> where A.State == State {
    do throws(A.Failure) {
      let outcome =
        isNested
        ? try CallChain.cleared { () throws(A.Failure) in try applySent(action, ticket) }
        : try applySent(action, ticket)
      if case .committed = outcome { return Ticket(work: .ended(outcome)) }
      return endedTicket(.success(outcome), ticket, makeCustody(label, hasTicket: true))
    } catch {
      return endedTicket(.failure(error), ticket, makeCustody(label, hasTicket: true))
    }
  }

  @inlinable
  @inline(__always)  // HP1
  nonisolated func applySent<A: Action>(
    _ action: A,
    _ ticket: TicketNumber
  ) throws(A.Failure) -> Outcome<A.Output> where A.State == State {
    if guards != nil { return try applyGuarded(action, ticket) { output, _ in output } }
    if mustRecord(A.self) { return try applyRecorded(action, ticket) { output, _ in output } }
    return try apply(action, ticket, nil) { output, _ in output }
  }

  /// Returns a ticket that keeps the reason that an action was not committed.
  @usableFromInline
  nonisolated func endedTicket<Output, Failure: Error>(
    _ result: Result<Outcome<Output>, Failure>,
    _ ticket: TicketNumber,
    _ custody: FailureCustody
  ) -> Ticket<Output, Failure> {
    switch result {
    case .success(let outcome): custody.ended(with: outcome)
    case .failure(let error): custody.failed(error)
    }
    return Ticket(
      work: .pending(PendingTicket(.ended(result), number: ticket, queue: queue, overlapping: .none, custody: custody)))
  }

  // MARK: In a task

  /// Starts the task of a sent action that already has its ticket.
  @inlinable
  nonisolated func startSent<A: Action>(
    _ action: A,
    _ label: ActionLabel,
    _ policy: DispatchPolicy,
    _ entry: TurnEntry
  ) -> Ticket<A.Output, A.Failure> where A.State == State {
    let waiting: Waiting?
    let ticket: TicketNumber
    switch entry {
    case .closed:
      didNotBegin(action, .none, .closed)
      return endedTicket(.success(.closed), entry.ticket, makeCustody(label, hasTicket: true))
    case .run(let granted):
      (ticket, waiting) = (granted, nil)
      guards?.didArrive(granted, ahead: 0)
    case .wait(let queued, let place):
      (ticket, waiting) = (queued, .sent)
      guards?.didArrive(queued, ahead: place.ahead)
    case .deferred: preconditionFailure("ActorStore: a sent action was deferred. This is a bug in ActorStore.")
    }
    let custody = custody(A.Failure.self, label, hasTicket: true)
    let turn = A.overlaps(under: policy) ? TurnID.withoutStore(ticket) : .none
    let task = start(action, label, as: turn, ticket, waiting: waiting, custody)
    return Ticket(
      work: .pending(PendingTicket(.task(task), number: ticket, queue: queue, overlapping: turn, custody: custody)))
  }

  /// Runs an action in a task of its own, nested in nothing.
  ///
  /// - Parameter turn: The ID of an overlapping action, or `.none` for a serial one.
  @inlinable
  nonisolated func start<A: Action>(
    _ action: A,
    _ label: ActionLabel,
    as turn: TurnID,
    _ ticket: TicketNumber,
    waiting: Waiting?,
    _ custody: FailureCustody?
  ) -> Task<Result<Outcome<A.Output>, A.Failure>, Never> where A.State == State {
    if turn != .none { return startOverlapping(action, label, as: turn, ticket, waiting: waiting, custody) }
    if Self.mayHoldVectors(A.self, Void.self) {
      return startUnspecialized(action, label, ticket, waiting: waiting, custody)
    }
    // Otherwise, the task would inherit the caller's chain.
    if !CallChain.isEmptyHere {
      return CallChain.cleared { startSerial(action, label, ticket, waiting: waiting, custody) }
    }
    return startSerial(action, label, ticket, waiting: waiting, custody)
  }

  @inlinable
  nonisolated func startSerial<A: Action>(
    _ action: A,
    _ label: ActionLabel,
    _ ticket: TicketNumber,
    waiting: Waiting?,
    _ custody: FailureCustody?
  ) -> Task<Result<Outcome<A.Output>, A.Failure>, Never> where A.State == State {
    let operation: @Sendable @concurrent () async -> Result<Outcome<A.Output>, A.Failure> = {
      await self.runUnawaited(action, label, ticket, waiting: waiting, custody)
    }
    return waiting == nil
      ? queue.startTask(holding: ticket, operation) : queue.startTask(waitingFor: ticket, operation)
  }

  /// Runs a serial action for a caller that may not await it, so its failure goes to its custody, too.
  @inlinable
  nonisolated(nonsending) func runUnawaited<A: Action>(
    _ action: A,
    _ label: ActionLabel,
    _ ticket: TicketNumber,
    waiting: Waiting?,
    _ custody: FailureCustody?
  ) async -> Result<Outcome<A.Output>, A.Failure> where A.State == State {
    do throws(A.Failure) {
      let outcome = try await runInTurn(action, label, ticket, waiting: waiting) { output, _ in output }
      custody?.ended(with: outcome)
      return .success(outcome)
    } catch {
      custody?.failed(error)
      return .failure(error)
    }
  }

  // MARK: Failures

  /// Returns the custody of an action's failure, or `nil` if the action is always committed unless its ticket is
  /// canceled.
  @inlinable
  nonisolated func custody<Failure: Error>(
    _: Failure.Type,
    _ label: ActionLabel,
    hasTicket: Bool
  ) -> FailureCustody? {
    if Failure.self == Never.self && guards?.canRefuse != true { return nil }
    return makeCustody(label, hasTicket: hasTicket)
  }

  @usableFromInline
  nonisolated func makeCustody(_ label: ActionLabel, hasTicket: Bool) -> FailureCustody {
    let handler = onUnhandledFailure
    let name = name
    return FailureCustody(hasTicket: hasTicket) { error in
      handler(UnhandledFailure(store: name, action: label.description, error: error))
    }
  }
}
