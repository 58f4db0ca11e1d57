import ActorStore
import ActorStoreTesting
import Testing

extension Readme {
  @Test func theSecondBuyerIsTooLate() async throws {
    let (shop, journal) = (TestStore(Shop(left: 1)), Journal())
    try await shop.dispatch(Buy(journal: journal)) { $0.left = 0 }
    await shop.dispatch(Buy(journal: journal), throws: SoldOut())
    try await shop.finish()
  }
}
