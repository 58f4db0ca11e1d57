import ActorStore

/// The examples in the article "Watching the state".
struct Watching {
  struct Account: Sendable {
    var balance = 0
    var title = ""
  }

  @MainActor final class BalanceLabel {
    private(set) var text = ""

    init(_ store: Store<Account>) {
      store.observe(self, of: \.balance, bufferingPolicy: .bufferingNewest(1)) { label, balance in
        label.text = "\(balance)"
      }
    }
  }

  /// Runs the examples, and returns the balance of the state that was waited for.
  func run() async throws -> Int {
    let store = Store(Account())
    let label = await BalanceLabel(store)

    let balance = await ObservableValue(store, of: \.balance)
    print(await balance.value)

    await store.dispatch { $0.balance = 100 }
    let rich = try await store.firstState(where: { $0.balance >= 100 }, within: .seconds(60))
    while await label.text != "100" { await Task.yield() }
    store.close()

    let titles = store.values(of: \.title)
    for await title in titles { print(title) }
    return rich.balance
  }
}
