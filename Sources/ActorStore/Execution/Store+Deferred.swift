/// Deferred actions, which run like sent ones but belong to the action that made the call.
extension Store {
  /// Starts the task of a deferred action.
  ///
  /// The task waits until the owner has committed, and ends if the owner fails.
  ///
  /// The task is created at the call, so it has the task-locals and the priority of the call.
  ///
  /// - Parameter ahead: The number of calls that waited when this one was made. It is ignored if this call has waited,
  ///   because the guards have already recorded the number.
  @usableFromInline
  nonisolated func startDeferred<A: Action>(
    _ action: A,
    _ label: ActionLabel,
    _ policy: DispatchPolicy,
    _ ticket: TicketNumber,
    ahead: UInt32
  ) where A.State == State {
    var call = guards?.takeCounted(ticket, ahead: ahead) ?? WaitingCall(ahead: ahead, time: nil)
    // A deferred call may give way again.
    if !call.isDeferred { reportUnbegun(action, .deferred, ticket, call) }
    call.isDeferred = true
    let overlaps = A.overlaps(under: policy)
    let ownership = queue.own(label, canSuspend: execution(of: A.self).canSuspend && !overlaps, ticket)
    let custody = custody(A.Failure.self, label, hasTicket: false)
    _ = queue.startTask { [call] in
      guard let ticket = await ownership.ticket else {
        return self.reportUnbegun(action, .givenUp, ticket, call)
      }
      self.guards?.didArrive(ticket, call)
      if overlaps {
        let turn = TurnID.withoutStore(ticket)
        _ = await self.runUnawaitedOverlapping(action, label, as: turn, ticket, waiting: .sent, custody)
      } else {
        _ = await CallChain.cleared { await self.runUnawaited(action, label, ticket, waiting: .sent, custody) }
      }
    }
  }
}
