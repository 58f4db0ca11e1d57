import ActorStore
import Synchronization

/// The examples in the article "Waiting inside an action".
struct WaitingInsideAnAction {
  struct Shelf: Sendable {
    var isLoading = false
    var books: [String] = []
  }

  struct Load: Action {
    func run(_ shelf: inout Shelf) async { shelf.books.append("Emma") }
  }

  struct Account: Sendable {
    var balance = 0
  }

  struct Deposit: Mutation {
    let amount: Int

    func run(_ account: inout Account) { account.balance += amount }
  }

  struct ReleaseLock: Mutation {
    func run(_ shelf: inout Shelf) { shelf.isLoading = false }
  }

  /// Holds a continuation until it is resumed.
  final class Waiter: Sendable {
    private let continuation = Mutex<CheckedContinuation<Void, Never>?>(nil)

    func wait(_ waiting: CheckedContinuation<Void, Never>) { continuation.withLock { $0 = waiting } }
    func resume() { continuation.withLock { $0.take() }?.resume() }
  }

  /// Keeps the output of the tests short.
  private func print(_ text: some Any) {}

  func sameStore() async throws -> [String] {
    let store = Store(Shelf(), name: "shelf")
    await loadLater(store)
    await store.dispatch { shelf async in await Load().run(&shelf) }
    cleanUp(store)
    return await store.state.books
  }

  func loadLater(_ store: Store<Shelf>) async {
    await store.dispatch { shelf async in
      shelf.isLoading = true
      let outcome = await store.dispatch(Load())
      print(outcome)  // deferred: `Load` runs after this action.
    }
  }

  func cleanUp(_ store: Store<Shelf>) {
    defer { store.send(ReleaseLock()) }
    print("working")
  }

  /// Moves an amount, or throws and moves nothing.
  func transfer(_ amount: Int, from source: Store<Account>, to target: Store<Account>) async throws {
    try await source.dispatch { account async throws in
      account.balance -= amount
      try await target.dispatch(Deposit(amount: amount)).get()  // The last step.
    }.get()
  }

  /// The same without `get()`, which loses the amount if the deposit is not committed.
  func carelessTransfer(_ amount: Int, from source: Store<Account>, to target: Store<Account>) async throws {
    try await source.dispatch { account async in
      account.balance -= amount
      await target.dispatch(Deposit(amount: amount))
    }.get()
  }

  // MARK: Deadlocks

  func detachedTask() async {
    let store = Store(Shelf(), name: "shelf")
    await store.dispatch { shelf async in
      await Task.detached { await store.dispatch(Load()) }.value
    }
  }

  func unrelatedTask() async {
    let store = Store(Shelf(), name: "shelf")
    let loading = Task.inheritingExecutor { await store.dispatch(Load()) }
    await store.dispatch { shelf async in await loading.value }
  }

  func continuation() async {
    let (store, waiter) = (Store(Shelf(), name: "shelf"), Waiter())
    await withTaskGroup { group in
      group.addTask {
        // In one task:
        await store.dispatch { shelf async in
          await withCheckedContinuation { waiter.wait($0) }
        }
      }
      group.addTask {
        // In another task:
        await store.dispatch { _ in waiter.resume() }
      }
    }
  }

  func onlyStreams() async {
    await onlyStreams(Store(Account(), name: "checking"), Store(Account(), name: "savings"))
  }

  func onlyStreams(_ checking: Store<Account>, _ savings: Store<Account>) async {
    async let there = checking.dispatch { account async in
      for await _ in savings.states.dropFirst() { break }
    }
    async let back = savings.dispatch { account async in
      for await _ in checking.states.dropFirst() { break }
    }
    _ = await (there, back)
  }
}
