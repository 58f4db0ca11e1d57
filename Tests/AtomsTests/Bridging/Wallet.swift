import ActorStore
import ActorStoreTesting
import Testing

@testable import Atoms

/// The state of a store, some parts of which are atoms.
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

/// The failure of an exploration of many schedules, or `nil` if no schedule fails.
func verdict(_ body: @escaping @Sendable () async throws -> Void) -> Simulation.Verdict? {
  do {
    try Simulation.explore(schedules: 200, body: body)
    return nil
  } catch {
    return error.verdict
  }
}
