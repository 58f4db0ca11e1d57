import ActorStore
import ActorStoreTesting
import Atoms
import Testing

/// The examples in the article "Atoms beside a store of actions".
@Suite struct AtomsBesideAStoreTests {
  struct Account: Sendable, Equatable {
    var balance = 0
    var price = 10
    var rate = 1
  }

  private let account = Store(Account())

  @Test func readingInAnAction() async {
    let account = account
    await AtomStore().callAsCurrent { () async -> Void in
      let balance = account.select(\.balance).atom
      await account.dispatch { account in
        account.balance += 10
        print(account.balance, balance.value)  // 10 0
      }
      print(balance.value)  // 10
      #expect(balance.value == 10)
      let seen = await account.dispatch { account in
        account.balance += 10
        return [account.balance, balance.value]
      }
      #expect(seen.output == [20, 10])
    }
  }

  @Test func derivingFromBoth() async {
    let account = account
    await AtomStore().callAsCurrent { () async -> Void in
      let factor = Atom(2)
      let price = account.select(\.price).atom
      let shown = DerivedAtom { price.value * factor.value }
      #expect(shown.value == 20)
      factor.value = 3
      #expect(shown.value == 30)
      await account.dispatch { $0.price = 1 }
      #expect(shown.value == 3)
    }
  }

  @Test func settingAndDispatching() async {
    let account = account
    await AtomStore().callAsCurrent { () async -> Void in
      let balance = account.select(\.balance).atom { $0.balance = $1 }
      balance.value = 5  // sends an action
      await account.dispatch { $0.balance += 1 }  // runs after it
      print(balance.value)  // 6
      #expect(balance.value == 6)
    }
  }

  @Test func aRunThatCapturesRunsOnce() throws {
    try Simulation.explore(schedules: 50) {
      let (atoms, account) = (AtomStore(), Store(Account()))
      let balance = account.select(\.balance).atom
      let interest = Self.makeInterest(for: account)
      await account.dispatch { $0.balance = 500 }
      let part = try await atoms.result(of: interest)
      try Simulation.expect(part == 5 && atoms.get(balance) == 505, "\(part), \(atoms.get(balance))")
    }
  }

  static func makeInterest(for account: Store<Account>) -> AsyncAtom<Int> {
    let balance = account.select(\.balance).atom
    let interest = AsyncAtom {
      @CaptureAtomValue(balance) var before
      let part = before / 100
      try await account.dispatch { $0.balance += part }.get()
      return part
    }
    return interest
  }

  // MARK: Deadlocks

  static func setRate(of account: Store<Account>, to rate: AsyncAtom<Int>) async throws {
    let newRate = try await rate.result
    await account.dispatch { $0.rate = newRate }
  }

  static func makeRate(for account: Store<Account>) -> AsyncAtom<Int> {
    AsyncAtom(keepAlive: true) {
      await account.dispatch { $0.price += 1 }
      return 7
    }
  }

  @Test func anActionThatAwaitsARunDeadlocks() {
    let failure = #expect(throws: Simulation.Failure.self) {
      try Simulation.explore(schedules: 200) {
        let (atoms, account) = (AtomStore(), Store(Account()))
        let rate = Self.makeRate(for: account)
        await withTaskGroup { group in
          group.addTask { _ = atoms.get(rate) }
          group.addTask {
            await atoms.callAsCurrent { () async -> Void in
              await account.dispatch { account async in
                account.rate = (try? await rate.result) ?? 0
              }
            }
          }
        }
      }
    }
    #expect(failure?.verdict == .deadlock)
  }

  @Test func awaitingTheRunFirstDoesNotDeadlock() throws {
    try Simulation.explore(schedules: 200) {
      let (atoms, account) = (AtomStore(), Store(Account()))
      let rate = Self.makeRate(for: account)
      try await withThrowingTaskGroup { group in
        group.addTask { _ = atoms.get(rate) }
        group.addTask {
          try await atoms.callAsCurrent { () async throws -> Void in
            try await Self.setRate(of: account, to: rate)
          }
        }
        try await group.waitForAll()
      }
      let last = await account.state
      try Simulation.expect(last == Account(price: 11, rate: 7), "\(last)")
    }
  }
}
