import ActorStore

// These two types stand in for those of a web framework.

struct Response: Equatable {
  let status: Int
  var body = ""
}

struct EventStream: Sendable {
  let write: @Sendable (String) async throws -> Void

  func send(_ event: String) async throws { try await write(event) }
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

/// Handles `GET /account/balance` by sending the balance until the client disconnects or the store is closed.
func follow(_ account: Store<Account>, _ client: EventStream) async throws {
  for await balance in account.select(\.balance).values(bufferingPolicy: .bufferingNewest(1)) {
    try await client.send("\(balance)")
  }
}

/// Shuts down by refusing new withdrawals with 503 and waiting for the accepted ones to finish.
func shutDown(_ account: Store<Account>) async throws {
  if let rest = try await account.closeAndDrain(within: .seconds(10)) { print("still running: \(rest)") }
}
