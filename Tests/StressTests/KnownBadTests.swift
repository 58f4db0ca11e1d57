import ActorStoreTesting
import Testing

/// Stores that are known to be wrong: the workloads that this library's store passes find each of them.
///
/// If one of these is not found any more, the green tests beside them mean nothing.
@Suite struct KnownBadTests {
  private static let plain = Workload(tasks: 3, dispatches: 2)
  private static let withPriorities = Workload(tasks: 4, dispatches: 2, hasPriorities: true)
  private static let withCancellation = Workload(tasks: 4, dispatches: 2, cancelled: 2)

  private func violation(_ failure: Simulation.Failure) -> WitnessedHistory<Int>.Violation? {
    failure.error as? WitnessedHistory<Int>.Violation
  }

  private var isDisorder: (WitnessedHistory<Int>.Violation?) -> Bool {
    {
      switch $0 {
      case .outOfOrder, .overtaken: true
      default: false
      }
    }
  }

  @Test func lostUpdateByReentrancy() throws {
    let violation = violation(try failure(within: 20) { try await Self.plain.run(on: ReentrantStore.self) })
    guard case .lost? = violation else {
      Issue.record("\(String(describing: violation))")
      return
    }
  }

  @Test func bargingAfterRelease() throws {
    #expect(isDisorder(violation(try failure(within: 100) { try await Self.plain.run(on: BargingStore.self) })))
  }

  @Test func lostWakeUp() throws {
    #expect(try failure(within: 100) { try await Self.plain.run(on: LostWakeUpStore.self) }.verdict == .deadlock)
  }

  @Test func checkThenPark() throws {
    // With two dispatches nobody can be overtaken, which would be noticed first.
    let failure = try failure(within: 100) {
      try await Workload(tasks: 2, dispatches: 1).run(on: CheckThenParkStore.self)
    }
    #expect(failure.verdict == .deadlock)
  }

  @Test func crossStoreDeadlock() throws {
    let failure = try failure(within: 20) { try await CrossingWorkload().run(on: FairStore.self) }
    #expect(failure.verdict == .deadlock)
  }

  @Test func crossStoreDeadlockWithOneSideLate() throws {
    let failure = try failure(within: 500) { try await CrossingWorkload(lateness: 12).run(on: FairStore.self) }
    #expect(failure.verdict == .deadlock)
  }

  /// Seen by its cause: others are let in first, as often as chance likes.
  @Test func starvation() throws {
    #expect(isDisorder(violation(try failure(within: 100) { try await Self.plain.run(on: StarvingStore.self) })))
  }

  @Test func notifyOutsideTheTurn() throws {
    let violation = violation(try failure(within: 100) { try await Self.plain.run(on: LateNotifyingStore.self) })
    guard case .wentBack? = violation else {
      Issue.record("\(String(describing: violation))")
      return
    }
  }

  @Test func forgetACancelledWaiter() throws {
    let failure = try failure(within: 200) { try await Self.withCancellation.run(on: ForgetfulStore.self) }
    #expect(failure.verdict == .deadlock)
  }

  @Test func resumeTwice() throws {
    // Two at once: one of them writes over what the other wrote.
    let violation = violation(
      try failure(within: 2_000) { try await Self.withCancellation.run(on: TwiceResumingStore.self) })
    guard case .lost? = violation else {
      Issue.record("\(String(describing: violation))")
      return
    }
  }

  @Test func orderByPriority() throws {
    #expect(
      isDisorder(violation(try failure(within: 100) { try await Self.withPriorities.run(on: PriorityStore.self) })))
  }

  /// What deadlocks the fair store is deferred here, and runs.
  @Test(arguments: [0, 12]) func thisStoreCrossesAnother(lateness: Int) throws {
    try Simulation.explore(schedules: Scale.schedules(1_000)) {
      try await CrossingWorkload(lateness: lateness).run(on: ActorStoreSubject<ByCaller>.self)
    }
  }

  /// The workloads do not fail for their own sake.
  @Test func aFairStorePasses() throws {
    for workload in [Self.plain, Self.withPriorities] {
      try Simulation.explore(schedules: 500) { try await workload.run(on: FairStore.self) }
    }
    for workload in [Self.plain, Self.withPriorities, Self.withCancellation] {
      try Simulation.explore(schedules: 500) { try await workload.run(on: ActorStoreSubject<ByCaller>.self) }
    }
  }
}
