import ActorStore
import ActorStoreTesting
import Testing

extension Readme {
  func oneTicketIsSoldOnce() throws {
    try Simulation.explore {
      let (shop, journal) = (ShopActor(), Journal())
      async let ann: Void = shop.buy(journal)
      await shop.buy(journal)
      await ann
      try await Simulation.expect(shop.left == 0, "a ticket was sold twice")
    }
  }

  /// Explores every schedule of the same test with the store.
  func oneTicketIsSoldOnceByTheStore() throws -> Simulation.Exploration {
    try Simulation.explore(.exhaustive()) {
      let (shop, journal) = (Store(Shop(), name: "shop"), Journal())
      await withTaskGroup { group in
        for buyer in ["Ann", "Bob"] {
          group.addTask(name: buyer) { _ = try? await shop.dispatch(Buy(journal: journal)) }
        }
      }
      try await Simulation.expect(shop.state.left == 0, "a ticket was sold twice")
    }
  }
}
