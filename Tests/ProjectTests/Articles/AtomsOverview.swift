import Atoms
import Testing

/// The example in the overview of `Atoms`.
@Suite struct AtomsOverviewTests {
  @Test func theExampleHasTheseTotals() {
    AtomStore().callAsCurrent {
      let price = Atom(100)
      let count = Atom(2)
      let total = DerivedAtom { price.value * count.value }
      print(total.value)  // 200
      #expect(total.value == 200)

      let observation = total.observe { print("total: \($0)") }  // total: 200
      count.value = 3  // total: 300
      #expect(total.value == 300)

      AtomStore.current.transaction {
        price.value = 50
        count.value = 4
      }  // total: 200
      #expect(total.value == 200)
      observation.cancel()
    }
  }
}
