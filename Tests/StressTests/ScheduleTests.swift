import ActorStoreTesting
import TestSize
import Testing

/// Explores many schedules of many different dispatches, and checks every run (P1 to P9).
@Suite struct ScheduleTests {
  private static let everything = Workload(
    tasks: 8, dispatches: 4, isVaried: true, hasPriorities: true, cancelled: 2, nestedEvery: 3)

  @Test func randomSchedules() throws {
    try explore(.random(seed: 0), schedules: TestSize.count(2_000))
  }

  /// One guard notifies the observers, and another vetoes some of the actions.
  @Test func randomSchedulesWithGuards() throws {
    try explore(.random(seed: 1), schedules: TestSize.count(1_000), ActorStoreSubject<ByGuard>.self)
  }

  @Test(arguments: 1...3) func pctSchedules(depth: Int) throws {
    try explore(.pct(depth: depth, seed: 0), schedules: TestSize.count(depth == 1 ? 668 : 666))
  }

  private func explore(
    _ strategy: Simulation.Strategy,
    schedules: Int,
    _ subject: (some Subject).Type = ActorStoreSubject<ByCaller>.self
  ) throws {
    let result = try Simulation.explore(strategy, schedules: schedules) {
      try await Self.everything.run(on: subject)
    }
    print("\(strategy): \(result)")
  }
}
