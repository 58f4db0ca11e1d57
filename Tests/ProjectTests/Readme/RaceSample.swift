import ActorStore
import ActorStoreTesting
import Testing

extension Readme {
  actor ShopActor {
    var left = 1

    func buy(_ journal: Journal) async {
      guard left > 0 else { return }
      await journal.write("sold")  // The actor can run another call here.
      left -= 1
    }
  }

  func oneTicketIsSoldOnce() throws {
    try Simulation.explore {
      let (shop, journal) = (ShopActor(), Journal())
      await withTaskGroup { group in
        for buyer in ["Ann", "Bob"] {
          group.addTask(name: buyer) {
            Simulation.note("buys")
            await shop.buy(journal)
          }
        }
      }
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
