@testable import ActorStore

extension TurnID {
  /// The turn of the ticket with this number.
  init(_ store: StoreID, _ number: Int) {
    var ticket = TicketNumber()
    for _ in 0..<number { ticket.advance() }
    self.init(store: store, ticket: ticket)
  }
}
