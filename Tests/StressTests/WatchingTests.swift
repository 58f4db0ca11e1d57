import ActorStoreTesting
import Testing

/// Watching under every schedule of a few commits, and under many of more (P11 to P14).
@Suite struct WatchingTests {
  struct Case: Sendable, CustomStringConvertible {
    let description: String
    let workload: WatchingWorkload
    let maxPreemptions: Int?
  }

  static let small = [
    Case(
      description: "one watcher of all, 2 commits",
      workload: WatchingWorkload(committers: 1, watchers: [.all]), maxPreemptions: nil),
    Case(
      description: "one filter, 2 commits",
      workload: WatchingWorkload(committers: 1, watchers: [.filtered]), maxPreemptions: nil),
    Case(
      description: "one cancelled, a commit before and one after",
      workload: WatchingWorkload(committers: 1, commits: 1, watchers: [], cancels: true), maxPreemptions: nil),
    Case(
      description: "one close, one commit, one filter",
      workload: WatchingWorkload(committers: 1, commits: 1, watchers: [.filtered], closesEarly: true),
      maxPreemptions: nil),
    Case(
      description: "three watchers, 2 x 1 commits",
      workload: WatchingWorkload(commits: 1), maxPreemptions: 1),
    Case(
      description: "two watchers, one cancelled, one close, 2 x 1 commits",
      workload: WatchingWorkload(commits: 1, watchers: [.all, .newest], cancels: true, closesEarly: true),
      maxPreemptions: 1),
  ]

  @Test(arguments: small) func everySchedule(of small: Case) throws {
    let workload = small.workload
    let strategy = Simulation.Strategy.exhaustive(maxPreemptions: small.maxPreemptions)
    let result = try Simulation.explore(strategy, schedules: 10_000_000) {
      try await workload.run(on: WatchedActorStore.self)
    }
    let bound = small.maxPreemptions.map { ", at most \($0) preemptions" } ?? ""
    print("exhaustive, \(small)\(bound): \(result)")
    #expect(result.isComplete)
  }

  private static let everything = WatchingWorkload(
    committers: 4, commits: 4, watchers: [.all, .all, .newest, .newest, .filtered, .filtered], cancels: true)

  @Test func atRandom() throws {
    try explore(.random(seed: 0), schedules: 2_000)
  }

  @Test(arguments: 1...3) func byPriority(depth: Int) throws {
    try explore(.pct(depth: depth, seed: 0), schedules: 666)
  }

  private func explore(_ strategy: Simulation.Strategy, schedules: Int) throws {
    let result = try Simulation.explore(strategy, schedules: Scale.schedules(schedules)) {
      try await Self.everything.run(on: WatchedActorStore.self)
    }
    print("\(strategy): \(result)")
  }
}
