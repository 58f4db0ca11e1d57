import CurrentTask
import Synchronization

/// Waiting for a turn.
extension TurnQueue {
  /// Waits for a ticket's turn.
  ///
  /// If the wait heeds cancellation, a canceled task withdraws its ticket.
  @inline(__always)  // HP9
  func waitForTurn(of ticket: TicketNumber, _ waiting: Waiting, heedsCancellation: Bool) async -> Arrival {
    if waiting == .soon ? spin(for: ticket) : hasArrived(ticket) { return .hasTurn }
    if heedsCancellation && !RuntimeEntries.areUsed {
      return await withTaskCancellationHandler {
        await parkUntilArrival(of: ticket)
      } onCancel: {
        withdraw(ticket)
      }
    }
    let cancellation = heedsCancellation ? CancellationListener(ticket, of: self) : nil
    let arrival = await parkUntilArrival(of: ticket)
    cancellation?.stop()
    return arrival
  }

  @inline(__always)  // HP9
  private func parkUntilArrival(of ticket: TicketNumber) async -> Arrival {
    while true {
      switch await parkRaisably({ park(.parked($0), for: ticket) }) {
      case .hasTurn: return .hasTurn
      case .withdrawn: return .withdrawn
      case .deferred: return .deferred
      case .soon: if spin(for: ticket) { return .hasTurn }
      case .next: if hasArrived(ticket) { return .hasTurn }
      }
    }
  }

  /// Creates a task that runs in a ticket's turn and inherits the current task-locals and priority.
  ///
  /// The task starts when its turn arrives, shortly before, or when its ticket is withdrawn. If it cannot be created
  /// without starting, it starts immediately. At the nesting limit, it also starts immediately, but it suspends until
  /// the current call has returned.
  @usableFromInline
  func startTask<Success: Sendable>(
    waitingFor ticket: TicketNumber,
    _ operation: @escaping @Sendable @concurrent () async -> Success
  ) -> Task<Success, Never> {
    // At the limit, the task must not run before the current call has returned. An unstarted task has no gate to wait
    // at, so another thread that hands off the turn could start it too early.
    guard !hasExecutor, !Nesting.isAtLimit, let (unstarted, task) = UnstartedTask.create(operation) else {
      return startTask(operation)
    }
    park(.unstarted(unstarted), for: ticket)
    return task
  }

  /// Creates a task that runs in the turn that a ticket already has, like `startTask(waitingFor:)`.
  @usableFromInline
  func startTask<Success: Sendable>(
    holding ticket: TicketNumber,
    _ operation: @escaping @Sendable @concurrent () async -> Success
  ) -> Task<Success, Never> {
    let task = startTask(operation)
    stateMachine.withLock { stateMachine in
      // Otherwise, the turn has already ended.
      if stateMachine.holder?.ticket == ticket { turnTask.store(TaskReference(task)) }
    }
    return task
  }

  @inline(never)  // HP9
  private func park(_ waiter: Waiter, for ticket: TicketNumber) {
    let (priority, lends) = (Self.priorityHere(), Self.lendsPriorities)
    let (parking, holder) = stateMachine.withLock { stateMachine in
      let parking = stateMachine.park(ticket, waiter, priority: priority)
      let mayLend = parking == .wait && lends
      return (parking, mayLend ? stateMachine.lendToHolder(priority) { turnTask.load() } : nil)
    }
    switch parking {
    case .run: waiter.resume(returning: .hasTurn)
    case .withdrawn: waiter.resume(returning: .withdrawn)
    case .deferred: waiter.resume(returning: .deferred)
    case .wait: holder?.raisePriority(to: priority)
    }
  }

  private func hasArrived(_ ticket: TicketNumber) -> Bool {
    granted.load(ordering: .acquiring) == ticket.number
  }

  /// Checks repeatedly whether the turn has arrived, for a few microseconds.
  ///
  /// It spins only behind mutations (P10).
  @inline(never)  // HP9
  private func spin(for ticket: TicketNumber) -> Bool {
    // In a simulation, no other task runs in the meantime.
    for _ in 0..<(isSimulated ? 1 : Self.spins) {
      let last = granted.load(ordering: .acquiring)
      if last >= ticket.number { return last == ticket.number }
      spin_hint()
    }
    return false
  }

  private static var spins: Int { 100 }
}
