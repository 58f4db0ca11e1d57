import ActorStore

struct Solvency: Guard {
  func veto<A: Action<Account>>(_ action: A, state: Account) -> Veto? {
    action is Withdraw && state.balance == 0 ? Veto("there is nothing to withdraw") : nil
  }

  func didUpdate<A: Action<Account>>(_ action: A, old: Account?, new: Account) {
    print("\(action): \(new.balance)")
  }
}

func moreThanOneAction() async throws {
  let store = Store(Account(), guards: [Solvency()])

  let outcome = try await store.dispatch(Withdraw(amount: 10))
  print(outcome)  // vetoed(Solvency: there is nothing to withdraw)

  // A transaction: both or neither, and nobody sees the state between them.
  try await store.transaction { transaction in
    try await transaction.run(Deposit(amount: 100))
    try await transaction.run(Withdraw(amount: 30))
  }

  // A group: an async procedure that holds no turn, so it may wait for a network; others come in between.
  let balance = await store.dispatch(PayDay { 2_000 })
  print(balance)  // 2070

  // Overlapping: starts in order, holds up nobody, and the last to finish wins.
  await store.dispatch(AddInterest { 10 }, policy: .overlapping)
}

struct PayDay: ActionGroup {
  let salary: @Sendable () async -> Int

  func run(with store: Store<Account>) async -> Int {
    let amount = await salary()
    return await store.dispatch(Deposit(amount: amount), returning: { $0.balance }).output ?? 0
  }
}
