import Synchronization

/// Deferred calls and their owners.
extension TurnQueue {
  /// The next step of a deferred call.
  enum Ownership: Sendable {
    /// No running action made the call, so it runs when its turn arrives.
    case none(TicketNumber)
    /// The call runs after its owner has committed.
    case owned(DeferredCall)

    /// Waits for the ticket of the call, or returns `nil` if its owner failed.
    var ticket: TicketNumber? {
      get async {
        switch self {
        case .none(let ticket): ticket
        case .owned(let call): await call.ticket
        }
      }
    }
  }

  /// Gives a deferred call to its owner, the innermost running action that the current code is nested in.
  ///
  /// - Parameter excluded: An action that cannot be the owner, because the call is for its own commit.
  func own(
    _ label: ActionLabel,
    canSuspend: Bool,
    _ ticket: TicketNumber,
    besides excluded: TurnID = .none
  ) -> Ownership {
    // A call without a ticket was accepted from the innermost action.
    var place = DeferredPlace.queued(ticket)
    if ticket == TicketNumber(), let owner = CallChain.current.innermostAction { place = .accepted(from: owner.turn) }
    for (turn, scope) in CallChain.current.actions where turn != excluded {
      guard let queue = QueueIndex.queue(of: turn.store) else { continue }
      // The ticket is behind its owner only if both are in the same queue.
      let isOverlapping = turn.store != queue.id
      if queue !== self || isOverlapping { place = .accepted(from: accept(from: turn, insteadOf: place)) }
      let call = DeferredCall(self, label, canSuspend: canSuspend, place)
      queue.touch()
      let owning = queue.stateMachine.withLock {
        $0.own(call, in: scope, turn.ticket, overlapping: isOverlapping ? turn : nil)
      }
      switch owning {
      case .owned: return .owned(call)
      case .givenUp:
        call.giveUp()
        return .owned(call)
      case .hasEnded: continue
      }
    }
    switch place {
    case .queued(let ticket): return .none(ticket)
    case .accepted(let owner): return .none(takeAccepted(from: owner, label, canSuspend: canSuspend))
    }
  }

  /// Accepts a call of an action, and gives up the call's previous place.
  private func accept(from owner: TurnID, insteadOf place: DeferredPlace) -> TurnID {
    switch place {
    case .queued(let ticket):
      record(.gaveUp, of: ticket)
      if !stateMachine.withLock({ $0.accept(from: owner, insteadOf: ticket) }) { endWithoutCommit(ticket) }
    case .accepted(let former):
      stateMachine.withLock {
        $0.deferred.accept(from: owner)
        $0.deferred.release(from: former)
      }
    }
    return owner
  }

  /// Takes the ticket of an accepted call, even if the store has been closed since the call.
  func takeAccepted(from owner: TurnID, _ label: ActionLabel, canSuspend: Bool) -> TicketNumber {
    let entry = stateMachine.withLock { stateMachine in
      stateMachine.deferred.release(from: owner)
      return stateMachine.take(
        label, canSuspend: canSuspend, startingIn: .granted, isReturning: true,
        hasTurn: { turnTask.store(.unknown) }, isNested: { _ in false })
    }
    record(.called(.owned, action: label.description, entry.answer), of: entry.ticket)
    return entry.ticket
  }

  /// Gives up an accepted call.
  func release(from owner: TurnID) {
    touch()
    stateMachine.withLock { $0.deferred.release(from: owner) }
    noWaiterRemains()
  }

  /// Gives up the ticket of a deferred call.
  func giveUp(_ ticket: TicketNumber) {
    record(.gaveUp, of: ticket)
    // Its owner may have handed off the turn in the meantime.
    if !stateMachine.withLock({ $0.giveUp(ticket) }) { endWithoutCommit(ticket) }
  }

  /// Gives up the calls that a scope of the current action made, and its later ones, because the scope failed.
  ///
  /// - Parameter last: A number that is at least as large as those of all scopes of the action that have begun.
  static func giveUpCalls(in scope: UInt64, through last: UInt64) {
    guard let turn = CallChain.current.innermostAction?.turn, let queue = QueueIndex.queue(of: turn.store)
    else { return }
    queue.touch()
    for call in queue.stateMachine.withLock({ $0.deferred.fail(scope, through: last, of: turn.ticket) }) {
      call.giveUp()
    }
  }

  // MARK: The index

  /// Adds the queue to the index, and returns the turn with a ticket, so that code can be nested in it.
  @usableFromInline
  func indexedTurn(_ ticket: TicketNumber) -> TurnID {
    enterIndex()
    return TurnID(store: id, ticket: ticket)
  }

  /// Adds the queue to the index before code is nested in one of its turns for the first time.
  @inline(__always)  // HP1
  func enterIndex() {
    if !isIndexed.load(ordering: .relaxed) { addToIndex() }
  }

  @inline(never)  // HP2
  private func addToIndex() {
    QueueIndex.add(self, as: id)
    QueueIndex.add(self, as: overlappingID)
    isIndexed.store(true, ordering: .relaxed)
  }

  /// Adds an overlapping action that has an ID of its own.
  func enterIndex(as turn: TurnID) {
    if turn.store == overlappingID { enterIndex() } else { QueueIndex.add(self, as: turn.store) }
  }

  func leaveIndex(as turn: TurnID) {
    if turn.store != overlappingID { QueueIndex.remove(turn.store) }
  }

  func leaveIndex() {
    QueueIndex.remove(id)
    QueueIndex.remove(overlappingID)
  }
}
