import ActorStore
import ActorStoreTesting
import Testing

/// A test store accepts the changes that a test states, and reports all others at the line of the call.
@Suite struct TestStoreTests {
  // MARK: Passing tests

  @Test func statedChangesPass() async throws {
    let store = TestStore(Cart(), guards: [NoMilk()])
    #expect(await store.dispatch(Add(item: "tea")) { $0.items = ["tea"] } == 1)
    await store.dispatch(Add(item: "milk"), is: .vetoed)
    await store.dispatch(Add(item: "milk"), is: .vetoedFor("no milk"))
    await store.dispatch(Pay(amount: 0), throws: Declined())
    try await store.dispatch(Pay(amount: 1)) { $0.isPaid = true }
    await store.dispatch(AddTwice(store: store.store)) { $0.items.append("first") }
    await store.receive(Add.self) { $0.items.append("second") }
    #expect(await store.dispatch(Restock()) == .committed(2))
    await store.receive(Add.self) { $0.items.append("a") }
    await store.receive(label: "closure") { $0.isPaid = false }
    store.send(Pay(amount: 0))
    await store.receive(Pay.self, throws: Declined())
    #expect(await store.state.items.count == 4)
    try await store.finish()
    await store.dispatch(Add(item: "late"), is: .closed)
  }

  /// A test store compares the state that the action left, regardless of later actions.
  @Test func concurrentActionsDoNotInterfere() async throws {
    let store = TestStore(Cart())
    async let others: Void = {
      for _ in 0..<100 { await store.store.dispatch { $0.isPaid.toggle() } }
    }()
    for number in 0..<100 {
      await store.dispatch(Add(item: "\(number)")) { $0.items.append("\(number)") }
    }
    await others
    for _ in 0..<100 { await store.receive(label: "closure") { $0.isPaid.toggle() } }
    try await store.finish()
  }

  /// A dispatch compares its own action, not a sent action of the same type.
  @Test func comparesItsOwnAction() async throws {
    let store = TestStore(Cart())
    store.send(Add(item: "theirs"))
    await store.dispatch(Add(item: "mine")) { $0.items.append("mine") }
    await store.receive(Add.self) { $0.items = ["theirs"] }
    try await store.finish()
  }

  /// If an action dispatches to another store, that store's test store must receive the nested action.
  @Test func twoStores() async throws {
    struct AddElsewhere: Action {
      let other: Store<Cart>
      func run(_ cart: inout Cart) async {
        await other.dispatch(Add(item: "there"))
        cart.items.append("here")
      }
    }
    let (one, other) = (TestStore(Cart()), TestStore(Cart()))
    await one.dispatch(AddElsewhere(other: other.store)) { $0.items = ["here"] }
    await other.dispatch(Add(item: "mine")) { $0.items.append("mine") }
    await other.receive(Add.self) { $0.items = ["there"] }
    try await one.finish()
    try await other.finish()
  }

  @Test func exhaustivityOff() async throws {
    let store = TestStore(Cart(), exhaustivity: .off)
    await store.dispatch(Add(item: "tea"))
    await store.dispatch(AddTwice(store: store.store)) { $0.isPaid = false }
    store.send(Pay(amount: 9))
    // The test store skips the deferred action before this one.
    await store.receive(Pay.self) { $0.isPaid = true }
    try await store.finish()
  }

  /// Any number of test stores can run in parallel.
  @Test(arguments: 0..<20) func inParallel(number: Int) async throws {
    let store = TestStore(Cart())
    await store.dispatch(Add(item: "\(number)")) { $0.items = ["\(number)"] }
    try await store.finish()
  }

  // MARK: Failing tests

  @Test func differentChange() async {
    let found = await issues {
      let store = TestStore(Cart())
      await store.dispatch(Add(item: "tea")) { $0.items = ["milk"] }
      try await store.finish()
    }
    #expect(found.map(\.line) == [#line - 3])
    #expect(
      found.first?.text == """
        Add(item: "tea") did not change the state as stated (- stated, + committed):
          Cart(
            items: [
        -     [0]: "milk"
        +     [0]: "tea"
            ],
            … (1 unchanged)
          )
        """)
  }

  @Test func unstatedChange() async {
    let found = await issues {
      let store = TestStore(Cart())
      await store.dispatch(Add(item: "tea"))
    }
    #expect(found.count == 1)
    #expect(found.first?.text.contains("did not change the state as stated") == true)
  }

  @Test func differentChangeWithExhaustivityOff() async {
    let found = await issues {
      let store = TestStore(Cart(), exhaustivity: .off)
      await store.dispatch(Add(item: "tea")) { $0.isPaid = true }
      try await store.finish()
    }
    #expect(found.map(\.line) == [#line - 3])
    #expect(found.first?.text.contains("-   isPaid: true\n+   isPaid: false") == true)
  }

  @Test func statementThatChangesNothing() async {
    let found = await issues {
      let store = TestStore(Cart(isPaid: true))
      try await store.dispatch(Pay(amount: 1)) { $0.isPaid = true }
    }
    #expect(found.map(\.text).first?.contains("changes nothing") == true)
  }

  @Test func differentOutcome() async {
    let found = await issues {
      let store = TestStore(Cart(), guards: [NoMilk()])
      let count = await store.dispatch(Add(item: "milk")) { $0.items = ["milk"] }
      #expect(count == nil)
      await store.dispatch(Add(item: "tea"), is: .vetoed)
      await store.dispatch(Add(item: "milk"), is: .vetoedFor("no tea"))
      try await store.finish()
    }
    #expect(
      found.map(\.text) == [
        #"Add(item: "milk") was vetoed (NoMilk: no milk), not committed."#,
        #"Add(item: "tea") was committed, not vetoed."#,
        #"Add(item: "milk") was vetoed (NoMilk: no milk), not vetoed for "no tea"."#,
      ])
  }

  @Test func differentFailure() async {
    let found = await issues {
      let store = TestStore(Cart(items: ["tea"]))
      await store.dispatch(Pay(amount: 0), throws: Declined(code: 5))
      await store.dispatch(Pay(amount: 1), throws: Declined(code: 5))
      try await store.finish()
    }
    #expect(found.count == 2)
    #expect(found.first?.text.contains("-   code: 5\n+   code: 0") == true)
    #expect(found.last?.text.contains("did not throw") == true)
  }

  @Test func unassertedActions() async {
    let found = await issues {
      let store = TestStore(Cart())
      store.send(Add(item: "tea"))
      store.send(Pay(amount: 0))
      try await store.finish()
    }
    #expect(found.map(\.line) == [#line - 2, #line - 2])
    #expect(found.first?.text.contains("was not asserted") == true)
    #expect(found.first?.text.contains(#"+     [0]: "tea""#) == true)
    #expect(found.last?.text.contains("threw Declined(code: 0)") == true)
  }

  /// An unasserted action is reported even if the test does not call `finish`.
  @Test func unassertedActionWithoutFinish() async {
    let found = await issues {
      let store = TestStore(Cart())
      _ = await store.send(Add(item: "tea")).outcome
    }
    #expect(found.count == 1)
  }

  @Test func differentActionCameNext() async {
    let found = await issues {
      let store = TestStore(Cart())
      store.send(Add(item: "tea"))
      await store.receive(Pay.self)
      try await store.finish()
    }
    #expect(found.map(\.text) == [#"Expected Pay next, but received Add(item: "tea")."#])
  }

  /// The clock is virtual, so the test does not wait in real time.
  @Test func missingAction() throws {
    let failure = #expect(throws: Simulation.Failure.self) {
      try Simulation.explore(schedules: 10) {
        let store = TestStore(Cart(), clock: SimulationClock())
        await store.receive(Add.self, within: .seconds(3_600))
        try await store.finish()
      }
    }
    #expect(failure?.description.contains("Add was not received") == true)
  }

  @Test func actionStillRuns() throws {
    let failure = #expect(throws: Simulation.Failure.self) {
      try Simulation.explore(schedules: 10) {
        let clock = SimulationClock()
        let store = TestStore(Cart(), clock: clock)
        store.store.send { _ async in try? await clock.sleep(for: .seconds(100)) }
        try await store.finish(within: .seconds(60))
      }
    }
    #expect(failure?.description.contains("Something is still running") == true)
  }

  /// In a simulation, a test passes under any schedule, and `finish` throws the failures.
  @Test func inSimulations() throws {
    try Simulation.explore(schedules: 200) {
      let store = TestStore(Cart(), clock: SimulationClock())
      await store.dispatch(AddTwice(store: store.store)) { $0.items = ["first"] }
      await store.receive(Add.self) { $0.items = ["first", "second"] }
      try await store.finish()
    }
    let failure = #expect(throws: Simulation.Failure.self) {
      try Simulation.explore(schedules: 10) {
        let store = TestStore(Cart(), clock: SimulationClock())
        await store.dispatch(Add(item: "tea")) { $0.items = ["milk"] }
        try await store.finish()
      }
    }
    #expect(failure?.description.contains("TestStoreTests.swift") == true)
  }
}
