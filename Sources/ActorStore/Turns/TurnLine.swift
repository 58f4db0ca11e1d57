import CurrentTask
import Synchronization

/// The queue for one store's turns, as tasks see it: the shell around `Turns`.
///
/// It owns the lock and does what `Turns` says. It is not generic over the state, so that its steps, which every
/// dispatch takes, are compiled for the types they have; and whoever holds a line does not hold a state.
@usableFromInline final class TurnLine: Sendable {
  /// The logic, with what is parked in it.
  ///
  /// A reader is called by who has the turn, with the state readable.
  typealias Logic = Turns<Waiter, @Sendable () -> Void>

  let id = StoreID.next()
  let simulation = SimulationHooks.current
  /// Whether somebody wants to know when nothing runs.
  private let isEndAwaited = Atomic<Bool>(false)
  private let idlers = Locked<[Parked<Void>]>([])
  /// Called once nothing runs any more and nothing will, without a lock; perhaps more than once.
  private let onDrained: @Sendable () -> Void
  let turns = Locked(Logic())
  /// The last ticket that was handed the turn.
  private let handedTo = Atomic<UInt64>(0)
  /// The last ticket whose action has begun without the lock.
  let begun = Atomic<UInt64>(0)

  init(onDrained: @escaping @Sendable () -> Void = {}) {
    self.onDrained = onDrained
  }

  // MARK: Simulation

  @usableFromInline var isSimulated: Bool { simulation != nil }

  /// The end of an `await` that may not have had to wait: a simulation lets another task in.
  @usableFromInline
  func pause() async {
    await simulation?.pause()
  }

  func pauseAfterReading() async {
    simulation?.observer?.saw(.read, of: TicketNumber(), in: id)
    await pause()
  }

  /// A store of this name has this line.
  func named(_ name: @autoclosure () -> String) {
    guard let simulation else { return }
    simulation.made(self)
    simulation.observer?.made(id, name: name())
  }

  // MARK: Taking and leaving a place

  /// Takes a ticket for a call that will wait, unless that would be a wait for itself.
  @usableFromInline
  func take(_ label: ActionLabel, canSuspend: Bool, startingIn phase: TurnPhase) -> TurnEntry {
    var entry = turns.withLock { turns in
      // Reading the library's own task-locals under the lock runs nothing of the user's.
      turns.take(label, canSuspend: canSuspend, startingIn: phase) {
        CallChain.current.contains(TurnID(store: id, ticket: $0))
      }
    }
    if case .wait(let ticket, .forActions) = entry { entry = entryAcrossStores(ticket) }
    simulation?.observer?.saw(.dispatch, of: label, gets: entry, in: id)
    return entry
  }

  /// Takes a second ticket, for the commit of an action that overlaps.
  func takeAgain(_ label: ActionLabel) -> TurnEntry {
    var entry = turns.withLock { turns in
      turns.takeAgain(label) { CallChain.current.contains(TurnID(store: id, ticket: $0)) }
    }
    if case .wait(let ticket, .forActions) = entry { entry = entryAcrossStores(ticket) }
    simulation?.observer?.saw(.comeBack, of: label, gets: entry, in: id)
    return entry
  }

  /// What a wait behind actions that can suspend comes to: it may be one for itself, by way of other stores.
  private func entryAcrossStores(_ ticket: TicketNumber) -> TurnEntry {
    switch WaitsAcrossStores.beginWait(forTurn: ticket, of: self) {
    case .notAcross: .wait(ticket, .forActions)
    case .across: .wait(ticket, .acrossStores)
    case .cycle: .deferred(ticket)
    }
  }

  /// The turn that holds up whatever waits here; `.none` if the store is idle.
  var holder: TurnID {
    turns.withLock { $0.holder?.ticket }.map { TurnID(store: id, ticket: $0) } ?? .none
  }

  /// Whether a wait for this ticket still has to wait.
  func isPending(_ ticket: TicketNumber) -> Bool {
    turns.withLock { $0.isPending(ticket) }
  }

  /// Whether the caller is nested in the action that has the turn, and so holds up every commit.
  var isNestedInHolder: Bool {
    if CallChain.isEmptyHere { return false }
    let holder = holder
    return holder != .none && CallChain.current.contains(holder)
  }

  /// Takes a ticket for a call that does not wait.
  @usableFromInline
  func takeWithoutWaiting(_ label: ActionLabel, canSuspend: Bool, startingIn phase: TurnPhase) -> TurnEntry {
    let entry = turns.withLock { $0.take(label, canSuspend: canSuspend, startingIn: phase) { _ in false } }
    simulation?.observer?.saw(.send, of: label, gets: entry, in: id)
    return entry
  }

  /// Takes the turn of a line that is nobody else's.
  func takeOnlyTurn(_ label: ActionLabel) -> TicketNumber {
    guard case .run(let ticket) = takeWithoutWaiting(label, canSuspend: true, startingIn: .running) else {
      preconditionFailure("ActorStore: a line was shared that should not be. This is a bug in ActorStore.")
    }
    return ticket
  }

  /// Waits for the turn; a cancelled task gives up its place.
  @usableFromInline
  func wait(for ticket: TicketNumber, _ waiting: Waiting) async -> Arrival {
    await wait(for: ticket, waiting, cancellation: waiting.heedsCancellation)
  }

  /// Waits for the turn, also when the task is cancelled: what has begun is committed.
  ///
  /// Returns false if another task is to wait at its place.
  func waitWhateverHappens(for ticket: TicketNumber, _ waiting: Waiting) async -> Bool {
    await wait(for: ticket, waiting, cancellation: false) == .hasTurn
  }

  /// One function for all of it, because a task that waits keeps the frames of those it is in.
  private func wait(for ticket: TicketNumber, _ waiting: Waiting, cancellation heeds: Bool) async -> Arrival {
    if waiting == .soon ? spin(for: ticket) : hasCome(ticket) { return end(waiting, ticket, .hasTurn) }
    if heeds && !RuntimeShortcuts.areOn {
      // Ends only after the handler's scope: until then a cancellation may still give up the place.
      let arrival = await withTaskCancellationHandler {
        await parkUntilArrival(of: ticket)
      } onCancel: {
        giveUp(ticket)
      }
      return end(waiting, ticket, arrival)
    }
    let cancellation = heeds ? CancellationListener(ticket, of: self) : nil
    let arrival = await parkUntilArrival(of: ticket)
    cancellation?.stop()
    return end(waiting, ticket, arrival)
  }

  @inline(__always)
  private func parkUntilArrival(of ticket: TicketNumber) async -> Arrival {
    while true {
      switch await park({ enter(.parked($0), for: ticket) }) {
      case .hasTurn: return .hasTurn
      case .withdrawn: return .withdrawn
      case .deferred: return .deferred
      case .soon: if spin(for: ticket) { return .hasTurn }
      case .next: if hasCome(ticket) { return .hasTurn }
      }
    }
  }

  /// Makes a task that inherits what `Task {}` would and waits for a ticket's turn.
  ///
  /// It starts when its turn comes, shortly before, or when its place is given up; where it cannot be held, at once.
  @usableFromInline
  func start<Success: Sendable>(
    waitingFor ticket: TicketNumber,
    _ operation: @escaping @Sendable @concurrent () async -> Success
  ) -> Task<Success, Never> {
    guard let (held, handle) = UnstartedTask.create(operation) else { return inheritingTask(operation) }
    enter(.held(held), for: ticket)
    return handle
  }

  private func end(_ waiting: Waiting, _ ticket: TicketNumber, _ arrival: Arrival) -> Arrival {
    if waiting == .acrossStores { WaitsAcrossStores.endWait(forTurn: ticket, of: self) }
    var arrival = arrival
    // A cancellation may have been quicker.
    if arrival == .deferred, !turns.withLock({ $0.endRevocation(ticket) }) { arrival = .withdrawn }
    switch arrival {
    case .hasTurn: break
    case .withdrawn: simulation?.observer?.saw(.withdrawn, of: ticket, in: id)
    case .deferred: simulation?.observer?.saw(.gaveWay, of: ticket, in: id)
    }
    return arrival
  }

  /// Makes a call that waits for its turn give way to another wait, which would close a cycle.
  func revokeWait(for ticket: TicketNumber) {
    turns.withLock { $0.revoke(ticket) }?.resume(returning: .deferred)
  }

  /// Gives up a place in the queue; does nothing when its turn has come.
  func giveUp(_ ticket: TicketNumber) {
    turns.withLock { $0.withdraw(ticket) }?.resume(returning: .withdrawn)
  }

  @inline(never)
  private func enter(_ waiter: Waiter, for ticket: TicketNumber) {
    switch turns.withLock({ $0.park(ticket, waiter) }) {
    case .run: waiter.resume(returning: .hasTurn)
    case .withdrawn: waiter.resume(returning: .withdrawn)
    case .deferred: waiter.resume(returning: .deferred)
    case .wait: break
    }
  }

  private func hasCome(_ ticket: TicketNumber) -> Bool {
    handedTo.load(ordering: .acquiring) == ticket.number
  }

  /// Looks for a moment whether the turn has come, in less than parking takes, and only behind mutations (P10).
  @inline(never)
  private func spin(for ticket: TicketNumber) -> Bool {
    // In a simulation nobody else runs meanwhile.
    for _ in 0..<(isSimulated ? 1 : Self.looks) {
      let last = handedTo.load(ordering: .acquiring)
      if last >= ticket.number { return last == ticket.number }
      spin_hint()
    }
    return false
  }

  /// A look takes some ten nanoseconds.
  private static var looks: Int { 100 }

  /// Whether awaiting this ticket's action is a wait for oneself.
  func isHeldUp(_ ticket: TicketNumber) -> Bool {
    let chain = CallChain.current
    if chain.isEmpty { return false }
    return turns.withLock { $0.isHeldUp(ticket) { chain.contains(TurnID(store: id, ticket: $0)) } }
  }

  func close() {
    turns.withLock { $0.close() }
    isEndAwaited.store(true, ordering: .relaxed)
    simulation?.observer?.saw(.closed, of: TicketNumber(), in: id)
    reportIfIdle()
  }

  /// Lets the next one know that it has the turn; if there is none, and after `close` never will be, says so.
  func wake(_ next: Next) {
    next.waiter?.resume(returning: .hasTurn)
    if let early = next.early { early.waiter.resume(returning: early.wakeup) }
    if next.waiter == nil { wakeNobody() }
  }

  /// Nobody is next: if somebody waits for that, it is said.
  func wakeNobody() {
    if isEndAwaited.load(ordering: .relaxed) { reportIfIdle() }
  }

  /// Hands the turn on; called under the lock.
  func handOn(_ turns: inout Logic, _ ticket: TicketNumber) -> Next {
    handedOn(&turns, turns.release(ticket))
  }

  /// The turn was handed on.
  func handedOn(_ turns: inout Logic, _ waiter: Waiter?) -> Next {
    guard let holder = turns.holder else { return Next() }
    handedTo.store(holder.ticket.number, ordering: .releasing)
    let early = turns.wakeAhead().map { (waiter: $0, wakeup: holder.canSuspend ? Wakeup.next : .soon) }
    return Next(waiter: waiter, early: early)
  }

  private func reportIfIdle() {
    let (isIdle, isDrained) = turns.withLock { ($0.isIdle, $0.isDrained) }
    if isIdle {
      let waiting = idlers.withLock { idlers in
        defer { idlers = [] }
        return idlers
      }
      waiting.resumeAll()
    }
    if isDrained { onDrained() }
  }

  /// Returns when no action has the turn, waits for it, or overlaps.
  func waitUntilIdle() async {
    await park { idler in
      idlers.withLock { $0.append(idler) }
      isEndAwaited.store(true, ordering: .relaxed)
      reportIfIdle()
    }
  }
}
