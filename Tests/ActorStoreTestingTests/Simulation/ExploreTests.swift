import ActorStore
import ActorStoreTesting
import TestSize
import Testing

/// Explorations, their results, and the failures that they find.
@Suite struct ExploreTests {
  private static let losesAnUpdate: @Sendable () async throws -> Void = {
    let counter = ReentrantCounter()
    await withTaskGroup { group in for _ in 0..<3 { group.addTask { await counter.increment() } } }
    try Simulation.expect(await counter.value == 3, "lost an update")
  }

  private static let crossesLocks: @Sendable () async throws -> Void = {
    let (one, other) = (NaiveLock(), NaiveLock())
    @Sendable func takeBoth(_ first: NaiveLock, _ second: NaiveLock) async {
      await first.take()
      await Task.yield()
      await second.take()
      second.leave()
      first.leave()
    }
    await withTaskGroup { group in
      group.addTask { await takeBoth(one, other) }
      group.addTask { await takeBoth(other, one) }
    }
  }

  private static func incrementsOnce() async throws {
    let counter = ReentrantCounter()
    await counter.increment()
    try Simulation.expect(await counter.value == 1)
  }

  private static func cannotFail() async {}

  private static func isSynchronous() {}

  private struct Subject: Sendable {
    func run() async { await Task.yield() }
  }

  /// A function of any kind can be passed as the body.
  @Test func acceptsAFunctionAsTheBody() throws {
    try Simulation.explore(body: Self.incrementsOnce)
    try Simulation.explore(.exhaustive(), body: Self.cannotFail)
    try Simulation.explore(.fifo, body: Self.isSynchronous)
    try Simulation.explore(.random(seed: 1), schedules: 10, maxSteps: 100, body: Subject().run)
  }

  static let strategies: [Simulation.Strategy] = [
    .random(seed: 3), .pct(depth: 1, seed: 0), .pct(depth: 2, seed: 0), .mixed(seed: 7), .exhaustive(),
    .exhaustive(maxPreemptions: 2),
  ]

  @Test(arguments: strategies) func findsALostUpdate(_ strategy: Simulation.Strategy) throws {
    let failure = try #require(throws: Simulation.Failure.self) {
      try Simulation.explore(strategy, body: Self.losesAnUpdate)
    }
    #expect(failure.verdict == .finished)
    #expect((failure.error as? Simulation.ExpectationFailed)?.message == "lost an update")
  }

  @Test(arguments: strategies) func provesADeadlock(_ strategy: Simulation.Strategy) throws {
    let failure = try #require(throws: Simulation.Failure.self) {
      try Simulation.explore(strategy, body: Self.crossesLocks)
    }
    #expect(failure.verdict == .deadlock)
    #expect(failure.error == nil)
  }

  @Test(arguments: strategies) func failureIsReproducibleFromItsReport(_ strategy: Simulation.Strategy) throws {
    let first = try #require(throws: Simulation.Failure.self) {
      try Simulation.explore(strategy, body: Self.crossesLocks)
    }
    let replayed = try #require(throws: Simulation.Failure.self) {
      try Simulation.explore(.replay(first.schedule), body: Self.crossesLocks)
    }
    #expect(replayed.verdict == .deadlock)
    #expect(replayed.schedule == first.schedule)
    // The failure's own seed reproduces it in the first schedule after the one that measures the length.
    if case .exhaustive = strategy { return }
    let again = try #require(throws: Simulation.Failure.self) {
      try Simulation.explore(first.strategy, schedules: 1, body: Self.crossesLocks)
    }
    #expect(again.schedule == first.schedule)
  }

  @Test(arguments: strategies) func correctBodyPasses(_ strategy: Simulation.Strategy) throws {
    let result = try Simulation.explore(strategy, schedules: 200) {
      let store = Store(Account())
      await withTaskGroup { group in
        for _ in 0..<2 { group.addTask { await store.dispatch(Deposit()) } }
      }
      try Simulation.expect(await store.state.balance == 2)
    }
    #expect(result.schedules > 1)
    #expect(result.distinctSchedules > 1)
    #expect(result.steps > result.schedules)
  }

  @Test func searchSaysWhetherItIsComplete() throws {
    let body: @Sendable () async -> Void = {
      await withTaskGroup { group in for _ in 0..<3 { group.addTask { await Task.yield() } } }
    }
    let whole = try Simulation.explore(.exhaustive(), body: body)
    #expect(whole.isComplete)
    #expect(whole.distinctSchedules == whole.schedules)
    let part = try Simulation.explore(.exhaustive(), schedules: whole.schedules - 1, body: body)
    #expect(!part.isComplete)
    let bounded = try Simulation.explore(.exhaustive(maxPreemptions: 0), body: body)
    #expect(bounded.isComplete && bounded.schedules < whole.schedules)
  }

  @Test func endlessTaskReachesTheStepLimit() throws {
    let failure = try #require(throws: Simulation.Failure.self) {
      try Simulation.explore(.fifo, maxSteps: 50) { while true { await Task.yield() } }
    }
    #expect(failure.verdict == .stepLimit)
    #expect(failure.description.contains("maxSteps"))
  }

  /// At depth 1, priorities delay one task until the others end.
  ///
  /// Random choices do so with weights.
  @Test func delayedTaskIsFound() throws {
    let body: @Sendable () async throws -> Void = {
      let steps = Witness<Void>()
      let seen = Witness<Int>()
      await withTaskGroup { group in
        group.addTask { seen.saw(steps.all.count) }
        for _ in 0..<5 {
          group.addTask {
            for _ in 0..<10 {
              await Task.yield()
              steps.saw(())
            }
          }
        }
      }
      try Simulation.expect(seen.all != [50], "one task started last")
    }
    #expect(throws: Simulation.Failure.self) {
      try Simulation.explore(.random(seed: 0), schedules: 300, body: body)
    }
    #expect(throws: Simulation.Failure.self) {
      try Simulation.explore(.pct(depth: 1, seed: 0), schedules: 300, body: body)
    }
    #expect(throws: Simulation.Failure.self) { try Simulation.explore(schedules: 300, body: body) }
  }

  @Test func nondeterministicBodyIsDetected() throws {
    let runs = Witness<Void>()
    let failure = try #require(throws: Simulation.Failure.self) {
      try Simulation.explore {
        runs.saw(())
        if runs.all.count % 2 == 0 { await Task.yield() }
        await Task.yield()
      }
    }
    #expect(failure.error is Simulation.NotReproducible)
    #expect(failure.description.hasPrefix("The run failed: "))
    #expect(failure.description.contains("besides the schedule"))
  }

  @Test func scheduleOfAnotherBodyIsDetected() throws {
    for schedule in ["v1:9", "v1:0x50.1"] as [Simulation.Schedule] {
      let failure = try #require(throws: Simulation.Failure.self) {
        try Simulation.explore(.replay(schedule)) {
          await withTaskGroup { group in for _ in 0..<2 { group.addTask {} } }
        }
      }
      #expect(failure.error is Simulation.ScheduleDoesNotFit)
    }
  }

  /// An actor runs all its waiting tasks in one step, and each of them can pause within that step.
  @Test(arguments: strategies) func actorsThatDispatch(_ strategy: Simulation.Strategy) throws {
    try Simulation.explore(strategy, schedules: TestSize.count(3_000)) {
      let store = Store(Account())
      let clerk = Clerk(store: store)
      await withTaskGroup { group in
        for _ in 0..<3 { group.addTask { await clerk.deposit() } }
        for _ in 0..<3 {
          group.addTask { for _ in 0..<2 { await store.dispatch { $0.balance += 1 } } }
        }
      }
      try Simulation.expect(await store.state.balance == 12)
    }
  }

  /// Resuming a task that paused on an actor adds no job if the actor is going to run anyway.
  @Test(arguments: strategies) func actorsThatRead(_ strategy: Simulation.Strategy) throws {
    try Simulation.explore(strategy, schedules: TestSize.count(3_000)) {
      let store = Store(Account())
      let clerk = Clerk(store: store)
      await withTaskGroup { group in
        for _ in 0..<3 { group.addTask { for _ in 0..<2 { await clerk.look() } } }
        for _ in 0..<2 { group.addTask { for _ in 0..<3 { _ = await store.state } } }
      }
    }
  }

  private actor Clerk {
    let store: Store<Account>

    init(store: Store<Account>) {
      self.store = store
    }

    func look() async {
      for _ in 0..<2 { _ = await store.state }
    }

    func deposit() async {
      await store.dispatch { $0.balance += 1 }
      await store.dispatch { $0.balance += 1 }
    }
  }

  /// After an `await` on a store, other tasks can run before the next statement, even if the call did not wait.
  @Test func otherTasksCanRunAfterEveryAwaitOnAStore() throws {
    struct Refused: Error {}
    let uses: [@Sendable (Store<Account>) async -> Void] = [
      { await $0.dispatch(Deposit()) },
      { await $0.dispatch { $0.balance += 1 } },
      { _ = try? await $0.dispatch { _ in throw Refused() } },
      { _ = await $0.state },
      { _ = await $0.send(Deposit()).outcome },
      { _ = await $0.send { $0.balance += 1 }.outcome },
      { _ = try? await $0.send { _ in throw Refused() }.outcome },
    ]
    for use in uses {
      #expect(throws: Simulation.Failure.self) {
        try Simulation.explore(.exhaustive()) {
          let store = Store(Account())
          let order = Witness<Int>()
          await withTaskGroup { group in
            for task in 0..<2 {
              group.addTask {
                order.saw(task)
                await use(store)
                order.saw(task)
              }
            }
          }
          try Simulation.expect([[0, 0, 1, 1], [1, 1, 0, 0]].contains(order.all))
        }
      }
    }
  }

  /// A task that polls an actor eventually lets other tasks run.
  @Test(arguments: strategies) func pollingAnActor(_ strategy: Simulation.Strategy) throws {
    try Simulation.explore(strategy, schedules: 50, maxSteps: 10_000) {
      let counter = ReentrantCounter()
      await withTaskGroup { group in
        group.addTask {
          while await counter.value == 0 { await Task.yield() }
        }
        group.addTask { await counter.increment() }
      }
    }
  }

  @Test func sentActionThatWaitsForeverIsADeadlock() throws {
    let failure = try #require(throws: Simulation.Failure.self) {
      try Simulation.explore {
        let store = Store(Account())
        let loading = Simulation.task { _ = await store.dispatch(Deposit()) }
        store.send(Settle(loading: loading))
      }
    }
    #expect(failure.verdict == .deadlock)
    #expect(failure.description.contains("an action that the body sent has not ended"))
  }

  /// The search forces a switch after 200 consecutive steps of one task.
  ///
  /// It leaves longer sequences untried, so it is not complete. If the task yields, it uses fair yields instead.
  @Test func searchThatForcedASwitchIsNotComplete() throws {
    func search(steps: Int, _ step: @escaping @Sendable () async -> Void) throws -> Simulation.Exploration {
      try Simulation.explore(.exhaustive(maxPreemptions: 0), schedules: 100) {
        async let one: Void = { for _ in 0..<steps { await step() } }()
        async let other: Void = Simulation.point()
        _ = await (one, other)
      }
    }
    #expect(try search(steps: 150) { Simulation.point() }.isComplete)
    let long = try search(steps: 250) { Simulation.point() }
    #expect(!long.isComplete && !long.hasFairYields)
    #expect(long.schedules < 100)
    let fair = try search(steps: 250) { await Task.yield() }
    #expect(fair.isComplete && fair.hasFairYields)
  }

  @Test func stopsWhenTheTestIsCanceled() async throws {
    let result = try await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try Simulation.explore(.random(seed: 0)) { await Task.yield() }
    }.value
    #expect(result.schedules == 0)
  }

  @Test func invalidArgumentsAreRejected() async {
    await #expect(processExitsWith: .failure) { try Simulation.explore(schedules: 0) {} }
    await #expect(processExitsWith: .failure) { try Simulation.explore(maxSteps: 0) {} }
    await #expect(processExitsWith: .failure) { try Simulation.explore(.pct(depth: 0, seed: 0)) {} }
    await #expect(processExitsWith: .failure) { try Simulation.explore(.exhaustive(maxPreemptions: -1)) {} }
  }

  @Test func explorationsRunInParallel() async throws {
    try await withThrowingTaskGroup { group in
      for seed in 0..<6 as Range<UInt64> {
        group.addTask {
          let failure = #expect(throws: Simulation.Failure.self) {
            try Simulation.explore(.random(seed: seed), body: Self.crossesLocks)
          }
          let again = #expect(throws: Simulation.Failure.self) {
            try Simulation.explore(.random(seed: seed), body: Self.crossesLocks)
          }
          #expect(failure?.description == again?.description)
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func nestedSimulation() throws {
    try Simulation.explore(schedules: 3) {
      await Task.yield()
      let inner = try Simulation.explore(schedules: 10) { await Task.yield() }
      try Simulation.expect(inner.schedules == 11)
      await Task.yield()
      try Simulation.expect(Simulation.isRunning)
    }
    #expect(!Simulation.isRunning)
  }

  @TaskLocal private static var mark = 0

  @Test func bodyInheritsTheTaskLocalsOfTheCall() throws {
    try Self.$mark.withValue(5) {
      try Simulation.explore(schedules: 2) { try Simulation.expect(Self.mark == 5) }
    }
  }
}
