import ActorStoreTesting
import TestSize
import Testing

/// The default strategy finds the flaw of each known-bad program with almost every seed.
@Suite struct KnownBadStrategyTests {
  typealias Body = @Sendable () async throws -> Void

  private static let plain = Workload(tasks: 3, dispatches: 2)
  private static let withCancellation = Workload(tasks: 4, dispatches: 2, cancelled: 2)

  private static func closing(_ kind: Watcher.Kind) -> WatchingWorkload {
    WatchingWorkload(committers: 1, commits: 1, watchers: [kind], closesEarly: true)
  }

  static let programs: [String: Body] = [
    "alternation": { try await AlternatingWorkload().run() },
    "barging": { try await plain.run(on: BargingStore.self) },
    "check, then park": { try await Workload(tasks: 2, dispatches: 1).run(on: CheckThenParkStore.self) },
    "clinging": { try await WatchingWorkload(watchers: [], cancels: true).run(on: ClingingStore.self) },
    "crossing": { try await CrossingWorkload().run(on: FairStore.self) },
    "crossing, late": { try await CrossingWorkload(lateness: 12).run(on: FairStore.self) },
    "forgetful": { try await withCancellation.run(on: ForgetfulStore.self) },
    "forgetting": { try await WatchingWorkload(watchers: [.all], cancels: true).run(on: ForgettingStore.self) },
    "hasty, all": { try await closing(.all).run(on: HastyStore.self) },
    "hasty, filtered": { try await closing(.filtered).run(on: HastyStore.self) },
    "hasty, newest": { try await closing(.newest).run(on: HastyStore.self) },
    "late notification": { try await plain.run(on: LateNotifyingStore.self) },
    "late registration": { try await WatchingWorkload(watchers: [.all]).run(on: LateRegistrationStore.self) },
    "late replacement": { try await WatchingWorkload(watchers: [.all, .all]).run(on: LateReplacingStore.self) },
    "live state": { try await WatchingWorkload(watchers: [.filtered]).run(on: LiveStateStore.self) },
    "lost update": { try await plain.run(on: ReentrantStore.self) },
    "lost wake-up": { try await plain.run(on: LostWakeUpStore.self) },
    "priority": { try await Workload(tasks: 4, dispatches: 2, hasPriorities: true).run(on: PriorityStore.self) },
    "starvation": { try await plain.run(on: StarvingStore.self) },
    "two resumes": { try await withCancellation.run(on: TwiceResumingStore.self) },
  ]

  /// One of a hundred seeds may need more than 300 schedules.
  @Test(arguments: programs.keys.sorted()) func findsTheFlaw(of program: String) throws {
    let body = try #require(Self.programs[program])
    let seeds = TestSize.count(200, few: 4)
    let missed = (0..<seeds).count { seed in
      let strategy = Simulation.Strategy.mixed(seed: UInt64(seed) * 1_000_003)
      return (try? Simulation.explore(strategy, schedules: 300, maxSteps: 5_000, body: body)) != nil
    }
    #expect(missed <= seeds / 100)
  }
}
