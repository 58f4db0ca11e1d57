import Synchronization

/// Operations for the turn's holder.
extension TurnQueue {
  @usableFromInline
  func begin(_ ticket: TicketNumber, in phase: TurnPhase) {
    stateMachine.withLock { $0.begin(ticket, in: phase) }
    record(.resumed, of: ticket)
  }

  /// Begins an action that may suspend, without taking the lock.
  ///
  /// The holder's phase remains `granted`, because hardly anything depends on it. Diagnostics correct the phase. While
  /// such an action starts to overlap, new calls park immediately instead of spinning for the turn.
  @usableFromInline
  func beginUnlocked(_ ticket: TicketNumber) {
    begun.store(ticket.number, ordering: .relaxed)
    turnTask.store(.current)
    record(.resumed, of: ticket)
  }

  // MARK: Ending a turn

  /// Ends a turn without a commit, and hands it off.
  @usableFromInline
  func endWithoutCommit(_ ticket: TicketNumber) {
    record(.released, of: ticket)
    end(ticket) { $0.giveUp() }
  }

  /// Lets the deferred calls of a committed action run, and hands off the turn.
  @usableFromInline
  func handOff(_ ticket: TicketNumber) {
    end(ticket) { $0.start() }
  }

  /// Decides about the deferred calls of an action, and hands off its turn.
  private func end(_ ticket: TicketNumber, deciding decide: (DeferredCall) -> Void) {
    touch()
    if stateMachine.withLock({ $0.freeIfNoneWaits(ticket) }) { return noWaiterRemains() }
    while true {
      let (calls, resumptions) = stateMachine.withLock { stateMachine -> ([DeferredCall], WakeUps?) in
        switch stateMachine.endTurn(ticket) {
        case .decide(let calls): (calls, nil)
        case .handedOff(let waiter): ([], wakeUps(&stateMachine, for: waiter))
        }
      }
      if let resumptions { return wake(resumptions) }
      for call in calls { decide(call) }
    }
  }

  /// The waiters to resume after a hand-off.
  ///
  /// Called under the lock.
  private func wakeUps(_ stateMachine: inout StateMachine, for waiter: Resumption<Waiter>?) -> WakeUps {
    guard let holder = stateMachine.holder else { return WakeUps() }
    turnTask.store(waiter?.waiter.reference ?? .unknown)
    granted.store(holder.ticket.number, ordering: .releasing)
    let next = stateMachine.wakeAhead().map { (waiter: $0, wakeup: holder.canSuspend ? Wakeup.next : .soon) }
    return WakeUps(holder: waiter, next: next)
  }

  /// Hands off the turn of an action that continues without it and will return to commit.
  func startOverlapping(_ ticket: TicketNumber, _ action: Overlapping) {
    record(.started, of: ticket)
    wake(stateMachine.withLock { wakeUps(&$0, for: $0.startOverlapping(ticket, action)) })
  }

  /// Ends an overlapping action that failed or will not commit.
  func endOverlapping(_ ticket: TicketNumber) {
    for call in stateMachine.withLock({ $0.endOverlapping(ticket) }) { call.giveUp() }
    record(.ended, of: ticket)
    noWaiterRemains()
  }

  /// Ends an overlapping action that is about to commit, or to fail, with a second ticket.
  ///
  /// After the commit, this would be too late, because the next holder would find the action still waiting for a turn.
  func endOverlapping(_ ticket: TicketNumber, committingWith second: TicketNumber) {
    stateMachine.withLock { $0.endOverlapping(ticket, committingWith: second) }
    record(.ended, of: ticket)
  }

  // MARK: Committing

  /// Commits a draft, and hands off the turn unless it is kept.
  ///
  /// `install` makes the draft the state, under the lock. Returns `false`, changing nothing, if there are subscribers.
  @usableFromInline
  func commit(_ ticket: TicketNumber, keepingTurn: Bool, install: () -> Void) -> Bool {
    if stateMachine.withLock({ $0.commitIfAlone(ticket, keepingTurn: keepingTurn, install: install) }) {
      record(.committed, of: ticket)
      if keepingTurn { pointInCommit() } else { noWaiterRemains() }
      return true
    }
    let isWatched = stateMachine.withLock { stateMachine in
      if stateMachine.isWatched { return true }
      install()
      stateMachine.advanceRevision(ticket)
      return false
    }
    if isWatched { return false }
    record(.committed, of: ticket)
    pointInCommit()
    if !keepingTurn { handOff(ticket) }
    return true
  }

  /// Commits an edit in place, answers the reads that waited for it, and hands off the turn unless it is kept.
  ///
  /// Returns `false`, changing nothing, if there are subscribers.
  @usableFromInline
  func endApplying(_ ticket: TicketNumber, keepingTurn: Bool) -> Bool {
    if stateMachine.withLock({ $0.commitIfAlone(ticket, keepingTurn: keepingTurn) }) {
      record(.committed, of: ticket)
      if keepingTurn { pointInCommit() } else { noWaiterRemains() }
      return true
    }
    return endApplyingAmongOthers(ticket, keepingTurn: keepingTurn) != 0
  }

  /// `endApplying` for a store with guards, which returns the revision, or 0 if there are subscribers.
  @usableFromInline
  func endApplyingGuarded(_ ticket: TicketNumber, keepingTurn: Bool) -> UInt64 {
    let revision = stateMachine.withLock { $0.commitIfAlone(ticket, keepingTurn: keepingTurn) ? $0.revision : 0 }
    if revision != 0 {
      record(.committed, of: ticket)
      if keepingTurn { pointInCommit() } else { noWaiterRemains() }
      return revision
    }
    return endApplyingAmongOthers(ticket, keepingTurn: keepingTurn)
  }

  private func endApplyingAmongOthers(_ ticket: TicketNumber, keepingTurn: Bool) -> UInt64 {
    let (ending, revision) = stateMachine.withLock { stateMachine -> (Ending, UInt64) in
      if stateMachine.isWatched { return (.watched, 0) }
      if !keepingTurn {
        switch stateMachine.endApplying(ticket) {
        case .handedOff(let waiter): return (.handedOff(wakeUps(&stateMachine, for: waiter)), stateMachine.revision)
        case .answer(let readers): return (.answer(readers), stateMachine.revision)
        }
      }
      stateMachine.advanceRevision(ticket)
      return (.answer(stateMachine.stopApplying(ticket)), stateMachine.revision)
    }
    if case .watched = ending { return 0 }
    record(.committed, of: ticket)
    switch ending {
    case .watched: break
    case .handedOff(let wakeUps):
      wake(wakeUps)
    case .answer(let readers):
      for read in readers { read() }
      pointInCommit()
      if !keepingTurn { handOff(ticket) }
    }
    return revision
  }

  private enum Ending: Sendable {
    case watched
    case handedOff(WakeUps)
    case answer([@Sendable () -> Void])
  }

  /// Commits while there are subscribers, keeps the turn, and returns the revision.
  ///
  /// `install` gets the revision, makes the draft the state, and publishes it, under the lock.
  @usableFromInline
  func commitWatched(_ ticket: TicketNumber, install: (_ revision: UInt64) -> Void) -> UInt64 {
    let (revision, readers) = stateMachine.withLock { stateMachine in
      stateMachine.advanceRevision(ticket)
      install(stateMachine.revision)
      return (stateMachine.revision, stateMachine.stopApplying(ticket))
    }
    record(.committed, of: ticket)
    for read in readers { read() }
    pointInCommit()
    return revision
  }

  /// Begins an edit in place.
  @usableFromInline
  func startApplying(_ ticket: TicketNumber) {
    touch()
    stateMachine.withLock { $0.begin(ticket, in: .applying) }
  }

  /// Ends an edit in place that changed nothing, answers the reads that waited, and keeps the turn.
  @usableFromInline
  func stopApplying(_ ticket: TicketNumber) {
    touch()
    for read in stateMachine.withLock({ $0.stopApplying(ticket) }) { read() }
  }
}
