@testable import ActorStore

extension TurnID {
  /// Creates the ID of a store's turn whose ticket has the given number.
  init(_ store: StoreID, _ number: Int) {
    var ticket = TicketNumber()
    for _ in 0..<number { ticket.advance() }
    self.init(store: store, ticket: ticket)
  }
}
