/// What became of a call that asked for a ticket.
@usableFromInline enum TurnEntry: Sendable {
  /// The turn is the caller's.
  case run(TicketNumber)
  /// The caller is to park until it is resumed.
  case wait(TicketNumber, Waiting)
  /// The caller would wait for itself (P7, P8): it must not wait, another task runs its action.
  case deferred(TicketNumber)
  case closed
}

/// How a call waits for its turn.
@usableFromInline enum Waiting: Sendable {
  /// Only a mutation that is under way is ahead of it: its turn comes in less time than parking takes.
  case soon
  /// Nothing ahead of it can suspend: it is over soon whatever happens.
  case briefly
  case forActions
  /// As `forActions`, below an action of another store, which has noted it.
  case acrossStores
  /// As `forActions`; who may cancel the call gives up its place too, so that it need not listen for that.
  case sent

  /// Whether the place is given up at once when the task is cancelled.
  ///
  /// Where only mutations are ahead that would end a wait that is about to end anyway, and to listen costs a quarter of
  /// a contended dispatch. Whether the task was cancelled is asked before the action begins, as always.
  var heedsCancellation: Bool {
    switch self {
    case .soon, .briefly, .sent: false
    case .forActions, .acrossStores: true
    }
  }
}
