import ActorStore
import ActorStoreTesting

/// The samples of the article "Waiting inside an action".
extension InterruptedSample {
  static let waiting = [transfer, transfersInOppositeDirections, loadLater]
  static let carelessTransfer = transfer("careless transfer", Waiting().carelessTransfer)

  private typealias Waiting = WaitingInsideAnAction

  private static let transfer = transfer("Waiting: transfer", Waiting().transfer)

  private static func transfer(
    _ name: String,
    _ transfer: @escaping @Sendable (Int, Store<Waiting.Account>, Store<Waiting.Account>) async throws -> Void
  ) -> InterruptedSample {
    InterruptedSample(name) { run in
      let (checking, savings) = (run.store(Waiting.Account(balance: 100)), run.store(Waiting.Account(balance: 100)))
      let result = try await run.result { try await transfer(10, checking, savings) }
      let balances = await [checking.state.balance, savings.state.balance]
      try Simulation.expect(balances == (result.isSuccess ? [90, 110] : [100, 100]), "\(balances)")
    }
  }

  private static let transfersInOppositeDirections = InterruptedSample("Waiting: opposite transfers") { run in
    let (checking, savings) = (run.store(Waiting.Account(balance: 100)), run.store(Waiting.Account(balance: 100)))
    let result = try await run.result {
      async let there: Void? = try? Waiting().transfer(10, from: checking, to: savings)
      async let back: Void? = try? Waiting().transfer(5, from: savings, to: checking)
      return await (there != nil ? 10 : 0) - (back != nil ? 5 : 0)
    }
    let moved = try result.get()
    let balances = await [checking.state.balance, savings.state.balance]
    try Simulation.expect(balances == [100 - moved, 100 + moved], "\(balances)")
  }

  /// A deferred action runs only if the action that made the call has committed.
  private static let loadLater = InterruptedSample("Waiting: a deferred action") { run in
    let store = run.store(Waiting.Shelf())
    _ = try await run.result { await Waiting().loadLater(store) }
    let shelf = await store.state
    let isLoaded = shelf.books == ["Emma"]
    try Simulation.expect(run.interruption == .none ? isLoaded : !isLoaded || shelf.isLoading, "\(shelf)")
  }
}
