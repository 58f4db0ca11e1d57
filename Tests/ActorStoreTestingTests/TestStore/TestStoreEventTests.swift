import ActorStore
import ActorStoreTesting
import Testing

/// Vetoes, failures, transactions, and groups, which a test must receive.
@Suite struct TestStoreEventTests {
  /// Adds two items, and throws in between if `isBroken` is true.
  private struct Refill: ActionGroup {
    var isBroken = false

    func run(with store: Store<Cart>) async throws(Declined) {
      await store.dispatch(Add(item: "a"))
      if isBroken { throw Declined(code: 7) }
      await store.dispatch(Add(item: "b"))
    }
  }

  /// Runs until its store is closed.
  private struct Watch: ActionGroup {
    func run(with store: Store<Cart>) async {
      for await _ in store.states {}
    }
  }

  private enum Flaw: Error, Equatable {
    case small, large
  }

  // MARK: Vetoes

  @Test func vetoesAreReceived() async throws {
    let store = TestStore(Cart(), guards: [NoMilk()])
    store.send(Add(item: "milk"))
    await store.receive(Add.self, is: .vetoed)
    store.send(Add(item: "milk"))
    await store.receive(Add.self, is: .vetoedFor("no milk"))
    await store.dispatch(Add(item: "milk"), is: .vetoed)
    try await store.finish()
  }

  @Test func unassertedVeto() async {
    let found = await issues {
      let store = TestStore(Cart(), guards: [NoMilk()])
      store.send(Add(item: "milk"))
      store.send(Add(item: "milk"))
      store.send(Add(item: "milk"))
      store.send(Add(item: "tea"))
      await store.receive(Add.self)
      await store.receive(Add.self, is: .vetoedFor("no tea"))
      try await store.finish()
    }
    #expect(
      found.map(\.text).prefix(3) == [
        #"Add(item: "milk") was vetoed (NoMilk: no milk), and was not committed."#,
        #"Add(item: "milk") was vetoed (NoMilk: no milk), and was not vetoed for "no tea"."#,
        #"Add(item: "milk") was vetoed (NoMilk: no milk), but was not asserted."#,
      ])
    #expect(found.count == 4)
  }

  /// A transaction counts as one action, regardless of the outcomes of its members.
  @Test func transactions() async throws {
    let store = TestStore(Cart(), guards: [NoMilk()])
    try await store.store.transaction(label: "breakfast") { transaction in
      try await transaction.run(Add(item: "tea"))
      try await transaction.run(Add(item: "milk"))
    }
    await store.receive(label: "breakfast", is: .vetoedFor("no milk"))
    _ = await store.store.transaction(label: "second try") { transaction in
      _ = try? await transaction.run(Add(item: "milk"))
      _ = try? await transaction.run(Pay(amount: -1))
      _ = try? await transaction.run(Add(item: "tea"))
    }
    await store.receive(label: "second try") { $0.items = ["tea"] }
    _ = try? await store.store.transaction(label: "third") { (_) throws(Flaw) in throw Flaw.large }
    await store.receive(label: "third", throws: Flaw.large)
    try await store.finish()
  }

  @Test func failuresOfClosures() async throws {
    let store = TestStore(Cart())
    store.store.send(label: "flawed") { (_) throws(Flaw) in throw Flaw.small }
    await store.receive(label: "flawed", throws: Flaw.small)
    try await store.finish()
    let found = await issues {
      let store = TestStore(Cart())
      store.store.send(label: "flawed") { (_) throws(Flaw) in throw Flaw.small }
      await store.receive(label: "flawed", throws: Flaw.large)
      try await store.finish()
    }
    #expect(found.map(\.text) == ["flawed threw a different error (- expected, + thrown):\n- .large\n+ .small"])
  }

  // MARK: Groups

  @Test func sentGroups() async throws {
    let store = TestStore(Cart())
    store.send(Refill(isBroken: true))
    await store.receive(Add.self) { $0.items = ["a"] }
    await store.receive(Refill.self, throws: Declined(code: 7))
    let ticket = store.send(Refill())
    await store.receive(Add.self) { $0.items.append("a") }
    await store.receive(Add.self) { $0.items.append("b") }
    #expect(try await ticket.outcome.isCommitted)
    try await store.finish()
  }

  /// `finish` waits for a running group, and the test must assert the group's remaining actions.
  @Test func finishWaitsForGroups() throws {
    let failure = #expect(throws: Simulation.Failure.self) {
      try Simulation.explore(schedules: 50) {
        let store = TestStore(Cart())
        store.store.send(Refill())
        await store.receive(Add.self) { $0.items = ["a"] }
        try await store.finish()
      }
    }
    #expect(failure?.error.map { "\($0)" }?.contains(#"Add(item: "b") was committed, but was not asserted"#) == true)
  }

  @Test func groupThatDoesNotEnd() throws {
    struct Sleep: ActionGroup {
      let clock: any Clock<Duration>
      func run(with store: Store<Cart>) async { try? await clock.sleep(for: .seconds(1_000)) }
    }
    let failure = #expect(throws: Simulation.Failure.self) {
      try Simulation.explore(schedules: 10) {
        let store = TestStore(Cart())
        store.send(Sleep(clock: SimulationClock()))
        try await store.finish(within: .seconds(60))
      }
    }
    let start = "Something is still running at the end of the test: "
    let message = failure?.error.map { "\($0)" } ?? ""
    #expect(message.hasPrefix(start) && message.contains("running groups (1): Sleep"), "\(message)")
  }

  @Test func groupThatEndsWithItsStore() throws {
    try Simulation.explore(schedules: 50) {
      let store = TestStore(Cart())
      store.send(Watch())
      try await store.finish()
      let other = TestStore(Cart())
      other.send(Watch()).cancel()
      try await other.finish()
    }
  }

  /// During `finish`, the store refuses the same calls of a running action as during a shutdown.
  @Test func finishRefusesNewActions() throws {
    struct Chain: Action {
      let store: Store<Cart>
      func run(_ cart: inout Cart) async {
        cart.items = ["first"]
        await store.dispatch(Add(item: "second"))
        store.send(Refill())
        store.send(Add(item: "third"))
      }
    }
    let failure = #expect(throws: Simulation.Failure.self) {
      try Simulation.explore(schedules: 100) {
        let store = TestStore(Cart())
        store.send(Chain(store: store.store))
        try await store.finish()
      }
    }
    let error = failure?.error as? TestStoreFailure
    #expect(error?.messages.contains { $0.contains("Refill") && $0.contains("closed") } == true)
    #expect(error?.messages.contains { $0.contains("Add") && $0.contains("closed") } == true)
    let state = Witness<Int>()
    #expect(throws: Never.self) {
      try Simulation.explore(schedules: 100) {
        let store = TestStore(Cart(), exhaustivity: .off)
        store.send(Chain(store: store.store))
        try await store.finish()
        state.saw(await store.state.items.count)
      }
    }
    // The store is closed before, between, or after the calls of the action.
    #expect(state.all.contains(1) && state.all.allSatisfy { (1...5).contains($0) })
  }

  /// `finish` also waits for a group that another task dispatches.
  @Test func dispatchedGroupThatDoesNotEnd() throws {
    struct Wait: ActionGroup {
      let begun: AsyncStream<Void>.Continuation
      let clock: any Clock<Duration>

      func run(with store: Store<Cart>) async {
        begun.yield()
        try? await clock.sleep(for: .seconds(1_000))
      }
    }
    let failure = #expect(throws: Simulation.Failure.self) {
      try Simulation.explore(schedules: 10) {
        let store = TestStore(Cart())
        let (gate, open) = AsyncStream<Void>.makeStream()
        Simulation.task { [store] in _ = await store.store.dispatch(Wait(begun: open, clock: SimulationClock())) }
        for await _ in gate { break }
        try await store.finish(within: .seconds(60))
      }
    }
    #expect(failure?.error.map { "\($0)" }?.contains("running groups (1): Wait") == true)
  }

  // MARK: Outcomes

  @Test func canceledAndDeferred() async throws {
    struct Inside: Action {
      let store: TestStore<Cart>
      func run(_ cart: inout Cart) async {
        await store.dispatch(Add(item: "later"), is: .deferred)
        cart.items = ["now"]
      }
    }
    let store = TestStore(Cart())
    await store.dispatch(Inside(store: store)) { $0.items = ["now"] }
    await store.receive(Add.self) { $0.items = ["now", "later"] }
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      await store.dispatch(Add(item: "never"), is: .cancelled)
    }
    task.cancel()
    await task.value
    try await store.finish()
  }

  // MARK: Deadlines

  /// A clock whose sleeps end immediately.
  private struct NoTime: Clock {
    typealias Instant = ContinuousClock.Instant

    var now: Instant { ContinuousClock().now }
    var minimumResolution: Duration { .zero }
    func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
  }

  /// A test store uses the given clock, even outside a simulation.
  @Test func usesTheGivenClock() async {
    let found = await issues {
      let store = TestStore(Cart(), clock: NoTime(), patience: .seconds(3_600))
      await store.receive(Add.self)
      let gate = AsyncStream<Void>.makeStream()
      store.store.send(label: "stuck") { _ async in for await _ in gate.stream {} }
      try await store.finish()
      gate.continuation.finish()
    }
    #expect(found.count == 2)
    #expect(found.first?.text.hasPrefix("Add was not received. The store: ") == true)
    #expect(found.last?.text.contains("stuck has the turn") == true)
  }

  /// An event that has already occurred counts, even if the deadline has passed.
  @Test func earlierEventsAreInTime() async throws {
    let store = TestStore(Cart(), clock: NoTime())
    for _ in 0..<100 {
      await store.store.dispatch(Add(item: "tea"))
      await store.receive(Add.self) { $0.items.append("tea") }
    }
  }

  // MARK: A dispatch's own action among others

  /// A dispatch asserts its own action, not the nested actions of the same type.
  ///
  /// Actions of the same type can be nested in an overlapping action, and they end before it.
  @Test func ownActionAmongNestedActions() throws {
    struct Nested: Action {
      let depth: Int
      let store: Store<Cart>
      func run(_ cart: inout Cart) async {
        if depth > 0 { await store.dispatch(Nested(depth: depth - 1, store: store), policy: .overlapping) }
        cart.items = ["depth \(depth)"]
      }
    }
    try Simulation.explore(schedules: 100) {
      let store = TestStore(Cart())
      await store.dispatch(Nested(depth: 2, store: store.store), policy: .overlapping) { $0.items = ["depth 2"] }
      await store.receive(Nested.self) { $0.items = ["depth 0"] }
      await store.receive(Nested.self) { $0.items = ["depth 1"] }
      try await store.finish()
    }
  }

  /// A dispatch asserts its own action, not an action of the same type that another task dispatches.
  @Test func ownActionAmongActionsOfAnotherTask() throws {
    try Simulation.explore(schedules: 200) {
      let store = TestStore(Cart())
      async let theirs = store.store.dispatch(Add(item: "theirs"))
      await store.dispatch(Add(item: "mine")) { $0.items.append("mine") }
      _ = await theirs
      await store.receive(Add.self) { $0.items.append("theirs") }
      try await store.finish()
    }
  }

  // MARK: Simulations

  /// A failure fails the run, even if the test does not call `finish` or ignores the error.
  @Test func failuresAreNotLostInASimulation() {
    let failures = [
      #expect(throws: Simulation.Failure.self) {
        try Simulation.explore(schedules: 5) {
          let store = TestStore(Cart())
          await store.dispatch(Add(item: "tea")) { $0.items = ["milk"] }
        }
      },
      #expect(throws: Simulation.Failure.self) {
        try Simulation.explore(schedules: 5) {
          let store = TestStore(Cart())
          await store.store.dispatch(Add(item: "tea"))
        }
      },
      #expect(throws: Simulation.Failure.self) {
        try Simulation.explore(schedules: 5) {
          _ = try? await expectEqual(Store(1), 2, within: .seconds(1))
        }
      },
    ]
    let texts = failures.map { $0?.error.map { "\($0)" } ?? "" }
    #expect(texts[0].contains("did not change the state as stated"))
    #expect(texts[1].contains("was not asserted"))
    #expect(texts[2].contains("Expected a value equal to 2"))
  }

  @Test func canceledTest() throws {
    let failure = #expect(throws: Simulation.Failure.self) {
      try Simulation.explore(schedules: 5) {
        let store = TestStore(Cart())
        let test = Simulation.task { await store.receive(Add.self) }
        test.cancel()
        await test.value
        try await store.finish()
      }
    }
    #expect(failure?.error.map { "\($0)" }?.contains("Add was not received before the test was canceled") == true)
  }
}
