import ActorStore
import ActorStoreTesting
import Testing

@Test func overdrawing() async throws {
  let store = TestStore(Account())
  await store.dispatch(Deposit(amount: 100)) { $0.balance = 100 }
  await store.dispatch(Withdraw(amount: 500), throws: Overdrawn(missing: 400))
  try await store.finish()
}
