import ActorStoreTesting
import Atoms
import AtomsTesting
import Testing

private struct Item: Equatable, Sendable {
  var name: String
  var isBought = false
}

private struct Prices: Sendable {
  let total: @Sendable ([String]) async throws -> Int

  static let online = Prices(total: { _ in throw CancellationError() })
}

private let cartAtom = Atom<[Item]>([]).debugLabel("cart")
private let openItemsAtom = DerivedAtom { cartAtom.value.filter { !$0.isBought } }
private let pricesAtom = Atom(Prices.online)
private let billAtom = AsyncAtom { try await pricesAtom.value.total(openItemsAtom.value.map(\.name)) }

/// The code of AtomsTesting.md.
@Suite struct AtomsTestingOverview {
  @Test func boughtItemsAreFree() async throws {
    try await TestStore { store in
      store.inject(cartAtom) { [Item(name: "Milk"), Item(name: "Tea")] }
      store.inject(pricesAtom) { Prices(total: { $0.count * 10 }) }
      try await expectEqual(billAtom.value, .success(20))

      cartAtom.update { $0[1].isBought = true }
      #expect(openItemsAtom.value.map(\.name) == ["Milk"])
      try await expectEqual(billAtom.value, .success(10))
    }
  }

  @Test func twoTasksAddBoth() throws {
    try Simulation.explore {
      try await TestStore { store in
        async let one: Void = cartAtom.update { $0.append(Item(name: "Milk")) }
        async let two: Void = cartAtom.update { $0.append(Item(name: "Tea")) }
        _ = await (one, two)
        try await expectEqual(cartAtom.value.map(\.name).sorted(), ["Milk", "Tea"])
      }
    }
  }

  /// The test above fails if a task reads and then sets.
  @Test func aLostItemIsFound() throws {
    let failure = try #require(throws: Simulation.Failure.self) {
      try Simulation.explore {
        try await TestStore { store in
          async let one: Void = cartAtom.value.append(Item(name: "Milk"))
          async let two: Void = cartAtom.value.append(Item(name: "Tea"))
          _ = await (one, two)
          try await expectEqual(cartAtom.value.map(\.name).sorted(), ["Milk", "Tea"])
        }
      }
    }
    let article = try Project.text("Sources/AtomsTesting/AtomsTesting.docc/AtomsTesting.md")
    let calls = failure.description.split(separator: "\n").filter { $0.contains("another task") || $0.contains("cart") }
    #expect(article.contains(calls.prefix(5).joined(separator: "\n")), "\(failure)")
  }
}
