import ActorStore
import ActorStoreEvents
import Testing

extension Readme {
  struct Basket: EventDriven, Equatable {
    enum Event: Sendable { case added(String), emptied }
    var tickets: [String] = []

    mutating func react(to event: Event) {
      switch event {
      case .added(let show): tickets.append(show)
      case .emptied: tickets = []
      }
    }
  }

  @Test func basketTakesOnlyEvents() async {
    let basket = Store(Basket(), guards: [EventsOnly()])
    await basket.dispatch(.added("Hamlet"))
    await basket.dispatch { $0.tickets = [] }  // Refused, because only events change this store.
    #expect(await basket.state.tickets == ["Hamlet"])
    await basket.dispatch([.emptied, .added("Macbeth")])
    #expect(await basket.state.tickets == ["Macbeth"])
  }
}
