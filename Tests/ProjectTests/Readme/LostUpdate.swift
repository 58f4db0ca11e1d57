import ActorStore
import ActorStoreTesting
import Testing

/// An actor that loses an update, and the report of the schedule that shows it.
struct LostUpdateInActor {
  actor Account {
    private(set) var balance = 0
    private let journal: Journal

    init(journal: Journal) { self.journal = journal }

    func deposit(_ amount: Int) async {
      let newBalance = balance + amount
      await journal.record(newBalance)  // Another deposit can run here.
      balance = newBalance  // This line overwrites its result.
    }
  }

  actor Journal {
    private var balances: [Int] = []

    func record(_ balance: Int) { balances.append(balance) }
  }

  func depositsAddUp() throws {
    try Simulation.explore {
      let account = Account(journal: Journal())
      await withTaskGroup { group in
        group.addTask(name: "Ann") {
          Simulation.note("deposits 10")
          await account.deposit(10)
        }
        group.addTask(name: "Bob") {
          Simulation.note("deposits 20")
          await account.deposit(20)
        }
      }
      let balance = await account.balance
      try Simulation.expect(balance == 30, "deposited 10 and 20, but the balance is \(balance)")
    }
  }
}

/// The same account as a store.
struct NoLostUpdateInStore {
  typealias Journal = LostUpdateInActor.Journal

  struct Account: Sendable {
    var balance = 0
  }

  struct Deposit: Action {
    let amount: Int
    let journal: Journal

    func run(_ account: inout Account) async {
      let newBalance = account.balance + amount
      await journal.record(newBalance)  // No other action of this store runs here.
      account.balance = newBalance
    }
  }

  /// Runs the example, and returns the balance.
  func deposit(journal: Journal) async -> Int {
    let account = Store(Account())
    await account.dispatch(Deposit(amount: 10, journal: journal))
    return await account.state.balance
  }

  /// Explores every schedule of the actor's example.
  func depositsAddUp() throws -> Simulation.Exploration {
    try Simulation.explore(.exhaustive()) {
      let (account, journal) = (Store(Account(), name: "account"), Journal())
      await withTaskGroup { group in
        group.addTask(name: "Ann") { _ = await account.dispatch(Deposit(amount: 10, journal: journal)) }
        group.addTask(name: "Bob") { _ = await account.dispatch(Deposit(amount: 20, journal: journal)) }
      }
      let balance = await account.state.balance
      try Simulation.expect(balance == 30, "deposited 10 and 20, but the balance is \(balance)")
    }
  }
}
