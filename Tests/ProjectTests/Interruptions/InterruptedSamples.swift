import ActorStore
import ActorStoreTesting

extension InterruptedSample {
  static let all = [transfer, transfersInOppositeDirections]

  // MARK: Waiting

  private typealias Waiting = WaitingInsideAnAction

  private static let transfer = transfer("transfer", Waiting().transfer)
  static let carelessTransfer = transfer("careless transfer", Waiting().carelessTransfer)

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

  private static let transfersInOppositeDirections = InterruptedSample("transfers in opposite directions") { run in
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
}
