import ActorStoreTesting
import Testing

/// Many schedules of many dispatches with everything at once (P1 to P9); the checkers judge every run.
@Suite struct ScheduleTests {
  private static let everything = Workload(
    tasks: 8, dispatches: 4, isVaried: true, hasPriorities: true, cancelled: 2, nestedEvery: 3)

  @Test func atRandom() throws {
    try explore(.random(seed: 0), schedules: 2_000)
  }

  /// The observers are told by one guard, while another refuses some of the actions.
  @Test func atRandomWithGuards() throws {
    try explore(.random(seed: 1), schedules: 1_000, ActorStoreSubject<ByGuard>.self)
  }

  @Test(arguments: 1...3) func byPriority(depth: Int) throws {
    try explore(.pct(depth: depth, seed: 0), schedules: depth == 1 ? 668 : 666)
  }

  private func explore(
    _ strategy: Simulation.Strategy,
    schedules: Int,
    _ subject: (some Subject).Type = ActorStoreSubject<ByCaller>.self
  ) throws {
    let result = try Simulation.explore(strategy, schedules: Scale.schedules(schedules)) {
      try await Self.everything.run(on: subject)
    }
    print("\(strategy): \(result)")
  }
}
