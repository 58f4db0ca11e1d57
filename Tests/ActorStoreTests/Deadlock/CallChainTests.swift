import Testing

@testable import ActorStore

/// The turns that an action is nested in, at any depth (P7, P8).
@Suite struct CallChainTests {
  @Test func holdsEveryTurn() {
    let stores = (0..<6).map { _ in StoreID.next() }
    var chain = CallChain()
    #expect(chain.isEmpty)
    for depth in stores.indices {
      chain = chain.nested(in: TurnID(stores[depth], 1))
      for inner in stores.indices {
        #expect(chain.contains(TurnID(stores[inner], 1)) == (inner <= depth))
        #expect(!chain.contains(TurnID(stores[inner], 2)))
      }
    }
  }

  @Test(arguments: 1...6)
  func holdsAtMostOneTurnPerStore(stores count: Int) {
    let stores = (0..<count).map { _ in StoreID.next() }
    var chain = CallChain()
    for store in stores { chain = chain.nested(in: TurnID(store, 1)) }
    for store in stores {
      let next = chain.nested(in: TurnID(store, 2))
      #expect(next.contains(TurnID(store, 2)))
      #expect(!next.contains(TurnID(store, 1)))
      for other in stores where other != store { #expect(next.contains(TurnID(other, 1))) }
    }
  }

  @Test func storeIDsAreUnique() {
    #expect(Set((0..<1_000).map { _ in StoreID.next() }).count == 1_000)
  }
}
