import ActorStore
import ActorStoreTesting

struct Shop: Sendable {
  var left = 1
  var buyers: [String] = []
}

struct Sell: Mutation {
  let buyer: String

  func run(_ shop: inout Shop) {
    shop.left -= 1
    shop.buyers.append(buyer)
  }
}

/// Checks whether a ticket is left, and then buys it.
func buy(_ buyer: String, from shop: Store<Shop>) async {
  if await shop.state.left > 0 {
    await shop.dispatch(Sell(buyer: buyer))
  }
}

func nothingIsSoldTwice() throws {
  try Simulation.explore {
    let shop = Store(Shop(), name: "shop")
    await withTaskGroup { group in
      group.addTask(name: "Ann") { await buy("Ann", from: shop) }
      group.addTask(name: "Bob") { await buy("Bob", from: shop) }
    }
    let buyers = await shop.state.buyers
    try Simulation.expect(buyers.count == 1, "one ticket was sold to \(buyers)")
  }
}
