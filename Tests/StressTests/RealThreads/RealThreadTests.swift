import ActorStore
import TestSize
import Testing

/// Runs the workloads of the simulated schedules on real threads.
///
/// With sanitizers, these tests find faults that no simulated schedule shows.
@Suite(.serialized) struct RealThreadTests {
  private static let everything = Workload(
    tasks: 8, dispatches: 4, isVaried: true, hasPriorities: true, cancelled: 2, nestedEvery: 3)

  @Test func actions() async throws {
    for seed in 0..<rounds {
      try await RandomThreads.run(seed: seed) {
        try await Self.everything.run(on: ActorStoreSubject<ByCaller>.self)
        try await Self.everything.run(on: ActorStoreSubject<ByGuard>.self)
      }
    }
  }

  @Test func storesThatDispatchToEachOther() async throws {
    for seed in 0..<rounds {
      try await RandomThreads.run(seed: seed) {
        for lateness in [0, 3] {
          try await CrossingWorkload(lateness: lateness).run(on: ActorStoreSubject<ByCaller>.self)
        }
      }
    }
  }

  @Test func watchers() async throws {
    for seed in 0..<rounds {
      try await RandomThreads.run(seed: seed) {
        try await WatchingWorkload(committers: 4, commits: 8, watchers: [.all, .newest, .filtered], cancels: true)
          .run(on: WatchedActorStore.self)
        try await WatchingWorkload(committers: 4, commits: 8, closesEarly: true).run(on: WatchedActorStore.self)
      }
    }
  }

  /// Tasks of an action make calls while their action, or an attempt of it, ends.
  @Test func callsThatRaceWithTheEndOfTheirOwner() async throws {
    for seed in 0..<rounds {
      try await RandomThreads.run(seed: seed) {
        let store = Store(Numbers(), middleware: [RetryOnce()], onUnhandledFailure: { _ in })
        await withTaskGroup { group in
          for task in 0..<4 {
            group.addTask {
              for number in 0..<100 {
                let end = CallingAction.End.allCases[(task + number) % CallingAction.End.allCases.count]
                _ = try? await store.dispatch(CallingAction(store: store, end: end))
              }
            }
          }
        }
        try await store.closeAndDrain()
        #expect(store.diagnostics.isIdle)
      }
    }
  }

  private struct Failed: Error {}

  /// Starts a task that dispatches to the same store, and ends without waiting for it.
  private struct CallingAction: Action {
    enum End: CaseIterable { case returns, failsOnce, fails }

    let store: Store<Numbers>
    let end: End

    func run(_ numbers: inout Numbers) async throws(Failed) {
      numbers.counts[0] += 1
      _ = Task { await store.dispatch { $0.counts[1] += 1 } }
      if end == .fails || end == .failsOnce && numbers.counts[0].isMultiple(of: 2) { throw Failed() }
    }
  }

  private struct RetryOnce: Middleware {
    typealias State = Numbers

    func run<A: Action<Numbers>>(
      _ action: A,
      on numbers: inout Numbers,
      next: inout Next<A>
    ) async throws(Stop<A.Failure>) -> A.Output {
      do throws(Stop<A.Failure>) {
        return try await next(action, &numbers)
      } catch {
        return try await next(action, &numbers)
      }
    }
  }

  @Test func p20_retries() async throws {
    for seed in 0..<rounds {
      try await RandomThreads.run(seed: seed) {
        for _ in 0..<4 {
          try await RetryWorkload(hasFollowUps: true, cancels: true).run(on: RetryingActorStore.self)
        }
      }
    }
  }

  /// Streams of values, an observer, and waits for a state run concurrently.
  @Test func followers() async throws {
    for seed in 0..<rounds {
      try await RandomThreads.run(seed: seed) {
        let store = Store(Numbers())
        let observer = Observer()
        await observer.observe(store)
        await withTaskGroup { group in
          for task in 0..<4 {
            group.addTask { for _ in 0..<16 { await store.dispatch { $0.counts[task] += 1 } } }
            group.addTask { for await count in store.select(\.counts[task]).values where count == 16 { break } }
            group.addTask { _ = try? await store.select().first { $0.counts[task] > 8 } }
          }
        }
        await observer.token?.cancel()
        store.close()
        for await _ in store.states {}
      }
    }
  }

  private struct Numbers: Sendable {
    var counts = [0, 0, 0, 0]
  }

  private actor Observer {
    private(set) var token: ObservationToken?
    private var last = 0

    func observe(_ store: Store<Numbers>) {
      token = store.select().observe(self) { observer, numbers in observer.last = numbers.counts.reduce(0, +) }
    }
  }

  private var rounds: UInt64 { UInt64(TestSize.count(60, few: 15)) }
}
