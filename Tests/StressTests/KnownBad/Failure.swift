import ActorStoreTesting
import Testing

/// Runs a workload under a limited number of schedules, and returns its first failure.
func failure(
  within budget: Int,
  _ body: @escaping @Sendable () async throws -> Void
) throws -> Simulation.Failure {
  let failure = try #require(throws: Simulation.Failure.self) {
    try Simulation.explore(.mixed(seed: 0), schedules: budget, maxSteps: 5_000, body: body)
  }
  print(
    "\(Test.current?.name ?? "") found after \(failure.schedulesRun) schedules: \(failure.description.prefix { $0 != "\n" })"
  )
  return failure
}
