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
