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

  @Test func theAsynchronousExampleFollowsTheTotal() async throws {
    try await AtomStore().callAsCurrent { () async throws in
      let total = Atom(200)
      let shipping = AsyncAtom { try await shippingCost(ofTotal: total.value) }
      func show() -> String {
        let text =
          switch shipping.value {
          case .loading: "..."
          case .success(let cost): "\(cost)"
          case .failure(let error): "not available: \(error)"
          }
        return text
      }
      let observation = shipping.observe { _ in }
      #expect(try await shipping.result == 5 && show() == "5")
      total.value = 300
      #expect(["...", "0"].contains(show()))
      #expect(try await shipping.result == 0 && show() == "0")
      observation.cancel()
    }
  }

  @concurrent private func shippingCost(ofTotal total: Int) async throws -> Int { total < 300 ? 5 : 0 }
}
