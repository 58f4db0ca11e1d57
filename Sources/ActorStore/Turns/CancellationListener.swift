extension CancellationListener {
  /// Withdraws a ticket when the current task is canceled, until `stop`.
  ///
  /// If the task is already canceled, withdraws the ticket immediately.
  init(_ ticket: TicketNumber, of queue: TurnQueue) {
    // Safe: the caller waits in this queue until `stop`, so the queue lives until then.
    unsafe self.init(queue, ticket.number) { queue, number in
      let queue = unsafe Unmanaged<TurnQueue>.fromOpaque(queue).takeUnretainedValue()
      queue.withdraw(TicketNumber(number: number))
    }
  }
}

/// An object that identifies waiting tasks by number, and ends a wait when its task is canceled.
package protocol CancelableWaits: AnyObject {
  /// Ends the wait with this number, or the wait that is about to begin.
  func stopWaiting(_ number: UInt64)
}

extension CancellationListener {
  /// Ends a wait if the current task is canceled before the call of `stop`.
  ///
  /// If the task is already canceled, ends the wait immediately.
  package init(_ number: UInt64, of waits: some CancelableWaits) {
    // Safe: the caller waits in this object until `stop`, so the object lives until then.
    unsafe self.init(waits, number) { waits, number in
      let waits = unsafe Unmanaged<AnyObject>.fromOpaque(waits).takeUnretainedValue()
      // The initializer's parameter has a conforming type. If the runtime did not find the conformance, the canceled
      // task would wait forever.
      guard let waits = waits as? any CancelableWaits else {
        preconditionFailure(
          "ActorStore: \(type(of: waits)) cannot stop the wait of a canceled task. This is a bug in ActorStore.")
      }
      waits.stopWaiting(number)
    }
  }
}
