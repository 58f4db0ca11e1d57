/// The turns of one store, as pure logic: the holder, the waiters, and their order.
///
/// It has no lock, no continuation, and no `await`. Each method is one atomic step of a caller and returns the caller's
/// next step. `TurnQueue` owns the lock and carries out these steps. A `Waiter` represents a parked call or a task that
/// has not started, a `Reader` represents a parked read, and a `Call` represents a deferred call.
///
/// While a ticket waits, an action has the turn. The turn passes directly from one action to the next, and is never
/// free in between.
struct TurnQueueStateMachine<Waiter: Sendable, Reader: Sendable, Call: Sendable>: Sendable {
  /// The result for a call that tried to park.
  enum Parking: Sendable {
    /// The turn arrived first.
    case run
    case wait
    /// The ticket was withdrawn first.
    case withdrawn
    /// The call gives way, and another task must run its action.
    case deferred
  }

  /// The next step after an action that edited in place.
  enum Ending: Sendable {
    /// The turn was handed off. Resume the next waiter, if it is parked.
    case handedOff(Resumption<Waiter>?)
    /// Reads waited for this commit. Answer them, and then hand off the turn.
    case answer([Reader])
  }

  // An uncontended dispatch uses the fields up to the count of the queue (HP16).
  private var lastTicket = TicketNumber()
  private(set) var holder: TurnHolder?
  private(set) var isClosed = false
  /// Whether each commit must be offered to subscribers before the turn is handed off.
  var isWatched = false
  private(set) var revision: UInt64 = 0
  private var rare = RarelyUsed<Rare>()
  private var queue = TicketQueue<Waiter>()
  private var wakeAheadPolicy: WakeAheadPolicy

  /// What most stores never need.
  fileprivate struct Rare: Changeable {
    var readers: [Reader] = []
    /// The actions that run without a turn and will take one to commit, by the tickets with which they started.
    var overlapping: [TicketNumber: Overlapping] = [:]
    var groups = RunningGroups()
    var deferred = DeferredCalls<Call>()
  }

  init(wakeAheadPolicy: WakeAheadPolicy = WakeAheadPolicy()) {
    self.wakeAheadPolicy = wakeAheadPolicy
  }

  /// Whether some action of the store owns a deferred call.
  var ownsCalls: Bool { rare.holds { $0.deferred.areOwned } }
  /// Whether the store has accepted a deferred call that has yet to take its ticket.
  var expectsCalls: Bool { rare.holds { $0.deferred.areExpected } }
  private var hasReaders: Bool { rare.holds { !$0.readers.isEmpty } }

  private var readers: [Reader] {
    get { rare.read { $0.readers } }
    _modify { yield &rare.value.readers }
  }
  private(set) var overlapping: [TicketNumber: Overlapping] {
    get { rare.read { $0.overlapping } }
    _modify { yield &rare.value.overlapping }
  }
  var groups: RunningGroups {
    get { rare.read { $0.groups } }
    _modify { yield &rare.value.groups }
  }
  var deferred: DeferredCalls<Call> {
    get { rare.read { $0.deferred } }
    _modify { yield &rare.value.deferred }
  }

  var queuedCount: Int { queue.count }
  var queuedLabels: [ActionLabel] { queue.labels }
  func firstQueuedLabels(_ limit: Int) -> [ActionLabel] { queue.firstLabels(limit) }

  // MARK: Tickets

  /// Takes a ticket, and the turn with it if no action has the turn.
  ///
  /// - Parameters:
  ///   - phase: The first phase of the turn, if the call gets it immediately.
  ///   - isReturning: Whether the ticket is for the commit of an overlapping action, which a closed store still
  ///     accepts.
  ///   - isOfGroup: Whether the caller is nested in a running group. The method calls it only if the store is closed.
  ///   - owner: The innermost action that the caller is nested in. The method calls it only if the store has accepted a
  ///     call that has yet to take its ticket.
  ///   - hasTurn: The method calls it if the caller gets the turn immediately.
  ///   - isNested: Whether the caller is nested in the action of a ticket. The method calls it only for the holder.
  @inline(__always)  // HP12
  mutating func take(
    _ label: ActionLabel,
    canSuspend: Bool,
    startingIn phase: TurnPhase,
    isReturning: Bool = false,
    isOfGroup: (RunningGroups) -> Bool = { _ in false },
    owner: () -> TurnID? = { nil },
    hasTurn: () -> Void = {},
    isNested: (TicketNumber) -> Bool
  ) -> TurnEntry {
    if isClosed || expectsCalls,
      let entry = refuse(isReturning: isReturning, isOfGroup: isOfGroup, owner: owner)
    {
      return entry
    }
    lastTicket.advance()
    guard let holder else {
      holder = TurnHolder(ticket: lastTicket, label: label, canSuspend: canSuspend, phase: phase)
      hasTurn()
      return .run(lastTicket)
    }
    let isBrief = !holder.canSuspend && queue.suspendingCount == 0
    let isSoon = isBrief && queue.count == 0 && holder.phase != .granted
    let ahead = UInt32(truncatingIfNeeded: queue.count)
    queue.append(lastTicket, label, canSuspend: canSuspend)
    let place = TurnEntry.Place(waiting: isSoon ? .soon : isBrief ? .briefly : .forActions, ahead: ahead)
    return isNested(holder.ticket) ? .deferred(lastTicket, place) : .wait(lastTicket, place)
  }

  /// The entry of a call that gets no ticket, or `nil` if it gets one.
  @inline(never)  // HP2
  private mutating func refuse(
    isReturning: Bool,
    isOfGroup: (RunningGroups) -> Bool,
    owner: () -> TurnID?
  ) -> TurnEntry? {
    if isClosed && !isReturning && (groups.isEmpty || !isOfGroup(groups)) { return .closed }
    // Otherwise, this call would overtake an earlier call of the same owner.
    guard expectsCalls, let owner = owner(), deferred.expects(from: owner) else { return nil }
    deferred.accept(from: owner)
    return .deferred(
      .none, TurnEntry.Place(waiting: .forActions, ahead: UInt32(truncatingIfNeeded: queue.count)))
  }

  /// A number for something that takes no turn, from the same sequence as tickets.
  mutating func nextNumber() -> UInt64 {
    lastTicket.advance()
    return lastTicket.number
  }

  /// Parks a call or a task that has not started, unless its turn has arrived.
  ///
  /// - Parameter priority: The priority of the task, which it lends to the calls ahead of it.
  mutating func park(_ ticket: TicketNumber, _ waiter: Waiter, priority: UInt8 = 0) -> Parking {
    if holder?.ticket == ticket { return .run }
    if queue.isRevoked(ticket) { return .deferred }
    return queue.park(ticket, waiter, priority: priority) ? .wait : .withdrawn
  }

  /// Lends the holder the priority of a call that has parked, and returns the holder's task to raise.
  ///
  /// Returns `nil` if the holder already has at least that priority, or if its task is unknown.
  mutating func lendToHolder<Task>(_ priority: UInt8, task: () -> Task?) -> Task? {
    guard let holder, priority > holder.priority, let task = task() else { return nil }
    self.holder?.priority = priority
    return task
  }

  /// Makes a call that waits for its turn give way, and returns its waiter if it is parked.
  ///
  /// Does nothing for a ticket that has or had its turn. Until `endRevocation`, no call waits with the ticket.
  mutating func revoke(_ ticket: TicketNumber) -> Waiter? {
    queue.revoke(ticket)
  }

  /// Records that the call has given way, so another task may wait with its ticket, or begin if the turn has arrived.
  ///
  /// Returns `false` if the ticket was withdrawn in the meantime.
  mutating func endRevocation(_ ticket: TicketNumber) -> Bool {
    holder?.ticket == ticket || queue.endRevocation(ticket)
  }

  /// Withdraws a ticket from the queue, and returns its waiter if it is parked.
  ///
  /// Does nothing for a ticket that has or had its turn.
  mutating func withdraw(_ ticket: TicketNumber) -> Waiter? {
    queue.withdraw(ticket)
  }

  /// Whether a caller that awaits this ticket's action would wait for itself.
  ///
  /// It would if it is nested in the holder's action, and the ticket is the holder's or waits behind it.
  func isHeldUp(_ ticket: TicketNumber, isNested: (TicketNumber) -> Bool) -> Bool {
    guard let blocker = blocker(of: ticket) else { return false }
    return isNested(blocker)
  }

  /// The holder's ticket if it blocks a ticket (possibly its own), or `nil` if no holder blocks the ticket.
  ///
  /// The holder blocks its own ticket and all waiting ones. It also blocks overlapping actions, because they need a
  /// turn to commit.
  func blocker(of ticket: TicketNumber) -> TicketNumber? {
    guard let holder, holder.ticket == ticket || queue.contains(ticket) || overlapping[ticket] != nil else {
      return nil
    }
    return holder.ticket
  }

  /// Whether a call that waits for this ticket's action, or for its turn, still has to wait.
  func isPending(_ ticket: TicketNumber) -> Bool {
    if holder?.ticket == ticket || overlapping[ticket] != nil { return true }
    return queue.contains(ticket) && !queue.isRevoked(ticket)
  }

  /// Whether no action runs or waits, and every accepted call has taken its ticket or was given up.
  var isIdle: Bool { holder == nil && !rare.holds { !$0.overlapping.isEmpty || $0.deferred.areExpected } }

  /// Whether no action runs or waits, and only running groups can dispatch another one.
  var onlyGroupsContinue: Bool { isClosed && isIdle }

  /// Whether no action runs or ever will.
  var isDrained: Bool { isClosed && isIdle && groups.isEmpty }

  /// Refuses all tickets from now on.
  ///
  /// Earlier tickets remain valid.
  mutating func close() {
    isClosed = true
  }

  // MARK: The holder

  /// Records that the holder's action begins, after which the action counts as run.
  mutating func begin(_ ticket: TicketNumber, in phase: TurnPhase) {
    requireTurn(ticket)
    holder?.phase = phase
  }

  /// Counts a commit of the holder.
  mutating func advanceRevision(_ ticket: TicketNumber) {
    requireTurn(ticket)
    revision += 1
  }

  /// Gives the turn to the next waiter, or frees it if there is none.
  ///
  /// Returns the waiter if it is parked. If it has yet to park, it finds the turn when it does.
  mutating func handOff(_ ticket: TicketNumber) -> Resumption<Waiter>? {
    requireTurn(ticket)
    guard let next = queue.popFirst() else {
      holder = nil
      return nil
    }
    holder = TurnHolder(
      ticket: next.ticket, label: next.label, canSuspend: next.canSuspend,
      priority: next.lentPriority ?? next.priority, phase: .granted)
    if next.wasWokenAhead { wakeAheadPolicy.turnArrived(isStillWaiting: next.waiter != nil) }
    return next.waiter.map { Resumption(waiter: $0, lentPriority: next.lentPriority) }
  }

  /// Fast path of `handOff`.
  ///
  /// Returns `false`, changing nothing, if there are waiters or deferred calls.
  mutating func freeIfNoneWaits(_ ticket: TicketNumber) -> Bool {
    requireTurn(ticket)
    if queue.count > 0 || ownsCalls { return false }
    holder = nil
    return true
  }

  /// After a hand-off, returns the waiter to wake before its turn: the first in the queue, if it is parked.
  ///
  /// The new holder has yet to be scheduled, and so would each waiter after it, one after another. If the next waiter
  /// wakes at the same time, it may be ready when its turn arrives. Otherwise, it parks again. Waking two would be in
  /// vain more often.
  mutating func wakeAhead() -> Resumption<Waiter>? {
    queue.count > 0 && wakeAheadPolicy.takeChance() ? queue.takeFirstWaiter() : nil
  }

  /// Hands off the turn of an action that continues without it and will return to commit.
  mutating func startOverlapping(_ ticket: TicketNumber, _ action: Overlapping) -> Resumption<Waiter>? {
    overlapping[ticket] = action
    return handOff(ticket)
  }

  /// Records that an overlapping action has failed or will not commit, and returns the deferred calls that it owned.
  mutating func endOverlapping(_ ticket: TicketNumber) -> [Call] {
    overlapping[ticket] = nil
    return ownsCalls ? deferred.take(of: ticket) : []
  }

  /// Records that an overlapping action is about to commit with another ticket, which has the turn.
  mutating func endOverlapping(_ ticket: TicketNumber, committingWith second: TicketNumber) {
    requireTurn(second)
    overlapping[ticket] = nil
    deferred.move(from: ticket, to: second)
  }

  /// Fast path of a commit.
  ///
  /// Returns `false`, changing nothing, if there are readers, subscribers, or (unless the turn is kept) waiters or
  /// deferred calls.
  ///
  /// `install` makes the draft the state.
  @inline(__always)  // HP12
  mutating func commitIfAlone(
    _ ticket: TicketNumber,
    keepingTurn: Bool = false,
    install: () -> Void = {}
  ) -> Bool {
    if isWatched || !keepingTurn && queue.count > 0 { return false }
    if rare.holds({ !$0.readers.isEmpty || !keepingTurn && $0.deferred.areOwned }) { return false }
    requireTurn(ticket)
    install()
    revision += 1
    if keepingTurn { holder?.phase = .running } else { holder = nil }
    return true
  }

  /// Commits an edit in place, and hands off the turn unless reads must be answered first.
  mutating func endApplying(_ ticket: TicketNumber) -> Ending {
    advanceRevision(ticket)
    return hasReaders ? .answer(stopApplying(ticket)) : .handedOff(handOff(ticket))
  }

  /// Makes the state readable again, keeps the turn, and returns the reads that waited.
  mutating func stopApplying(_ ticket: TicketNumber) -> [Reader] {
    begin(ticket, in: .running)
    if !hasReaders { return [] }
    defer { readers = [] }
    return readers
  }

  // MARK: Reading

  /// Whether the state can be read now, which is not the case while an action edits it in place.
  var isReadable: Bool { holder?.phase != .applying }

  /// Parks a read until the action that edits in place commits.
  mutating func park(reader: Reader) {
    precondition(!isReadable)
    readers.append(reader)
  }

  private func requireTurn(_ ticket: TicketNumber) {
    precondition(
      holder?.ticket == ticket,
      "ActorStore: an action used a turn that it does not have. This is a bug in ActorStore.")
  }
}

extension TurnQueueStateMachine.Rare: Equatable, Hashable where Reader: Hashable, Call: Hashable {}
extension TurnQueueStateMachine: Equatable, Hashable where Waiter: Hashable, Reader: Hashable, Call: Hashable {}
