/// Deferred calls, which their owners let run or give up.
extension TurnQueueStateMachine {
  /// The answer to a deferred call that asks for an owner.
  enum Owning: Sendable {
    case owned
    /// The scope of the action that made the call has failed, so the call never runs.
    case givenUp
    /// The action that made the call has ended.
    case hasEnded
  }

  /// Gives a deferred call to the action that made it, if that action still runs.
  ///
  /// - Parameter overlapping: The ID of the action in call chains if it overlaps.
  mutating func own(_ call: Call, in scope: UInt64, _ owner: TicketNumber, overlapping id: TurnID?) -> Owning {
    guard id == nil ? holder?.ticket == owner : overlapping[owner]?.turn == id else { return .hasEnded }
    return deferred.add(call, in: scope, to: owner) ? .owned : .givenUp
  }

  /// The next step at the end of a turn.
  enum TurnEnd: Sendable {
    /// The action owns these calls. Let them run, or give them up, and then try again.
    case decide([Call])
    /// The turn was handed off. Resume the next waiter, if it is parked.
    case handedOff(Resumption<Waiter>?)
  }

  /// Hands off the turn if the action owns no calls.
  ///
  /// Tasks of the action may make calls until its turn ends. So the check and the hand-off are one step. Otherwise, a
  /// call made between the two would neither run nor be given up.
  mutating func endTurn(_ ticket: TicketNumber) -> TurnEnd {
    if ownsCalls {
      let calls = deferred.takeCalls(soFarOf: ticket)
      if !calls.isEmpty { return .decide(calls) }
      _ = deferred.take(of: ticket)
    }
    return .handedOff(handOff(ticket))
  }

  /// Withdraws the ticket of a call that was given up.
  ///
  /// Returns `false` if the turn of the ticket has arrived. The caller must then end that turn.
  mutating func giveUp(_ ticket: TicketNumber) -> Bool {
    _ = withdraw(ticket)
    return holder?.ticket != ticket
  }

  /// Accepts a deferred call, which gives up its ticket until its owner commits.
  ///
  /// Returns `false` if the turn of the ticket has arrived. The caller must then end that turn.
  mutating func accept(from owner: TurnID, insteadOf ticket: TicketNumber) -> Bool {
    deferred.accept(from: owner)
    return giveUp(ticket)
  }
}
