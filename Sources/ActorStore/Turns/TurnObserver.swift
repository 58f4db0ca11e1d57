/// Is told what happens to the turns of stores: how a simulation can say who waits for whom.
///
/// It is called without a lock, in the task that made the step.
package final class TurnObserver: Sendable {
  /// What one step of a store's turns was.
  package enum Event: Sendable {
    case called(Call, action: String, Answer)
    /// The action has its turn after having waited.
    case resumed
    case committed
    /// The action ended without a commit.
    case released
    /// The action goes on without its turn.
    case started
    /// And is about to commit, or has failed.
    case ended
    /// The place in the queue was given up.
    case withdrawn
    /// The call waits no longer: another task runs its action at its place.
    case gaveWay
    case closed
    /// The state was read.
    case read
  }

  package enum Call: Sendable {
    case dispatch, send
    /// For the commit of an action that has started.
    case comeBack
  }

  /// What a call got.
  package enum Answer: Sendable {
    case hasTurn, waits, deferred, closed
  }

  private let body: @Sendable (_ store: UInt64, _ ticket: UInt64, Event) -> Void
  private let storeMade: @Sendable (_ store: UInt64, _ name: String) -> Void

  package init(
    storeMade: @escaping @Sendable (_ store: UInt64, _ name: String) -> Void,
    _ body: @escaping @Sendable (_ store: UInt64, _ ticket: UInt64, Event) -> Void
  ) {
    self.storeMade = storeMade
    self.body = body
  }

  func made(_ store: StoreID, name: String) {
    storeMade(store.number, name)
  }

  func saw(_ event: Event, of ticket: TicketNumber, in store: StoreID) {
    body(store.number, ticket.number, event)
  }

  func saw(_ call: Call, of label: ActionLabel, gets entry: TurnEntry, in store: StoreID) {
    let (ticket, answer): (TicketNumber, Answer) =
      switch entry {
      case .run(let ticket): (ticket, .hasTurn)
      case .wait(let ticket, _): (ticket, .waits)
      case .deferred(let ticket): (ticket, .deferred)
      case .closed: (TicketNumber(), .closed)
      }
    saw(.called(call, action: label.description, answer), of: ticket, in: store)
  }
}
