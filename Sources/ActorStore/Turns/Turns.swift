/// Who has the turn of one store, who waits for it, and in which order: the logic alone.
///
/// No lock, no continuation, no `await`: each method is one atomic step of a caller and returns what the caller is to
/// do. `TurnLine` owns the lock and does it. A `Waiter` stands for a parked call or a task that has not started, a
/// `Reader` for a parked read.
///
/// Whenever somebody waits, somebody has the turn: it is handed on directly, never set free for whoever comes first.
struct Turns<Waiter: Sendable, Reader: Sendable>: Sendable {
  /// What became of a call that wanted to park.
  enum Parking: Sendable {
    /// The turn came first.
    case run
    case wait
    /// The place was given up first.
    case withdrawn
    /// The call gives way, and another task is to run its action in its place.
    case deferred
  }

  /// What is to be done when an action that edited in place has ended.
  enum Ending: Sendable {
    /// The turn was handed on: resume the next one, if it is parked.
    case handedOn(Waiter?)
    /// Reads waited for this commit: give them the state, then release the turn.
    case answer([Reader])
  }

  private(set) var holder: TurnHolder?
  private(set) var revision: UInt64 = 0
  private(set) var isClosed = false
  /// Whether a commit is to be published before the turn is handed on.
  var isWatched = false
  private var queue = TicketQueue<Waiter>()
  private var wakeAheadPolicy: WakeAheadPolicy
  private var readers: [Reader] = []
  private var lastTicket = TicketNumber()
  /// The actions that have started, have no turn and will ask for one to commit, by the tickets of their start.
  private(set) var overlapping: [TicketNumber: Overlapping] = [:]

  init(wakeAheadPolicy: WakeAheadPolicy = WakeAheadPolicy()) {
    self.wakeAheadPolicy = wakeAheadPolicy
  }

  var queuedCount: Int { queue.count }
  var queuedLabels: [ActionLabel] { queue.labels }

  // MARK: Taking and leaving a place

  /// Takes a ticket; the turn with it if nobody has it, and then in `phase`.
  ///
  /// `isBelow` is asked only when somebody else has the turn: does the caller run below that ticket's action?
  mutating func take(
    _ label: ActionLabel,
    canSuspend: Bool,
    startingIn phase: TurnPhase,
    isBelow: (TicketNumber) -> Bool
  ) -> TurnEntry {
    if isClosed { return .closed }
    return enter(label, canSuspend: canSuspend, startingIn: phase, isBelow: isBelow)
  }

  /// Takes a second ticket, for the commit of an action that overlaps; also after `close`, which came after its first.
  mutating func takeAgain(_ label: ActionLabel, isBelow: (TicketNumber) -> Bool) -> TurnEntry {
    enter(label, canSuspend: false, startingIn: .running, isBelow: isBelow)
  }

  private mutating func enter(
    _ label: ActionLabel,
    canSuspend: Bool,
    startingIn phase: TurnPhase,
    isBelow: (TicketNumber) -> Bool
  ) -> TurnEntry {
    lastTicket.advance()
    guard let holder else {
      holder = TurnHolder(ticket: lastTicket, label: label, canSuspend: canSuspend, phase: phase)
      return .run(lastTicket)
    }
    let isBrief = !holder.canSuspend && queue.suspendingCount == 0
    let isSoon = isBrief && queue.count == 0 && holder.phase != .handed
    queue.append(lastTicket, label, canSuspend: canSuspend)
    if isBelow(holder.ticket) { return .deferred(lastTicket) }
    return .wait(lastTicket, isSoon ? .soon : isBrief ? .briefly : .forActions)
  }

  mutating func park(_ ticket: TicketNumber, _ waiter: Waiter) -> Parking {
    if holder?.ticket == ticket { return .run }
    if queue.isRevoked(ticket) { return .deferred }
    return queue.park(ticket, waiter) ? .wait : .withdrawn
  }

  /// Makes a call that waits for its turn give way; returns whom to resume.
  ///
  /// Does nothing for a ticket that has had its turn or has it. Until `endRevocation` nobody waits for the ticket.
  mutating func revoke(_ ticket: TicketNumber) -> Waiter? {
    queue.revoke(ticket)
  }

  /// The call has given way: another task is to wait at its place, or may begin if the turn has come meanwhile.
  ///
  /// False if the place was given up meanwhile.
  mutating func endRevocation(_ ticket: TicketNumber) -> Bool {
    holder?.ticket == ticket || queue.endRevocation(ticket)
  }

  /// Gives up a place in the queue; returns whom to resume.
  ///
  /// Does nothing for a ticket that has had its turn or has it.
  mutating func withdraw(_ ticket: TicketNumber) -> Waiter? {
    queue.withdraw(ticket)
  }

  /// Whether waiting for this ticket's action is a wait for oneself.
  ///
  /// It is when the caller is below the current action and the ticket is that action's, or behind it.
  func isHeldUp(_ ticket: TicketNumber, isBelow: (TicketNumber) -> Bool) -> Bool {
    guard let blocker = blocker(of: ticket) else { return false }
    return isBelow(blocker)
  }

  /// Whose turn holds up a ticket, its own included; nil when it neither waits nor has the turn.
  ///
  /// What overlaps is held up by whoever has the turn: it will need one to commit.
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

  /// Whether nothing runs.
  var isIdle: Bool { holder == nil && overlapping.isEmpty }

  /// Whether nothing runs any more, and nothing will.
  var isDrained: Bool { isClosed && isIdle }

  /// From here on nobody gets a ticket; who has one keeps it.
  mutating func close() {
    isClosed = true
  }

  // MARK: Having the turn

  /// The action begins; from now on it counts as run.
  mutating func begin(_ ticket: TicketNumber, in phase: TurnPhase) {
    requireTurn(ticket)
    holder?.phase = phase
  }

  /// A draft has become the state.
  mutating func commit(_ ticket: TicketNumber) {
    requireTurn(ticket)
    revision += 1
  }

  /// Hands the turn to the first in the queue; returns it if it is parked (if not, it will find the turn when it parks).
  mutating func release(_ ticket: TicketNumber) -> Waiter? {
    requireTurn(ticket)
    guard let next = queue.popFirst() else {
      holder = nil
      return nil
    }
    holder = TurnHolder(ticket: next.ticket, label: next.label, canSuspend: next.canSuspend, phase: .handed)
    wakeAheadPolicy.turnCame(to: next.ticket, isStillWaiting: next.waiter != nil)
    return next.waiter
  }

  /// Whom to resume before its turn, when the turn was handed on: who is next now, if it is parked.
  ///
  /// Who has just been handed the turn has yet to be scheduled, and so would each after it, one after the other; woken
  /// with it the next one is there when its turn comes. If that has not come yet, it parks again. One is enough: the
  /// second of two would more often be back in vain.
  mutating func wakeAhead() -> Waiter? {
    guard queue.count > 0, wakeAheadPolicy.takeChance(), let first = queue.takeFirstWaiter() else { return nil }
    wakeAheadPolicy.woke(first.ticket)
    return first.waiter
  }

  /// Hands the turn on as `release` does; the action goes on without it, and will come back to commit.
  mutating func startOverlapping(_ ticket: TicketNumber, _ action: Overlapping) -> Waiter? {
    overlapping[ticket] = action
    return release(ticket)
  }

  /// The action is about to commit or has failed: it needs nothing any more.
  mutating func endOverlapping(_ ticket: TicketNumber) {
    overlapping[ticket] = nil
  }

  /// Commits, if nobody reads or watches, and sets the turn free, unless it is to be kept, if nobody waits for it; what
  /// `publish` does comes before.
  ///
  /// What most calls come to, and cheaper than what the others do.
  mutating func commitAlone(_ ticket: TicketNumber, keepingTurn: Bool = false, publish: () -> Void = {}) -> Bool {
    if isWatched || !readers.isEmpty || queue.count > 0 && !keepingTurn { return false }
    publish()
    commit(ticket)
    if keepingTurn { begin(ticket, in: .running) } else { holder = nil }
    return true
  }

  /// Sets the turn free, if nobody waits for it.
  mutating func releaseAlone(_ ticket: TicketNumber) -> Bool {
    requireTurn(ticket)
    if queue.count > 0 { return false }
    holder = nil
    return true
  }

  /// Commits what was edited in place, and hands the turn on unless reads have to be answered first.
  mutating func endApplying(_ ticket: TicketNumber) -> Ending {
    commit(ticket)
    return readers.isEmpty ? .handedOn(release(ticket)) : .answer(stopApplying(ticket))
  }

  /// The state can be read again, and the turn is kept; returns the reads that waited for that.
  mutating func stopApplying(_ ticket: TicketNumber) -> [Reader] {
    begin(ticket, in: .running)
    defer { readers = [] }
    return readers
  }

  // MARK: Reading

  /// May the state be read now? Not while it is edited in place.
  var isReadable: Bool { holder?.phase != .applying }

  /// Waits for the commit of the action that is editing in place.
  mutating func park(reader: Reader) {
    precondition(!isReadable)
    readers.append(reader)
  }

  private func requireTurn(_ ticket: TicketNumber) {
    precondition(holder?.ticket == ticket, "ActorStore: a turn was used by somebody who does not have it")
  }
}

extension Turns: Equatable, Hashable where Waiter: Hashable, Reader: Hashable {}
