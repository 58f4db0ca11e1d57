import ActorStore

/// A group waits for the network without holding a turn, and then dispatches the result.
struct AddInterest: ActionGroup {
  let rate: @Sendable () async throws -> Int

  func run(with store: Store<Account>) async throws {
    let percent = try await rate()  // Other actions run in the meantime.
    try await store.dispatch { $0.balance += $0.balance * percent / 100 }.get()
  }
}

/// A guard sees every action that is about to run, with the state that it starts from, and can refuse it.
struct OpenAccount: Guard {
  func veto<A: Action<Account>>(_ action: A, state: Account) -> Veto? {
    action is Withdraw && state.balance == 0 ? Veto("the account is empty") : nil
  }
}

func moreKindsOfActions() async throws {
  let store = Store(Account(), guards: [OpenAccount()])

  let outcome = try await store.dispatch(Withdraw(amount: 10))
  print(outcome)  // vetoed(OpenAccount: the account is empty)

  // A transaction commits all of its actions together, or none of them.
  try await store.transaction { transaction in
    try transaction.run(Deposit(amount: 100))
    try transaction.run(Withdraw(amount: 30))
  }.get()

  try await store.dispatch(AddInterest { 10 }).get()
  print(await store.state.balance)  // 77
}
