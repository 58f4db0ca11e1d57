import ActorStore

struct Account: Equatable, Sendable {
  var balance = 0
}

struct Overdrawn: Error, Equatable {
  let missing: Int
}

/// Synchronous and infallible: edits the state in place, however large it is.
struct Deposit: Mutation {
  let amount: Int
  func run(_ account: inout Account) { account.balance += amount }
}

/// Can fail: works on a draft, and when it throws nothing has happened.
struct Withdraw: Mutation {
  let amount: Int
  func run(_ account: inout Account) throws(Overdrawn) -> Int {
    account.balance -= amount
    if account.balance < 0 { throw Overdrawn(missing: -account.balance) }
    return account.balance
  }
}

/// Asynchronous: nothing else changes the state from its start to its commit, and nobody sees its draft.
struct AddInterest: Action {
  let rate: @Sendable () async -> Int
  func run(_ account: inout Account) async { account.balance += account.balance * (await rate()) / 100 }
}

func quickStart() async throws {
  let store = Store(Account(), name: "account")

  await store.dispatch(Deposit(amount: 100))  // no `try`: it cannot fail
  await store.dispatch(AddInterest { 5 })
  await store.dispatch { $0.balance -= 5 }  // a closure is an action too

  do {
    try await store.dispatch(Withdraw(amount: 500))
  } catch {
    print("missing \(error.missing)")  // `error` is an Overdrawn
  }

  // The action's errors are thrown. The store's decision is returned.
  let outcome = try await store.dispatch(Withdraw(amount: 30))
  print(outcome)  // committed(70)

  // Where every other decision is an error too, `get()` throws it.
  let balance = try await store.dispatch(Deposit(amount: 0), returning: { $0.balance }).get()
  print(balance)  // 70

  // A value of exactly the state this action left, whatever comes after.
  let doubled = await store.dispatch(Deposit(amount: 0), returning: { $0.balance * 2 })
  print(doubled)  // committed(140)

  // From any synchronous code, in the order of the calls.
  let ticket = store.send(Deposit(amount: 1))
  print(await ticket.outcome.isCommitted)  // true

  print(await store.state.balance)  // 71
  store.close()
}
