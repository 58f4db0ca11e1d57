extension CancellationListener {
  /// Gives up a ticket's place in a queue when the current task is cancelled, at once if it is already, until `stop`.
  init(_ ticket: TicketNumber, of line: TurnLine) {
    // Safe: the queue is that of a call which waits there, so it lives until then.
    unsafe self.init(line, ticket.number) { line, number in
      let line = unsafe Unmanaged<TurnLine>.fromOpaque(line).takeUnretainedValue()
      line.giveUp(TicketNumber(number: number))
    }
  }
}
