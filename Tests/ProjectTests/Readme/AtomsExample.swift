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
  let balanceAtom = account.atom(\.balance)
  let canPayAtom = DerivedAtom { totalAtom.value <= balanceAtom.value }
  print(canPayAtom.value)  // false
  await account.dispatch(Deposit(amount: 50))
  print(canPayAtom.value)  // true
}

/// The example of atoms in the README.
@Suite struct AtomsExampleTests {
  @Test func theExampleRuns() async {
    await AtomStore().callAsCurrent { await atoms() }
  }
}
