import Atoms
import Testing

/// The examples in the article "How atoms update".
@Suite struct HowAtomsWorkTests {
  @Test func theExampleUpdates() {
    AtomStore().callAsCurrent {
      let price = Atom(100)
      let count = Atom(2)
      let total = DerivedAtom { price.value * count.value }
      let label = DerivedAtom { "\(total.value) EUR" }
      let observation = label.observe { print($0) }  // 200 EUR
      #expect(label.value == "200 EUR")

      price.value = 90  // 180 EUR
      #expect(label.value == "180 EUR")

      AtomStore.current.transaction {
        price.value = 60
        count.value = 3
      }
      #expect(total.value == 180 && label.value == "180 EUR")
      observation.cancel()
    }
  }
}
