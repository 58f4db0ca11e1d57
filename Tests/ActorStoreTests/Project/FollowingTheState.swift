import ActorStore

@MainActor final class BalanceLabel {
  private(set) var text = ""

  init(_ store: Store<Account>) {
    // Called on the actor this is called on, for as long as the label lives: there is nothing to unsubscribe.
    store.observe(self, of: \.balance, bufferingPolicy: .bufferingNewest(1)) { label, balance in
      label.text = "\(balance)"
    }
  }
}

func followingTheState() async throws {
  let store = Store(Account())
  let label = await BalanceLabel(store)

  // The first committed state that fits, at once if it is the current one; or why it has not come.
  async let rich = store.firstState(where: { $0.balance >= 100 }, within: .seconds(60))
  await store.dispatch(Deposit(amount: 100))
  print(try await rich.balance)  // 100

  // For SwiftUI and all who follow an `@Observable` object: a mirror on the main actor.
  let mirror = await ObservableValue(store, of: \.balance, initial: 0)
  print(await mirror.value)  // 100
  await label.stop(store)
}

extension BalanceLabel {
  func stop(_ store: Store<Account>) {
    store.stopObserving(self)
  }
}
