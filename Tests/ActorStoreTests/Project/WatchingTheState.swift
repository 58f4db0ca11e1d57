import ActorStore

func watchingTheState() async {
  let store = Store(Account(balance: 1))

  // Every state its filter accepts, from the current one on.
  let states = store.states(shouldUpdate: { previous, new in previous?.balance != new.balance })

  // A selected value, without repeats; of those it is too slow for, the newest.
  let balances = store.values(of: \.balance, bufferingPolicy: .bufferingNewest(1))

  await store.dispatch(Deposit(amount: 2))
  store.close()

  for await account in states { print(account.balance) }  // 1, 3
  for await balance in balances { print(balance) }  // 3
}
