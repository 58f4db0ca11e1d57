import ActorStore

struct Account: Equatable, Sendable {
  var balance = 0
}

/// A synchronous action that cannot fail, so the store edits the state in place.
struct Deposit: Mutation {
  let amount: Int

  func run(_ account: inout Account) { account.balance += amount }
}

struct Overdrawn: Error, Equatable {
  let missing: Int
}

/// A synchronous action that can fail, in which case the state remains unchanged.
struct Withdraw: Mutation {
  let amount: Int

  func run(_ account: inout Account) throws(Overdrawn) -> Int {
    account.balance -= amount
    if account.balance < 0 { throw Overdrawn(missing: -account.balance) }
    return account.balance
  }
}

func quickStart() async throws {
  let store = Store(Account(), name: "account")

  await store.dispatch(Deposit(amount: 100))  // This action cannot fail, so there is no `try`.
  await store.dispatch { $0.balance -= 5 }  // A closure is an action, too.

  do {
    try await store.dispatch(Withdraw(amount: 500))
  } catch {
    print("missing \(error.missing)")  // missing 405 (`error` is an `Overdrawn`)
  }

  // `dispatch` throws the action's error and returns the store's decision.
  let outcome = try await store.dispatch(Withdraw(amount: 30))
  print(outcome)  // committed(65)

  // `get()` throws an error for every outcome except `committed`.
  let balance = try await store.dispatch(Deposit(amount: 5), returning: { $0.balance }).get()
  print(balance)  // 70

  // Synchronous code sends actions. They run in call order, too.
  let ticket = store.send(Deposit(amount: 1))
  print(await ticket.outcome.isCommitted)  // true

  print(await store.state.balance)  // 71
  store.close()
}
