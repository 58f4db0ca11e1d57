import Synchronization

/// What who has the turn does with it, and who may read meanwhile.
extension TurnLine {
  // MARK: Having the turn

  @usableFromInline
  func begin(_ ticket: TicketNumber, in phase: TurnPhase) {
    turns.withLock { $0.begin(ticket, in: phase) }
    simulation?.observer?.saw(.resumed, of: ticket, in: id)
  }

  /// An action that may suspend begins, on a draft: without the lock, because hardly anything depends on it.
  ///
  /// The holder's phase stays as it was handed over. StoreDiagnostics know better; and who comes while such an action starts
  /// to overlap parks at once instead of looking for a moment whether its turn has come.
  @usableFromInline
  func beginUnlocked(_ ticket: TicketNumber) {
    begun.store(ticket.number, ordering: .relaxed)
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
    wake(
      turns.withLock { turns in
        let waiter = turns.startOverlapping(ticket, action)
        return handedOn(&turns, waiter)
      })
  }

  /// Ends an action that overlapped, at the latest when it is about to commit.
  ///
  /// Not after that: whoever gets the next turn would still find it waiting for one.
  func endOverlapping(_ ticket: TicketNumber) {
    turns.withLock { $0.endOverlapping(ticket) }
    simulation?.observer?.saw(.ended, of: ticket, in: id)
    wakeNobody()
  }

  /// Commits a draft, which `publish` makes the state under the lock, and hands the turn on unless it is to be kept.
  ///
  /// False, and nothing was done, when somebody watches.
  @usableFromInline
  func commit(_ ticket: TicketNumber, keepingTurn: Bool, publish: () -> Void) -> Bool {
    if turns.withLock({ $0.commitAlone(ticket, keepingTurn: keepingTurn, publish: publish) }) {
      committed(ticket, keepingTurn: keepingTurn)
      return true
    }
    var isWatched = false
    let next = turns.withLock { turns -> Next in
      isWatched = turns.isWatched
      if isWatched { return Next() }
      publish()
      turns.commit(ticket)
      return keepingTurn ? Next() : handOn(&turns, ticket)
    }
    if isWatched { return false }
    simulation?.observer?.saw(.committed, of: ticket, in: id)
    if !keepingTurn { wake(next) }
    return true
  }

  /// Ends editing in place: commits, answers the reads that waited for it, and hands the turn on unless it is to be
  /// kept.
  ///
  /// False, and nothing was done, when somebody watches.
  @usableFromInline
  func endApplying(_ ticket: TicketNumber, keepingTurn: Bool) -> Bool {
    if turns.withLock({ $0.commitAlone(ticket, keepingTurn: keepingTurn) }) {
      committed(ticket, keepingTurn: keepingTurn)
      return true
    }
    return endApplyingAmongOthers(ticket, keepingTurn: keepingTurn)
  }

  /// An action has committed; unless it keeps the turn, nobody is next.
  private func committed(_ ticket: TicketNumber, keepingTurn: Bool) {
    simulation?.observer?.saw(.committed, of: ticket, in: id)
    if !keepingTurn { wakeNobody() }
  }

  private func endApplyingAmongOthers(_ ticket: TicketNumber, keepingTurn: Bool) -> Bool {
    let ending = turns.withLock { turns -> Ending in
      if turns.isWatched { return .watched }
      if !keepingTurn {
        switch turns.endApplying(ticket) {
        case .handedOn(let waiter): return .handedOn(handedOn(&turns, waiter))
        case .answer(let readers): return .answer(readers)
        }
      }
      turns.commit(ticket)
      return .answer(turns.stopApplying(ticket))
    }
    if case .watched = ending { return false }
    simulation?.observer?.saw(.committed, of: ticket, in: id)
    switch ending {
    case .watched: break
    case .handedOn(let next):
      wake(next)
    case .answer(let readers):
      for read in readers { read() }
      if !keepingTurn { handOn(ticket) }
    }
    return true
  }

  private enum Ending: Sendable {
    case watched
    case handedOn(Next)
    case answer([@Sendable () -> Void])
  }

  /// Commits where somebody watches: `publish` is called under the lock, and the turn is kept; returns the revision.
  @usableFromInline
  func commitWatched(_ ticket: TicketNumber, publish: () -> Void) -> UInt64 {
    let (revision, readers) = turns.withLock { turns in
      publish()
      turns.commit(ticket)
      return (turns.revision, turns.stopApplying(ticket))
    }
    simulation?.observer?.saw(.committed, of: ticket, in: id)
    for read in readers { read() }
    return revision
  }

  /// Nothing was edited after all: answers the reads that waited, and keeps the turn.
  @usableFromInline
  func stopApplying(_ ticket: TicketNumber) {
    for read in turns.withLock({ $0.stopApplying(ticket) }) { read() }
  }

  /// Hands the turn on after a commit.
  @usableFromInline
  func handOn(_ ticket: TicketNumber) {
    if turns.withLock({ $0.releaseAlone(ticket) }) { return wakeNobody() }
    wake(turns.withLock { handOn(&$0, ticket) })
  }

  /// From here to `CallChain.pop` the current task, and all that it starts, runs below this turn.
  @usableFromInline
  func pushChain(for ticket: TicketNumber) -> CallChain.Pushed {
    CallChain.push(TurnID(store: id, ticket: ticket))
  }

  /// Runs `body`, and all that it starts, nested in this turn.
  @usableFromInline
  nonisolated(nonsending) func nest(in ticket: TicketNumber, _ body: () async -> Void) async {
    await CallChain.nest(in: TurnID(store: id, ticket: ticket), body)
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

  /// From here on commits are published: calls `body` under the lock.
  ///
  /// It gets the revision and whether the state can be read. If that is being edited, `later` is called right after that
  /// commit, before the turn is handed on.
  func subscribe(_ body: (_ revision: UInt64, _ isReadable: Bool) -> Void, later: @escaping @Sendable () -> Void) {
    turns.withLock { turns in
      turns.isWatched = true
      body(turns.revision, turns.isReadable)
      if !turns.isReadable { turns.park(reader: later) }
    }
  }

  /// Says under the lock whether commits are to be published.
  func watch<Result: Sendable>(_ body: (inout Bool) -> Result) -> Result {
    turns.withLock { body(&$0.isWatched) }
  }

  var revision: UInt64 {
    turns.withLock { $0.revision }
  }

  /// How many wait for their turn.
  var queuedCount: Int {
    turns.withLock { $0.queuedCount }
  }

  /// Facts of one moment, for diagnostics.
  func snapshot() -> Snapshot {
    turns.withLock { turns in
      var holder = turns.holder
      if let ticket = holder?.ticket, ticket.number == begun.load(ordering: .relaxed) { holder?.phase = .running }
      return Snapshot(
        revision: turns.revision, isClosed: turns.isClosed, holder: holder, queued: turns.queuedLabels,
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
