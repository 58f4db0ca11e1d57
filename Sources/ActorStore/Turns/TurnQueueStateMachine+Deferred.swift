/// Deferred calls, which their owners let run or give up.
extension TurnQueueStateMachine {
  /// Gives a deferred call to the running action that made it, or returns `false` if that action has ended.
  ///
  /// - Parameter overlapping: The ID of the action in call chains if it overlaps.
  mutating func own(_ call: Call, by member: UInt64, _ owner: TicketNumber, overlapping id: TurnID?) -> Bool {
    guard id == nil ? holder?.ticket == owner : overlapping[owner]?.turn == id else { return false }
    deferred.add(call, by: member, to: owner)
    return true
  }

  /// Accepts a deferred call, which gives up its ticket until its owner commits.
  ///
  /// Returns `false` if the turn of the ticket has arrived. The caller must then end that turn.
  mutating func accept(from owner: TurnID, insteadOf ticket: TicketNumber) -> Bool {
    deferred.accept(from: owner)
    _ = withdraw(ticket)
    return holder?.ticket != ticket
  }
}
