import ActorStore
import ActorStoreTesting

/// Checks and buys in one turn.
struct Buy: Mutation {
  let buyer: String

  func run(_ shop: inout Shop) -> Bool {
    guard shop.left > 0 else { return false }
    shop.left -= 1
    shop.buyers.append(buyer)
    return true
  }
}

func nothingIsSoldTwiceAnyMore() throws -> Simulation.Exploration {
  try Simulation.explore(.exhaustive()) {
    let shop = Store(Shop(), name: "shop")
    await withTaskGroup { group in
      group.addTask(name: "Ann") { _ = await shop.dispatch(Buy(buyer: "Ann")) }
      group.addTask(name: "Bob") { _ = await shop.dispatch(Buy(buyer: "Bob")) }
    }
    let buyers = await shop.state.buyers
    try Simulation.expect(buyers.count == 1, "one ticket was sold to \(buyers)")
  }
}

func threeShopsSell() throws -> Simulation.Exploration {
  try Simulation.explore(.exhaustive(sharing: .storesAndAtoms)) {
    let shops = [Store(Shop()), Store(Shop()), Store(Shop())]
    await withTaskGroup { group in
      for shop in shops {
        group.addTask { _ = await shop.dispatch(Buy(buyer: "Ann")) }
      }
    }
    for shop in shops { try await Simulation.expect(shop.state.left == 0) }
  }
}
