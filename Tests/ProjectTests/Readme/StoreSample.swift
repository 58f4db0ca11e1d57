import ActorStore

/// The samples in the README, which share a shop that sells tickets.
struct Readme {
  struct Shop: Equatable { var left = 1 }
  struct SoldOut: Error, Equatable {}
  actor Journal {
    private var lines: [String] = []
    func write(_ line: String) { lines.append(line) }
  }

  struct Buy: Action {
    let journal: Journal

    func run(_ shop: inout Shop) async throws(SoldOut) {
      shop.left -= 1
      if shop.left < 0 { throw SoldOut() }
      await journal.write("sold")
    }
  }

  actor ShopActor {
    var left = 1

    func buy(_ journal: Journal) async {
      guard left > 0 else { return }
      await journal.write("sold")  // The actor can run another call here.
      left -= 1
    }
  }

  /// Runs the first sample, and returns the shop.
  func buy(journal: Journal) async throws -> Store<Shop> {
    let shop = Store(Shop(), name: "shop")
    try await shop.dispatch { shop in
      shop.left -= 1
      if shop.left < 0 { throw SoldOut() }  // Leaves the state as it was before the action.
      await journal.write("sold")  // No other action changes the shop until this one ends.
    }
    return shop
  }
}

extension Readme.Journal {
  var count: Int { lines.count }
}
