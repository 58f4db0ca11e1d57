import ActorStoreTesting
import TestSize
import Testing

/// Stores that are known to deliver incorrect states to their subscribers.
///
/// The workload that the library's store passes must find the flaw of each one.
@Suite struct KnownBadFanoutTests {
  /// Runs a workload until it fails, and describes the failure.
  private func finding<S: WatchedSubject>(
    in _: S.Type,
    _ workload: WatchingWorkload = WatchingWorkload(),
    within budget: Int = 200
  ) throws -> String {
    let failure = try failure(within: budget) { try await workload.run(on: S.self) }
    return failure.error.map { "\($0)" } ?? "\(failure.verdict)"
  }

  @Test func deliversAStateThatTheFilterDidNotAccept() throws {
    #expect(try finding(in: LiveStateStore.self, WatchingWorkload(watchers: [.filtered])).contains("accepted"))
  }

  @Test func missesACommitBeforeTheRegistration() throws {
    let workload = WatchingWorkload(watchers: [.all])
    let finding = try finding(in: LateRegistrationStore.self, workload)
    #expect(finding.contains("gap") || finding.contains("last state is missing"))
  }

  @Test func keepsACanceledSubscriber() throws {
    let workload = WatchingWorkload(watchers: [], cancels: true)
    #expect(try finding(in: ClingingStore.self, workload).contains("called after"))
  }

  @Test(arguments: [Watcher.Kind.all, .newest, .filtered]) func losesTheLastStateAtClose(_ kind: Watcher.Kind) throws {
    // The commit and the close race.
    let workload = WatchingWorkload(committers: 1, commits: 1, watchers: [kind], closesEarly: true)
    #expect(try finding(in: HastyStore.self, workload).contains("last state is missing"))
  }

  @Test func p18_startsWithAStateThatIsReplacedAfterTheCommit() throws {
    let workload = WatchingWorkload(watchers: [.all, .all])
    #expect(try finding(in: LateReplacingStore.self, workload).contains("-1"))
  }

  @Test func p18_forgetsTheNewestStateWhileAnotherWatcherHasJoined() throws {
    let workload = WatchingWorkload(watchers: [.all], cancels: true)
    let finding = try finding(in: ForgettingStore.self, workload)
    #expect(finding.contains("gap") || finding.contains("last state is missing"))
  }

  /// The workloads find no failure in a correct store.
  @Test func correctStoresPass() throws {
    let schedules = TestSize.length(500, short: 100)
    for workload in [WatchingWorkload(), WatchingWorkload(cancels: true), WatchingWorkload(closesEarly: true)] {
      try Simulation.explore(schedules: schedules) { try await workload.run(on: FairFanoutStore.self) }
      try Simulation.explore(schedules: schedules) { try await workload.run(on: WatchedActorStore.self) }
      try Simulation.explore(schedules: schedules) { try await workload.run(on: FairKeepingStore.self) }
      try Simulation.explore(schedules: schedules) { try await workload.run(on: TransitionsActorStore.self) }
    }
  }
}
