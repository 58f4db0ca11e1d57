import ActorStoreTesting
import Testing

/// Stores that are known to tell their subscribers something wrong: the workload that this library's store passes finds
/// each of them.
@Suite struct KnownBadFanoutTests {
  /// What was wrong with what somebody saw.
  private func finding<S: WatchedSubject>(
    in _: S.Type,
    _ workload: WatchingWorkload = WatchingWorkload(),
    within budget: Int = 200
  ) throws -> String {
    let failure = try failure(within: budget) { try await workload.run(on: S.self) }
    return failure.error.map { "\($0)" } ?? "\(failure.verdict)"
  }

  @Test func aStateTheFilterDidNotSee() throws {
    #expect(try finding(in: LiveStateStore.self, WatchingWorkload(watchers: [.filtered])).contains("accepted"))
  }

  @Test func aCommitBetweenTheFirstStateAndTheRegistration() throws {
    let workload = WatchingWorkload(watchers: [.all])
    let finding = try finding(in: LateRegistrationStore.self, workload)
    #expect(finding.contains("gap") || finding.contains("last is missing"))
  }

  @Test func aCancelledSubscriberIsKept() throws {
    let workload = WatchingWorkload(watchers: [], cancels: true)
    #expect(try finding(in: ClingingStore.self, workload).contains("asked after"))
  }

  @Test(arguments: [Watcher.Kind.all, .newest, .filtered]) func theLastStateIsLostAtTheEnd(_ kind: Watcher.Kind) throws
  {
    // The commit and the close are as early as each other.
    let workload = WatchingWorkload(committers: 1, commits: 1, watchers: [kind], closesEarly: true)
    #expect(try finding(in: HastyStore.self, workload).contains("last is missing"))
  }

  /// The workloads do not fail for their own sake.
  @Test func aFairStorePasses() throws {
    for workload in [WatchingWorkload(), WatchingWorkload(cancels: true), WatchingWorkload(closesEarly: true)] {
      try Simulation.explore(schedules: 500) { try await workload.run(on: FairFanoutStore.self) }
      try Simulation.explore(schedules: 500) { try await workload.run(on: WatchedActorStore.self) }
    }
  }
}
