/// Deferred actions, which run like sent ones but belong to the action that made the call.
extension Store {
  /// Starts the task of a deferred action.
  ///
  /// The task waits until the owner has committed, and ends if the owner fails.
  ///
  /// The task is created at the call, so it has the task-locals and the priority of the call.
  @usableFromInline
  nonisolated func startDeferred<A: Action>(
    _ action: A,
    _ label: ActionLabel,
    _ policy: DispatchPolicy,
    _ ticket: TicketNumber
  ) where A.State == State {
    let overlaps = A.overlaps(under: policy)
    let ownership = queue.own(label, canSuspend: A._execution.canSuspend && !overlaps, ticket)
    let custody = custody(A.Failure.self, label, hasTicket: false)
    _ = inheritingTask {
      guard let ticket = await ownership.ticket else { return }
      if overlaps {
        let turn = TurnID.withoutStore(ticket)
        _ = await self.runUnawaitedOverlapping(action, label, as: turn, ticket, waiting: .sent, custody)
      } else {
        _ = await CallChain.cleared { await self.runUnawaited(action, label, ticket, waiting: .sent, custody) }
      }
    }
  }
}
