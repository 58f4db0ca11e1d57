/// The queue for one store's turns, as tasks see it: the shell around `Turns`.
///
/// It owns the lock and does what `Turns` says. It is not generic over the state, so that its steps, which every
/// dispatch takes, are compiled for the types they have; and whoever holds a line does not hold a state.
@usableFromInline final class TurnLine: Sendable {
  /// The logic, with what is parked in it.
  ///
  /// A waiter is resumed with true when its turn has come, with false when its place was given up. A reader is called
  /// by who has the turn, with the state readable.
  private typealias Logic = Turns<Parked<Bool>, @Sendable () -> Void>

  let id = StoreID.next()
  private let simulation = SimulationHooks.current
  private let turns = Locked(Logic())

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
      // Reading the library's own task-local under the lock runs nothing of the user's.
      turns.take(label, canSuspend: canSuspend, startingIn: phase) {
        TurnChain.current.contains(TurnID(store: id, ticket: $0))
      }
    }
    if case .wait(let ticket, .forActions) = entry { entry = entryAcrossStores(ticket) }
    simulation?.observer?.saw(.dispatch, of: label, gets: entry, in: id)
    return entry
  }

  /// What a wait behind actions that can suspend comes to: it may be one for itself, by way of other stores.
  private func entryAcrossStores(_ ticket: TicketNumber) -> TurnEntry {
    switch WaitsAcrossStores.begin(forTurn: ticket, of: self) {
    case .notAcross: .wait(ticket, .forActions)
    case .across: .wait(ticket, .acrossStores)
    case .circle: .deferred(ticket)
    }
  }

  /// Takes a second ticket, for the commit of an action that overlaps.
  func takeAgain(_ label: ActionLabel) -> TurnEntry {
    var entry = turns.withLock { turns in
      turns.takeAgain(label) { TurnChain.current.contains(TurnID(store: id, ticket: $0)) }
    }
    if case .wait(let ticket, .forActions) = entry { entry = entryAcrossStores(ticket) }
    simulation?.observer?.saw(.comeBack, of: label, gets: entry, in: id)
    return entry
  }

  /// Which turns hold up a ticket of this store: that of the store, and what its own action is known by if it overlaps.
  func blockers(of ticket: TicketNumber) -> [TurnID] {
    let (holder, own) = turns.withLock { ($0.blocker(of: ticket), $0.overlapping[ticket]?.turn) }
    return [holder.map { TurnID(store: id, ticket: $0) }, own].compactMap(\.self)
  }

  /// Takes a ticket for a call that does not wait.
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

  /// Waits for the turn; false when the task was cancelled first, and then the place is given up.
  @usableFromInline
  func wait(for ticket: TicketNumber, _ waiting: Waiting) async -> Bool {
    switch waiting {
    case .briefly:
      return await waitBriefly(for: ticket)
    case .forActions:
      return await waitForActions(ticket)
    case .acrossStores:
      defer { WaitsAcrossStores.end(.turn(TurnID(store: id, ticket: ticket))) }
      return await waitForActions(ticket)
    }
  }

  /// Waits for the turn, also when the task is cancelled: what has begun is committed.
  func waitWhateverHappens(for ticket: TicketNumber, _ waiting: Waiting) async {
    _ = await waitBriefly(for: ticket)
    if waiting == .acrossStores { WaitsAcrossStores.end(.turn(TurnID(store: id, ticket: ticket))) }
  }

  private func waitForActions(_ ticket: TicketNumber) async -> Bool {
    let hasTurn = await withTaskCancellationHandler {
      await waitBriefly(for: ticket)
    } onCancel: {
      turns.withLock { $0.withdraw(ticket) }?.resume(returning: false)
    }
    if !hasTurn { simulation?.observer?.saw(.withdrawn, of: ticket, in: id) }
    return hasTurn
  }

  /// Waits for the turn without giving up the place on a cancellation: for a place that only mutations are ahead of.
  ///
  /// A cancellation handler costs a quarter of a contended dispatch, and here it would end a wait that is about to end
  /// anyway. Whether the task was cancelled is asked before the action begins, as always.
  private func waitBriefly(for ticket: TicketNumber) async -> Bool {
    await park { waiter in
      switch turns.withLock({ $0.park(ticket, waiter) }) {
      case .run: waiter.resume(returning: true)
      case .withdrawn: waiter.resume(returning: false)
      case .wait: break
      }
    }
  }

  /// Whether awaiting this ticket's action is a wait for oneself.
  func isHeldUp(_ ticket: TicketNumber) -> Bool {
    let chain = TurnChain.current
    if chain.isEmpty { return false }
    return turns.withLock { $0.isHeldUp(ticket) { chain.contains(TurnID(store: id, ticket: $0)) } }
  }

  func close() {
    turns.withLock { $0.close() }
    simulation?.observer?.saw(.closed, of: TicketNumber(), in: id)
  }

  // MARK: Having the turn

  @usableFromInline
  func begin(_ ticket: TicketNumber, in phase: TurnPhase) {
    turns.withLock { $0.begin(ticket, in: phase) }
    simulation?.observer?.saw(.resumed, of: ticket, in: id)
  }

  /// Hands the turn on; the state stays as it is.
  @usableFromInline
  func release(_ ticket: TicketNumber) {
    simulation?.observer?.saw(.released, of: ticket, in: id)
    handOn(ticket)
  }

  /// Hands the turn on, to come back later for the commit.
  func startOverlapping(_ ticket: TicketNumber, _ action: Overlapping) {
    simulation?.observer?.saw(.started, of: ticket, in: id)
    turns.withLock { $0.startOverlapping(ticket, action) }?.resume(returning: true)
  }

  /// Ends an action that overlapped, at the latest when it is about to commit.
  ///
  /// Not after that: whoever gets the next turn would still find it waiting for one.
  func endOverlapping(_ ticket: TicketNumber) {
    turns.withLock { $0.endOverlapping(ticket) }
    simulation?.observer?.saw(.ended, of: ticket, in: id)
  }

  /// Commits a draft, which `publish` makes the state under the lock, and hands the turn on.
  @usableFromInline
  func commit(_ ticket: TicketNumber, publish: () -> Void) {
    let next = turns.withLock { turns in
      publish()
      turns.commit(ticket)
      return turns.release(ticket)
    }
    simulation?.observer?.saw(.committed, of: ticket, in: id)
    next?.resume(returning: true)
  }

  /// Ends editing in place: commits, answers the reads that waited for it, and hands the turn on.
  @usableFromInline
  func endApplying(_ ticket: TicketNumber) {
    let ending = turns.withLock { $0.endApplying(ticket) }
    simulation?.observer?.saw(.committed, of: ticket, in: id)
    switch ending {
    case .handedOn(let next):
      next?.resume(returning: true)
    case .answer(let readers):
      for read in readers { read() }
      handOn(ticket)
    }
  }

  // MARK: Having the turn after the commit

  /// Commits a draft as `commit` does, and keeps the turn.
  @usableFromInline
  func commitKeepingTurn(_ ticket: TicketNumber, publish: () -> Void) {
    turns.withLock { turns in
      publish()
      turns.commit(ticket)
    }
    simulation?.observer?.saw(.committed, of: ticket, in: id)
  }

  /// Ends editing in place as `endApplying` does, and keeps the turn.
  @usableFromInline
  func endApplyingKeepingTurn(_ ticket: TicketNumber) {
    let readers = turns.withLock { turns in
      turns.commit(ticket)
      return turns.stopApplying(ticket)
    }
    simulation?.observer?.saw(.committed, of: ticket, in: id)
    for read in readers { read() }
  }

  /// Nothing was edited after all: answers the reads that waited, and keeps the turn.
  @usableFromInline
  func stopApplying(_ ticket: TicketNumber) {
    for read in turns.withLock({ $0.stopApplying(ticket) }) { read() }
  }

  /// Hands the turn on after a commit.
  @usableFromInline
  func handOn(_ ticket: TicketNumber) {
    turns.withLock { $0.release(ticket) }?.resume(returning: true)
  }

  /// What the action of this turn and all that it starts run below.
  @usableFromInline
  func chain(for ticket: TicketNumber) -> TurnChain {
    TurnChain.current.below(TurnID(store: id, ticket: ticket))
  }

  // MARK: Reading

  /// Calls `copy` under the lock if the state can be read now, and says whether it did.
  func read(_ copy: () -> Void) -> Bool {
    turns.withLock { turns in
      guard turns.isReadable else { return false }
      copy()
      return true
    }
  }

  /// The same; if the state is being edited, `later` is called right after that commit, before the turn is handed on.
  func read(_ copy: () -> Void, later: @escaping @Sendable () -> Void) -> Bool {
    turns.withLock { turns in
      guard turns.isReadable else {
        turns.park(reader: later)
        return false
      }
      copy()
      return true
    }
  }

  /// How many wait for their turn.
  var queuedCount: Int {
    turns.withLock { $0.queuedCount }
  }

  /// Facts of one moment, for diagnostics.
  func snapshot() -> Snapshot {
    turns.withLock { turns in
      Snapshot(
        revision: turns.revision, isClosed: turns.isClosed, holder: turns.holder, queued: turns.queuedLabels,
        overlapping: turns.overlapping.sorted { $0.key < $1.key }.map(\.value.label))
    }
  }

  struct Snapshot: Sendable {
    let revision: UInt64
    let isClosed: Bool
    let holder: TurnHolder?
    let queued: [ActionLabel]
    let overlapping: [ActionLabel]
  }
}
