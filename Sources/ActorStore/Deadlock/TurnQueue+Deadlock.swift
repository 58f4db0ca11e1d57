/// Calls that would wait for themselves.
extension TurnQueue {
  /// Takes a ticket for a call that awaits its action, or returns `nil` if the current task is canceled.
  ///
  /// If the call would wait for itself, the entry is `deferred`.
  @usableFromInline
  func take(_ label: ActionLabel, canSuspend: Bool, startingIn phase: TurnPhase) -> TurnEntry? {
    // Finding the task through the public API is slow (HP8). A mutation that begins here ends too soon to be raised.
    let isBrief = !RuntimeEntries.areUsed && !canSuspend && phase != .granted
    let task = isBrief ? .unknown : TaskReference.current
    if task.isCurrentAndCancelled { return nil }
    var entry = stateMachine.withLock { stateMachine in
      // Reading the library's own task-locals under the lock runs no user code.
      stateMachine.take(
        label, canSuspend: canSuspend, startingIn: phase, isOfGroup: Self.isOfGroup,
        owner: { CallChain.current.innermostAction?.turn }, hasTurn: { turnTask.store(task) },
        isNested: { CallChain.current.contains(TurnID(store: id, ticket: $0)) })
    }
    if case .wait(let ticket, let place) = entry, place.waiting == .forActions {
      entry = entryAcrossStores(ticket, place)
    }
    record(.called(.dispatch, action: label.description, entry.answer), of: entry.ticket)
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
      if case .run(let ticket) = entry {
        point()
        return .here(ticket, isNested: !CallChain.isEmptyHere)
      }
      Nesting.leave()
    }
    return .elsewhere(entry)
  }

  /// Takes a second ticket, for the commit of an overlapping action.
  func takeToCommit(_ label: ActionLabel) -> TurnEntry {
    var entry = stateMachine.withLock { stateMachine in
      stateMachine.take(
        label, canSuspend: false, startingIn: .running, isReturning: true, hasTurn: { turnTask.store(.unknown) },
        isNested: { CallChain.current.contains(TurnID(store: id, ticket: $0)) })
    }
    if case .wait(let ticket, let place) = entry, place.waiting == .forActions {
      entry = entryAcrossStores(ticket, place)
    }
    record(.called(.comeBack, action: label.description, entry.answer), of: entry.ticket)
    return entry
  }

  /// The entry for a wait behind actions that can suspend, which may close a cycle through other stores.
  private func entryAcrossStores(_ ticket: TicketNumber, _ place: TurnEntry.Place) -> TurnEntry {
    switch WaitGraph.addWait(forTurn: ticket, of: self) {
    case .notAcross: return .wait(ticket, place)
    case .across: return .wait(ticket, TurnEntry.Place(waiting: .acrossStores, ahead: place.ahead))
    case .cycle: return .deferred(ticket, place)
    }
  }

  /// Waits for the turn.
  ///
  /// If the task is canceled and the wait heeds cancellation, withdraws the ticket.
  ///
  /// - Parameter evenIfCancelled: Whether to keep the ticket instead, because the action has already run and only its
  ///   commit remains.
  @usableFromInline
  func wait(for ticket: TicketNumber, _ waiting: Waiting, evenIfCancelled: Bool = false) async -> Arrival {
    let heedsCancellation = waiting.heedsCancellation && !evenIfCancelled
    var arrival = await waitForTurn(of: ticket, waiting, heedsCancellation: heedsCancellation)
    if waiting == .acrossStores { WaitGraph.removeWait(forTurn: ticket, of: self) }
    // In the meantime, a cancellation may have withdrawn the ticket.
    if arrival == .deferred, !stateMachine.withLock({ $0.endRevocation(ticket) }) { arrival = .withdrawn }
    switch arrival {
    case .hasTurn: break
    case .withdrawn: record(.withdrawn, of: ticket)
    case .deferred: record(.gaveWay, of: ticket)
    }
    return arrival
  }

  /// Tells the simulation that the current step reads or changes the waits across stores.
  func touchWaits() {
    if isSimulated { simulation?.touch(WaitGraph.self) }
  }

  /// Makes a call that waits for its turn give way to another wait, because the two close a cycle.
  func revokeWait(for ticket: TicketNumber) {
    touch()
    stateMachine.withLock { $0.revoke(ticket) }?.resume(returning: .deferred)
  }

  /// Whether the current code would wait for itself if it awaited this ticket's action.
  func isHeldUp(_ ticket: TicketNumber) -> Bool {
    let chain = CallChain.current
    if chain.isEmpty { return false }
    touch(isWrite: false)
    return stateMachine.withLock { $0.isHeldUp(ticket) { chain.contains(TurnID(store: id, ticket: $0)) } }
  }

  /// Whether the current code is nested in the holder's action, and so holds up every commit.
  var isNestedInHolder: Bool {
    if CallChain.isEmptyHere { return false }
    let holder = holder
    return holder != .none && CallChain.current.contains(holder)
  }

  /// Whether the current code holds up a drain, because it is nested in an action, a group, or the owner of an accepted
  /// call.
  var holdsUpDrain: Bool {
    let chain = CallChain.current
    return !chain.isEmpty && runningTurns.contains(where: chain.contains)
  }
}
