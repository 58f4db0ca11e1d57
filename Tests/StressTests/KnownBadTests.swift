import ActorStoreTesting
import TestSize
import Testing

/// Stores that are known to be incorrect.
///
/// The workloads that the library's store passes must find the flaw of each one. If they miss a flaw, the passing tests
/// next to these mean nothing.
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
    // With more dispatches, one could overtake another, and the check would report that first.
    let failure = try failure(within: 100) {
      try await Workload(tasks: 2, dispatches: 1).run(on: CheckThenParkStore.self)
    }
    #expect(failure.verdict == .deadlock)
  }

  @Test func crossStoreDeadlock() throws {
    let failure = try failure(within: 20) { try await CrossingWorkload().run(on: FairStore.self) }
    #expect(failure.verdict == .deadlock)
  }

  @Test func crossStoreDeadlockWithALateTask() throws {
    let failure = try failure(within: 500) { try await CrossingWorkload(lateness: 12).run(on: FairStore.self) }
    #expect(failure.verdict == .deadlock)
  }

  /// The check finds the cause of starvation, which is that later callers enter first.
  @Test func starvation() throws {
    #expect(isDisorder(violation(try failure(within: 100) { try await Self.plain.run(on: StarvingStore.self) })))
  }

  /// Random choices with equal chances miss it in half of the runs.
  @Test func starvationWhileOthersAlternate() throws {
    let failure = try failure(within: 300) { try await AlternatingWorkload().run() }
    #expect(failure.error is Simulation.ExpectationFailed)
  }

  @Test func notificationOutsideTheTurn() throws {
    let violation = violation(try failure(within: 100) { try await Self.plain.run(on: LateNotifyingStore.self) })
    guard case .wentBack? = violation else {
      Issue.record("\(String(describing: violation))")
      return
    }
  }

  @Test func handOffToACanceledWaiter() throws {
    let failure = try failure(within: 200) { try await Self.withCancellation.run(on: ForgetfulStore.self) }
    #expect(failure.verdict == .deadlock)
  }

  @Test func doubleResume() throws {
    // Two actions run at once, and one overwrites the update of the other.
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

  /// The library's store defers the dispatches that deadlock `FairStore`, and runs them later.
  @Test(arguments: [0, 12]) func libraryStoresDispatchToEachOther(lateness: Int) throws {
    try Simulation.explore(schedules: TestSize.count(1_000)) {
      try await CrossingWorkload(lateness: lateness).run(on: ActorStoreSubject<ByCaller>.self)
    }
  }

  /// The workloads find no failure in a correct store.
  @Test func correctStoresPass() throws {
    let schedules = TestSize.length(500, short: 100)
    for workload in [Self.plain, Self.withPriorities] {
      try Simulation.explore(schedules: schedules) { try await workload.run(on: FairStore.self) }
    }
    for workload in [Self.plain, Self.withPriorities, Self.withCancellation] {
      try Simulation.explore(schedules: schedules) { try await workload.run(on: ActorStoreSubject<ByCaller>.self) }
    }
  }
}
