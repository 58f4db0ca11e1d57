/// The result of a call that asked for a ticket.
@usableFromInline enum TurnEntry: Sendable {
  /// The caller has the turn.
  case run(TicketNumber)
  /// The caller waits for its turn.
  case wait(TicketNumber, Place)
  /// The caller must not wait, because it would wait for itself (P7, P8). Another task runs its action.
  ///
  /// The ticket has the number 0 if the store has accepted the call without one. A ticket in both cases keeps this result
  /// small (HP12).
  case deferred(TicketNumber, Place)
  case closed

  @usableFromInline var isRun: Bool { if case .run = self { true } else { false } }

  /// The place of a call in the queue.
  ///
  /// The order of the fields lets the compiler mark the case in the first byte (HP12).
  @frozen @usableFromInline struct Place: Sendable {
    /// How the call waits, unless it is deferred.
    @usableFromInline let waiting: Waiting
    /// The number of waiters ahead, without the holder.
    @usableFromInline let ahead: UInt32
  }
}

/// The result of a call that sent a mutation.
@usableFromInline enum SentEntry: Sendable {
  /// The mutation runs inside the call, which leaves `Nesting` afterward.
  ///
  /// `isNested` tells whether the call is nested in a running action. The mutation is nested in nothing.
  case here(TicketNumber, isNested: Bool)
  /// Another task runs the mutation.
  case elsewhere(TurnEntry)
}

extension TurnEntry {
  /// The ticket, or the number 0 if the call got none.
  @usableFromInline var ticket: TicketNumber {
    switch self {
    case .run(let ticket), .wait(let ticket, _), .deferred(let ticket, _): ticket
    case .closed: TicketNumber()
    }
  }

  /// The entry as a simulation reports it.
  var answer: TurnObserver.Answer {
    switch self {
    case .run: .hasTurn
    case .wait: .waits
    case .deferred: .deferred
    case .closed: .closed
    }
  }
}

/// How a call waits for its turn.
@usableFromInline enum Waiting: Sendable {
  /// Only a running mutation is ahead, so the turn usually arrives before the task could park.
  case soon
  /// No action that is ahead can suspend, so the wait is usually short.
  case briefly
  case forActions
  /// Like `forActions`, but nested in another store's action, so the wait is in the wait graph.
  case acrossStores
  /// Like `forActions`, but cancellation withdraws the ticket directly, so the wait need not listen for it.
  case sent

  /// Whether the wait listens for cancellation of its task, which then withdraws the ticket immediately.
  ///
  /// Behind mutations, the wait usually ends soon anyway, and listening is expensive (HP10). In every case, the task
  /// checks for cancellation before its action begins.
  var heedsCancellation: Bool {
    switch self {
    case .soon, .briefly, .sent: false
    case .forActions, .acrossStores: true
    }
  }
}
