import ActorStore
import ActorStoreTesting
import Testing

@testable import Atoms

/// A state of a store, parts of which are atoms.
struct Wallet: Sendable, Equatable {
  var cents = 0
  var count = 0
}

struct Add: Mutation {
  let cents: Int

  func run(_ wallet: inout Wallet) {
    wallet.cents += cents
    wallet.count += 1
  }
}

/// How an exploration of many schedules fails, or `nil` if no schedule fails.
func verdict(_ body: @escaping @Sendable () async throws -> Void) -> Simulation.Verdict? {
  do {
    try Simulation.explore(schedules: 200, body: body)
    return nil
  } catch {
    return error.verdict
  }
}
