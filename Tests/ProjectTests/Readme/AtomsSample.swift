import Atoms
import Testing

let priceAtom = Atom(25)
let countAtom = Atom(2)
let totalAtom = DerivedAtom { priceAtom.value * countAtom.value }

extension Readme {
  func atoms() {
    let observation = totalAtom.observe { print("total: \($0)") }  // total: 50
    countAtom.value = 3  // total: 75
    observation.cancel()
  }

  @Test func theTotalFollowsTheCount() {
    AtomStore().callAsCurrent {
      let observation = totalAtom.observe { _ in }
      #expect(totalAtom.value == 50)
      atoms()
      #expect(totalAtom.value == 75)
      observation.cancel()
    }
  }
}
