import Synchronization

/// The queue for one store's turns, the shell around `TurnQueueStateMachine`.
///
/// It owns the lock and carries out the decisions of the state machine. It is not generic over the state. So its steps,
/// which every dispatch takes, are compiled for concrete types, and retaining a queue does not retain a state.
@usableFromInline package final class TurnQueue: Sendable {
  /// The logic and its waiters.
  ///
  /// The holder calls each reader when the state is readable.
  typealias StateMachine = TurnQueueStateMachine<Waiter, @Sendable () -> Void, DeferredCall>

  let id: StoreID
  /// The store ID that dispatched overlapping actions have in call chains and in the wait graph.
  ///
  /// They have no turn, so they need IDs of their own. A chain has at most one entry for each store ID, which bounds
  /// its length.
  let overlappingID = StoreID.next()
  let simulation = SimulationHooks.current
  let stateMachine = Locked(StateMachine())
  /// The last ticket that was granted the turn by a hand-off.
  let granted = Atomic<UInt64>(0)
  /// The last ticket whose action began without the lock.
  let begun = Atomic<UInt64>(0)
  /// Whether to check for idleness whenever no waiter remains.
  private let isIdlenessAwaited = Atomic<Bool>(false)
  private let tasksAwaitingIdleness = Locked<[Parked<Void>]>([])
  /// Whether the queue is in the index.
  let isIndexed = Atomic<Bool>(false)
  /// Called without a lock when the store is closed and no action runs or waits, possibly more than once.
  private let onQuiet: @Sendable (_ isDrained: Bool) -> Void

  /// - Parameters:
  ///   - id: The ID of the store, or of a sent group.
  ///   - onQuiet: A closure that is called without a lock when the store is closed and no action runs or waits, possibly
  ///     more than once. If no group runs either, the store is drained, so there will be no other action.
  init(id: StoreID = .next(), onQuiet: @escaping @Sendable (_ isDrained: Bool) -> Void = { _ in }) {
    self.id = id
    self.onQuiet = onQuiet
  }

  deinit {
    if isIndexed.load(ordering: .relaxed) { leaveIndex() }
  }

  // MARK: Tickets

  /// Takes a ticket for a call that does not wait.
  @usableFromInline
  func takeWithoutWaiting(_ label: ActionLabel, canSuspend: Bool, startingIn phase: TurnPhase) -> TurnEntry {
    let entry = stateMachine.withLock { stateMachine in
      stateMachine.take(
        label, canSuspend: canSuspend, startingIn: phase, isOfGroup: Self.isOfGroup, isNested: { _ in false })
    }
    record(.called(.send, action: label.description, entry.answer), of: entry.ticket)
    return entry
  }

  /// Takes a ticket for a sent mutation, and enters the call in which the mutation runs if the store is idle.
  ///
  /// One call from client code costs less than one for each of its steps.
  @usableFromInline
  func takeInsideCall(_ label: ActionLabel, startingIn phase: TurnPhase) -> SentEntry {
    // Inside the call, a mutation would see the caller's cancellation, which a sent action does not share.
    let isHere = !isCurrentTaskCancelled() && Nesting.enter()
    let entry = takeWithoutWaiting(label, canSuspend: false, startingIn: isHere ? phase : .granted)
    if isHere {
      if case .run(let ticket) = entry { return .here(ticket, isNested: !CallChain.isEmptyHere) }
      Nesting.leave()
    }
    return .elsewhere(entry)
  }

  /// Takes the only turn of a queue that is not shared.
  func takeOnlyTurn(_ label: ActionLabel) -> TicketNumber {
    guard case .run(let ticket) = takeWithoutWaiting(label, canSuspend: true, startingIn: .running) else {
      preconditionFailure("ActorStore: a private queue was shared. This is a bug in ActorStore.")
    }
    return ticket
  }

  /// Withdraws a ticket from the queue.
  ///
  /// Does nothing if its turn has arrived.
  func withdraw(_ ticket: TicketNumber) {
    stateMachine.withLock { $0.withdraw(ticket) }?.resume(returning: .withdrawn)
  }

  /// Refuses all tickets from now on.
  func close() {
    stateMachine.withLock { $0.close() }
    isIdlenessAwaited.store(true, ordering: .relaxed)
    record(.closed)
    noWaiterRemains()
  }

  /// The holder's turn, or `.none` if the store is idle.
  var holder: TurnID {
    stateMachine.withLock { $0.holder?.ticket }.map { TurnID(store: id, ticket: $0) } ?? .none
  }

  /// The turns and IDs that block a task that waits until the store is drained.
  ///
  /// They are those of the holder, of overlapping actions, of groups, and of the owners of expected calls.
  var runningTurns: [TurnID] {
    stateMachine.withLock { stateMachine in
      let holder = stateMachine.holder.map { TurnID(store: id, ticket: $0.ticket) }
      return stateMachine.groups.turns + stateMachine.deferred.owners + stateMachine.overlapping.values.map(\.turn)
        + (holder.map { [$0] } ?? [])
    }
  }

  /// Whether a call that waits for this ticket still has to wait.
  func isPending(_ ticket: TicketNumber) -> Bool {
    stateMachine.withLock { $0.isPending(ticket) }
  }

  // MARK: Waking

  /// Resumes the new holder and the waiter behind it.
  ///
  /// If there is no holder to resume and the store is idle, resumes tasks awaiting idleness.
  func wake(_ wakeUps: WakeUps) {
    wakeUps.holder?.resume(returning: .hasTurn)
    if let next = wakeUps.next { next.waiter.resume(returning: next.wakeup) }
    if wakeUps.holder == nil { noWaiterRemains() }
  }

  /// Resumes tasks awaiting idleness, and ends streams, if the store is idle.
  func noWaiterRemains() {
    if isIdlenessAwaited.load(ordering: .relaxed) { reportIfIdle() }
  }

  /// Whether the store is closed, and no action or group runs or ever will.
  var isDrained: Bool { stateMachine.withLock { $0.isDrained } }

  private func reportIfIdle() {
    let (isIdle, onlyGroupsContinue, isDrained) = stateMachine.withLock {
      ($0.isIdle, $0.onlyGroupsContinue, $0.isDrained)
    }
    if isIdle {
      let tasks = tasksAwaitingIdleness.withLock { tasks in
        defer { tasks = [] }
        return tasks
      }
      tasks.resumeAll()
    }
    if onlyGroupsContinue { onQuiet(isDrained) }
  }

  /// Waits until no action has the turn, waits for a turn, or runs without one.
  func waitUntilIdle() async {
    await park { task in
      tasksAwaitingIdleness.withLock { $0.append(task) }
      isIdlenessAwaited.store(true, ordering: .relaxed)
      reportIfIdle()
    }
  }
}
