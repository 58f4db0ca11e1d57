import ActorStoreTesting
import TestSize
import Testing

/// Explores every schedule of a few commits with watchers, and many schedules of more commits (P11 to P14).
@Suite struct WatchingTests {
  @Test(arguments: [Watcher.Kind.all, .newest, .filtered]) func everyScheduleOfThreeCommits(kind: Watcher.Kind) throws {
    try expectSound(
      "3 commits", WatchingWorkload(committers: 1, commits: 3, watchers: [kind]),
      maxPreemptions: TestSize.length(3, short: 1))
  }

  @Test func everyScheduleOfTwoCommitters() throws {
    try expectSound(
      "2 x 1 commits", WatchingWorkload(commits: 1, watchers: [.filtered]), maxPreemptions: TestSize.length(3, short: 1)
    )
  }

  @Test func everyScheduleOfACancellation() throws {
    try expectSound(
      "a cancellation", WatchingWorkload(committers: 1, commits: 1, watchers: [], cancels: true),
      maxPreemptions: TestSize.isFull ? nil : 3)
  }

  @Test func everyScheduleOfAClose() throws {
    try expectSound(
      "a close", WatchingWorkload(committers: 1, commits: 1, watchers: [.filtered], closesEarly: true),
      maxPreemptions: TestSize.length(4, short: 2))
  }

  @Test func everyScheduleWithAtMostTwoPreemptions() throws {
    let bound = TestSize.length(2, short: 1)
    try expectSound("2 commits", WatchingWorkload(committers: 1, watchers: [.all, .newest]), maxPreemptions: bound)
    try expectSound(
      "a watcher and a canceled one", WatchingWorkload(committers: 1, commits: 1, watchers: [.all], cancels: true),
      maxPreemptions: bound)
  }

  @Test func everyScheduleOfACancellationAndAClose() throws {
    try expectSound(
      "a cancellation and a close",
      WatchingWorkload(committers: 1, commits: 1, watchers: [.newest], cancels: true, closesEarly: true),
      maxPreemptions: TestSize.factor > 1 ? 2 : 1)
  }

  private func expectSound(_ name: String, _ workload: WatchingWorkload, maxPreemptions: Int? = nil) throws {
    let result = try Simulation.explore(.exhaustive(maxPreemptions: maxPreemptions), schedules: 10_000_000) {
      try await workload.run(on: WatchedActorStore.self)
    }
    let bound = maxPreemptions.map { ", at most \($0) preemption\($0 == 1 ? "" : "s")" } ?? ""
    let watchers = workload.watchers.map { "\($0)" }.joined(separator: ", ")
    print("exhaustive, watching \(watchers), \(name)\(bound): \(result)")
    #expect(result.isComplete)
  }

  @Test func p18_everyScheduleOfTransitions() throws {
    let workloads = [
      WatchingWorkload(committers: 1, commits: 2, watchers: [.all]),
      WatchingWorkload(committers: 1, commits: 1, watchers: [.all], cancels: true),
      WatchingWorkload(committers: 1, commits: 1, watchers: [.newest], closesEarly: true),
    ]
    for workload in workloads {
      let result = try Simulation.explore(
        .exhaustive(maxPreemptions: TestSize.length(2, short: 1)), schedules: 10_000_000
      ) {
        try await workload.run(on: TransitionsActorStore.self)
      }
      #expect(result.isComplete)
    }
  }

  @Test func p18_randomSchedulesOfTransitions() throws {
    try Simulation.explore(.random(seed: 0), schedules: TestSize.count(1_000)) {
      try await Self.everything.run(on: TransitionsActorStore.self)
    }
  }

  private static let everything = WatchingWorkload(
    committers: 4, commits: 4, watchers: [.all, .all, .newest, .newest, .filtered, .filtered], cancels: true)

  @Test func randomSchedules() throws {
    try explore(.random(seed: 0), schedules: TestSize.count(2_000))
  }

  @Test(arguments: 1...3) func pctSchedules(depth: Int) throws {
    try explore(.pct(depth: depth, seed: 0), schedules: TestSize.count(666))
  }

  private func explore(_ strategy: Simulation.Strategy, schedules: Int) throws {
    let result = try Simulation.explore(strategy, schedules: schedules) {
      try await Self.everything.run(on: WatchedActorStore.self)
    }
    print("\(strategy): \(result)")
  }
}
