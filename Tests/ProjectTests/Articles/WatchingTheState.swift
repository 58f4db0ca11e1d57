import ActorStore

/// Keeps the output of the tests short.
private func print(_ balance: Int) {}

func watchingTheState() async {
  let store = Store(Account(balance: 1))

  // Every state, beginning with the current one.
  let states = store.states

  // A selected value, without repeats. A slow consumer gets only the newest value.
  let balances = store.select(\.balance).values(bufferingPolicy: .bufferingNewest(1))

  // The states that this subscriber's filter accepts. `previous` is the last state that it accepted.
  let steps = store.states(shouldUpdate: { previous, new in new.balance >= (previous?.balance ?? 0) + 10 })

  await store.dispatch(Deposit(amount: 2))
  await store.dispatch(Deposit(amount: 8))
  store.close()

  for await account in states { print(account.balance) }  // 1, 3, 11
  for await balance in balances { print(balance) }  // 11
  for await account in steps { print(account.balance) }  // 11
}
