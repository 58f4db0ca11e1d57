import ActorStore
import Dispatch

// These two types stand in for those of a web framework.

struct Response: Equatable {
  let status: Int
  var body = ""
}

struct EventStream: Sendable {
  let write: @Sendable (String) async throws -> Void
  /// Ends when the client disconnects.
  let connection: AsyncStream<Never>

  func send(_ event: String) async throws { try await write(event) }
  func closed() async { for await _ in connection {} }
}

/// Handles `POST /account/withdrawals`.
func withdraw(_ amount: Int, from account: Store<Account>) async -> Response {
  do {
    switch try await account.dispatch(Withdraw(amount: amount)) {
    case .committed(let balance): return Response(status: 200, body: "\(balance)")
    case .vetoed(let veto): return Response(status: 403, body: veto.reason)
    case .cancelled: return Response(status: 499)  // The client disconnected before the withdrawal began.
    case .closed: return Response(status: 503)
    case .deferred: return Response(status: 202)  // Happens only inside an action, to avoid a deadlock.
    }
  } catch {
    return Response(status: 409, body: "missing \(error.missing)")
  }
}

/// Handles `GET /account/balance` by sending the balance until the client disconnects, the server shuts down, or the
/// store is closed.
func follow(
  _ account: Store<Account>, _ client: EventStream, until shutdown: @escaping @Sendable () async -> Void
) async throws {
  try await withThrowingTaskGroup { group in
    group.addTask {
      for await balance in account.select(\.balance).values(bufferingPolicy: .bufferingNewest(1)) {
        try await client.send("\(balance)")
      }
    }
    group.addTask { await client.closed() }
    group.addTask { await shutdown() }
    try await group.next()
    group.cancelAll()
  }
}

/// Runs the actions of its stores in their own queue.
final class StoreExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "stores")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// Returns the balance that remains of an account that has its own executor.
func withdrawWithExecutor(_ amount: Int) async -> Int {
  let account = Store(Account(balance: 10), executor: StoreExecutor())
  _ = await withdraw(amount, from: account)
  return await account.state.balance
}

/// Shuts down by refusing new withdrawals with 503 and waiting for the accepted ones to finish.
func shutDown(_ account: Store<Account>) async throws {
  if let rest = try await account.closeAndDrain(within: .seconds(10)) { print("still running: \(rest)") }
}

/// Shuts down all accounts and two other stores within ten seconds.
func shutDown(_ accounts: [Store<Account>], _ rates: Store<[String: Double]>, _ news: Store<[String]>) async throws {
  async let rest = Store.closeAndDrain(accounts, within: .seconds(10))
  async let others = Store.closeAndDrain(rates, news, within: .seconds(10))
  for store in try await rest + others { print("still running: \(store)") }
}
