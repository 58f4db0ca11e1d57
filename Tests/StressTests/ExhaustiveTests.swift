import ActorStoreTesting
import TestSize
import Testing

/// Explores every schedule of a few dispatches, and prints the number of schedules (P1 to P9).
@Suite struct ExhaustiveTests {
  struct Size: Sendable, CustomStringConvertible {
    let tasks: Int
    let dispatches: Int
    var description: String { "\(tasks) x \(dispatches)" }
  }

  struct Extra: Sendable, CustomStringConvertible {
    let description: String
    let add: @Sendable (inout Workload) -> Void
  }

  static let small = [Size(tasks: 2, dispatches: 1), Size(tasks: 2, dispatches: 2), Size(tasks: 3, dispatches: 1)]
  static let larger = [Size(tasks: 3, dispatches: 2), Size(tasks: 4, dispatches: 1)]
  static let extras = [
    Extra(description: "no extras") { _ in },
    Extra(description: "varied actions") { $0.isVaried = true },
    Extra(description: "one cancellation") { $0.cancelled = 1 },
    Extra(description: "one nested dispatch") { $0.nestedEvery = 10 },
    Extra(description: "one close") { $0.closes = true },
  ]

  @Test(arguments: small) func everySchedule(of size: Size) throws {
    try expectSound(size, Self.extras[0])
  }

  @Test(arguments: extras.dropFirst()) func everyScheduleOfTwoDispatches(with extra: Extra) throws {
    try expectSound(Self.small[0], extra)
  }

  /// Allows one preemption if the tests do not have their full size.
  @Test(arguments: small.dropFirst(), extras.dropFirst())
  func everyScheduleOfThreeOrFourDispatches(of size: Size, with extra: Extra) throws {
    try expectSound(size, extra, maxPreemptions: TestSize.isFull ? nil : 1)
  }

  /// Allows one preemption, or two if `ACTORSTORE_STRESS` scales the tests up.
  ///
  /// Most bugs need two preemptions or fewer.
  @Test(.largeSearch, arguments: larger, extras)
  func everyScheduleOfLargerWorkloads(of size: Size, with extra: Extra) throws {
    try expectSound(size, extra, maxPreemptions: TestSize.factor > 1 ? 2 : 1)
  }

  /// Expects that each schedule of a workload is sound.
  ///
  /// The tasks of the workload share only a store and a recorder of their calls.
  private func expectSound(_ size: Size, _ extra: Extra, maxPreemptions: Int? = nil) throws {
    var workload = Workload(tasks: size.tasks, dispatches: size.dispatches)
    extra.add(&workload)
    let sound = workload
    let strategy: Simulation.Strategy =
      maxPreemptions.map { .exhaustive(maxPreemptions: $0) } ?? .exhaustive(sharing: .storesAndAtoms)
    let result = try Simulation.explore(strategy, schedules: 10_000_000) {
      try await sound.run(on: ActorStoreSubject<ByCaller>.self)
    }
    let bound = maxPreemptions.map { ", at most \($0) preemption\($0 == 1 ? "" : "s")" } ?? ""
    print("exhaustive, \(size) with \(extra)\(bound): \(result)")
    #expect(result.isComplete)
  }
}
