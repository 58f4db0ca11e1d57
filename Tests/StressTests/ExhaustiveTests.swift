import ActorStoreTesting
import Testing

/// Every schedule of a few dispatches (P1 to P9); prints how many there are.
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

  static let sizes = [Size(tasks: 2, dispatches: 1), Size(tasks: 2, dispatches: 2), Size(tasks: 3, dispatches: 1)]
  static let extras = [
    Extra(description: "one cancellation") { $0.cancelled = 1 },
    Extra(description: "one nested dispatch") { $0.nestedEvery = 10 },
    Extra(description: "one close") { $0.closes = true },
  ]

  @Test(arguments: sizes) func dispatches(_ size: Size) throws {
    try expectSound(Workload(tasks: size.tasks, dispatches: size.dispatches), maxPreemptions: nil, "\(size)")
  }

  @Test(arguments: sizes, extras) func dispatches(_ size: Size, with extra: Extra) throws {
    var workload = Workload(tasks: size.tasks, dispatches: size.dispatches)
    extra.add(&workload)
    let isSmall = size.tasks == 2 && size.dispatches == 1
    try expectSound(workload, maxPreemptions: isSmall ? nil : 2, "\(size) with \(extra)")
  }

  private func expectSound(_ workload: Workload, maxPreemptions: Int?, _ name: String) throws {
    let result = try Simulation.explore(.exhaustive(maxPreemptions: maxPreemptions), schedules: 10_000_000) {
      try await workload.run(on: ActorStoreSubject.self)
    }
    let bound = maxPreemptions.map { ", at most \($0) preemptions" } ?? ""
    print("exhaustive, \(name)\(bound): \(result)")
    #expect(result.isComplete)
  }
}
