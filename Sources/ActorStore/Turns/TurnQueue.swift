import CurrentTask
public import Synchronization

/// The queue for one store's turns, the shell around `TurnQueueStateMachine`.
///
/// It owns the lock and carries out the decisions of the state machine. It is not generic over the state. So its steps,
/// which every dispatch takes, are compiled for concrete types, and retaining a queue does not retain a state.
@usableFromInline package final class TurnQueue: Sendable {
  /// The logic and its waiters.
  ///
  /// The holder calls each reader when the state is readable.
  typealias StateMachine = TurnQueueStateMachine<Waiter, @Sendable () -> Void, DeferredCall>

  // An uncontended dispatch uses the fields up to the state machine (HP16). The flags share a word.
  /// Whether calls take a longer path: in a simulation, because mutations may suspend in middleware, or because actions
  /// prefer an executor.
  @usableFromInline let takesDetour: Bool
  @usableFromInline let isSimulated: Bool
  /// Whether actions prefer an executor.
  let hasExecutor: Bool
  /// Whether to check for idleness whenever no waiter remains.
  private let isIdlenessAwaited = Atomic<Bool>(false)
  /// Whether the queue is in the index.
  let isIndexed = Atomic<Bool>(false)
  /// The value of `recordsMembers`, which client code reads without a call.
  @usableFromInline let memberRecording = Atomic<Bool>(false)
  let stateMachine = Locked(StateMachine())
  /// The last ticket that was granted the turn by a hand-off.
  let granted = Atomic<UInt64>(0)
  /// The holder's task.
  ///
  /// It is stored under the lock when the holder changes, and when a sent action gets its task. When an action that can
  /// suspend begins, its task stores itself without the lock.
  let turnTask = TurnTask()
  /// The last ticket whose action began without the lock.
  let begun = Atomic<UInt64>(0)
  let id: StoreID
  let simulation = simulation_may_run() ? SimulationHooks.current : nil
  private let companions = Locked<[Companion]>([])

  /// Something that few queues have, so it has no field of its own.
  private enum Companion: Sendable {
    /// A task that waits for idleness.
    case task(Parked<Void>)
    /// A closure to call when the store is idle.
    case onQuiet(@Sendable (_ isDrained: Bool) -> Void)
    /// An object that is released with the queue.
    case object(any AnyObject & Sendable)
    /// The executor that actions prefer.
    case executor(any TaskExecutor)
  }

  /// The store ID that dispatched overlapping actions have in call chains and in the wait graph.
  ///
  /// They have no turn, so they need IDs of their own. A chain has at most one entry for each store ID, which bounds
  /// its length.
  var overlappingID: StoreID { id.second }

  /// - Parameters:
  ///   - id: The ID of the store, or of a sent group.
  ///   - suspendsMutations: Whether the store's middleware may suspend around a mutation.
  ///   - executor: The executor that actions prefer.
  @usableFromInline
  init(id: StoreID = .next(), suspendsMutations: Bool = false, executor: (any TaskExecutor)? = nil) {
    self.id = id
    isSimulated = simulation != nil
    hasExecutor = executor != nil
    takesDetour = isSimulated || suspendsMutations || hasExecutor
    if let executor { companions.withLock { $0.append(.executor(executor)) } }
  }

  deinit {
    if isIndexed.load(ordering: .relaxed) { leaveIndex() }
  }

  // MARK: Tickets

  /// Takes a ticket for a call that does not wait.
  @inline(__always)  // HP12
  @usableFromInline
  func takeWithoutWaiting(_ label: ActionLabel, canSuspend: Bool, startingIn phase: TurnPhase) -> TurnEntry {
    let entry = stateMachine.withLock { stateMachine in
      stateMachine.take(
        label, canSuspend: canSuspend, startingIn: phase, isOfGroup: Self.isOfGroup,
        hasTurn: { turnTask.store(.unknown) }, isNested: { _ in false })
    }
    record(.called(.send, action: label.description, entry.answer), of: entry.ticket)
    return entry
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
    touch()
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
  /// They are those of the holder, of overlapping actions, of groups, and of the owners of accepted calls.
  var runningTurns: [TurnID] {
    stateMachine.withLock { stateMachine in
      let holder = stateMachine.holder.map { TurnID(store: id, ticket: $0.ticket) }
      return stateMachine.groups.turns + stateMachine.deferred.owners + stateMachine.overlapping.values.map(\.turn)
        + (holder.map { [$0] } ?? [])
    }
  }

  /// Whether a call that waits for this ticket still has to wait.
  func isPending(_ ticket: TicketNumber) -> Bool {
    touch(isWrite: false)
    return stateMachine.withLock { $0.isPending(ticket) }
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

  /// Whether no action or group runs, waits to run, or is deferred until its owner commits.
  var isIdle: Bool { stateMachine.withLock { $0.isIdle && $0.groups.isEmpty } }

  /// Whether the store is closed, and no action or group runs or ever will.
  var isDrained: Bool {
    touch(isWrite: false)
    return stateMachine.withLock { $0.isDrained }
  }

  private func reportIfIdle() {
    let (isIdle, onlyGroupsContinue, isDrained) = stateMachine.withLock {
      ($0.isIdle, $0.onlyGroupsContinue, $0.isDrained)
    }
    if !isIdle { return }
    let companions = companions.withLock { companions in
      let all = companions
      companions.removeAll { if case .task = $0 { true } else { false } }
      return all
    }
    for companion in companions {
      switch companion {
      case .task(let task): task.resume(returning: ())
      case .onQuiet(let body): if onlyGroupsContinue { body(isDrained) }
      case .object, .executor: break
      }
    }
  }

  /// Calls a closure when the store is closed and no action runs or waits, which may already be the case.
  ///
  /// The closure is called without a lock, possibly more than once. If no group runs either, the store is drained, and
  /// no action follows.
  func onQuiet(_ body: @escaping @Sendable (_ isDrained: Bool) -> Void) {
    touch()
    companions.withLock { $0.append(.onQuiet(body)) }
    let (isQuiet, isDrained) = stateMachine.withLock { ($0.onlyGroupsContinue, $0.isDrained) }
    if isQuiet { body(isDrained) }
  }

  /// Waits until no action has the turn, waits for a turn, or runs without one.
  func waitUntilIdle() async {
    touch()
    await park { task in
      companions.withLock { $0.append(.task(task)) }
      isIdlenessAwaited.store(true, ordering: .relaxed)
      reportIfIdle()
    }
  }

  // MARK: Objects

  /// The executor that actions prefer.
  var executor: (any TaskExecutor)? {
    companions.withLock { companions in
      for companion in companions { if case .executor(let executor) = companion { return executor } }
      return nil
    }
  }

  /// Keeps an object until the queue is released.
  func keep(_ object: any AnyObject & Sendable) {
    companions.withLock { $0.append(.object(object)) }
  }

  /// The objects that the queue keeps.
  var keptObjects: [any AnyObject & Sendable] {
    companions.withLock { companions in
      companions.compactMap { if case .object(let object) = $0 { object } else { nil } }
    }
  }
}
