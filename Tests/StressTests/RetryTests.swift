import ActorStoreTesting
import TestSize
import Testing

/// Actions that fail, are retried by middleware, are refused, and are canceled, under many schedules (P20).
@Suite struct RetryTests {
  private static let everything = RetryWorkload(hasFollowUps: true, cancels: true)

  @Test func p20_randomSchedules() throws {
    for workload in [RetryWorkload(), RetryWorkload(hasFollowUps: true), RetryWorkload(cancels: true), Self.everything]
    {
      try Simulation.explore(.random(seed: 0), schedules: TestSize.count(1_000)) {
        try await workload.run(on: RetryingActorStore.self)
      }
    }
  }

  @Test func p20_pctSchedules() throws {
    try Simulation.explore(.pct(depth: 2, seed: 0), schedules: TestSize.count(1_000)) {
      try await Self.everything.run(on: RetryingActorStore.self)
    }
  }
}

/// Stores that are known to retry incorrectly.
///
/// The workload that the library's store passes must find the flaw of each one.
@Suite struct KnownBadRetryTests {
  private func finding<Flaw: RetryFlaw>(in _: Flaw.Type, _ workload: RetryWorkload) throws -> String {
    let failure = try failure(within: 100) { try await workload.run(on: FlawedRetries<Flaw>.self) }
    return failure.error.map { "\($0)" } ?? "\(failure.verdict)"
  }

  @Test func p20_aVetoAfterTheAction() throws {
    #expect(try finding(in: VetoingLate.self, RetryWorkload()).contains("instead of"))
  }

  @Test func p20_aLostRestoreBeforeARetry() throws {
    #expect(try finding(in: LosingRestore.self, RetryWorkload()).contains("instead of"))
  }

  @Test func p20_aRetryThatIgnoresCancellation() throws {
    let workload = RetryWorkload(cancels: true)
    #expect(try finding(in: IgnoringCancellation.self, workload).contains("after the cancellation"))
  }

  @Test func p20_actionsOfAFailedAttempt() throws {
    #expect(try finding(in: KeepingFollowUps.self, RetryWorkload(hasFollowUps: true)).contains("instead of"))
  }

  /// Without the parts that find it, each flaw goes unnoticed, so the parts are necessary.
  @Test func p20_theWorkloadPassesAStoreWhoseFlawItDoesNotExercise() throws {
    try Simulation.explore(.random(seed: 0), schedules: 100) {
      try await RetryWorkload().run(on: FlawedRetries<KeepingFollowUps>.self)
      try await RetryWorkload().run(on: FlawedRetries<IgnoringCancellation>.self)
    }
  }
}
