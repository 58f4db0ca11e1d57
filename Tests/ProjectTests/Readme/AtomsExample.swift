import ActorStore
import Atoms
import Testing

let priceAtom = Atom(100)
let countAtom = Atom(2)
let totalAtom = DerivedAtom { priceAtom.value * countAtom.value }

struct Cart {
  @UseAtom(countAtom) var count
  @UseAtomValue(totalAtom) var total
}

func atoms() async {
  let cart = Cart()
  cart.count = 3
  print(cart.total)  // 300

  // A part of a store's state is an atom, too. After the dispatch, all that depends on it has changed.
  let account = Store(Account(balance: 250))
  let balanceAtom = account.select(\.balance).atom
  let canPayAtom = DerivedAtom { totalAtom.value <= balanceAtom.value }
  print(canPayAtom.value)  // false
  await account.dispatch(Deposit(amount: 50))
  print(canPayAtom.value)  // true
}

let shippingAtom = AsyncAtom { try await shippingCost(ofTotal: totalAtom.value) }

struct Shipping {
  @UseAtomValue(shippingAtom) var state

  var text: String {
    switch state {
    case .loading: "..."
    case .success(let cost): "\(cost)"
    case .failure(let error): "not available: \(error)"
    }
  }
}

@concurrent private func shippingCost(ofTotal total: Int) async throws -> Int { total < 300 ? 5 : 0 }

/// The examples of atoms in the README.
@Suite struct AtomsExampleTests {
  @Test func theAsynchronousExampleRuns() async throws {
    try await AtomStore().callAsCurrent { () async throws in
      let shipping = Shipping()
      #expect(try await shippingAtom.result == 5 && shipping.text == "5")
      countAtom.value = 3
      #expect(["...", "0"].contains(shipping.text))
      #expect(try await shippingAtom.result == 0 && shipping.text == "0")
    }
  }

  @Test func theExampleRuns() async {
    await AtomStore().callAsCurrent { await atoms() }
  }
}
