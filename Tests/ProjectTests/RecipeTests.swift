import ActorStore
import ActorStoreTesting
import Atoms
import Synchronization
import Testing

/// The recipes work as the article says.
@Suite struct RecipeTests {
  // MARK: Retry

  @Test func aRetryWaitsTwiceAsLongEachTime() throws {
    try Simulation.explore {
      let (store, clock) = (Store(Recipes.Retry.Page()), SimulationClock())
      let calls = Mutex<[Duration]>([])
      let start = clock.now
      let refresh = Recipes.Retry.Refresh(
        download: {
          let count = calls.withLock { calls in
            calls.append(start.duration(to: clock.now))
            return calls.count
          }
          if count < 4 { throw Unavailable() }
          return "text"
        }, clock: clock)
      let outcome = try await store.dispatch(refresh)
      let times = calls.withLock { $0 }
      try Simulation.expect(times == [0, 100, 300, 700].map { .milliseconds($0) }, "\(times)")
      let text = await store.state.text
      try Simulation.expect(outcome.isCommitted && text == "text", "\(text)")
    }
  }

  @Test func aRetryEndsAfterTheLastAttempt() throws {
    try Simulation.explore {
      let store = Store(Recipes.Retry.Page())
      let calls = Mutex(0)
      let refresh = Recipes.Retry.Refresh(
        download: {
          calls.withLock { $0 += 1 }
          throw Unavailable()
        }, attempts: 3, clock: SimulationClock())
      await #expect(throws: Unavailable.self) { try await store.dispatch(refresh) }
      let count = calls.withLock { $0 }
      try Simulation.expect(count == 3, "\(count)")
    }
  }

  @Test func cancelingARetryEndsItsWait() throws {
    try Simulation.explore(timers: .race(upTo: 0)) {
      let (store, clock) = (Store(Recipes.Retry.Page()), SimulationClock())
      let start = clock.now
      let ticket = store.send(Recipes.Retry.Refresh(download: { throw Unavailable() }, clock: clock))
      try await clock.sleep(for: .milliseconds(50))
      ticket.cancel()
      await #expect(throws: CancellationError.self) { try await ticket.outcome }
      let time = start.duration(to: clock.now)
      try Simulation.expect(time == .milliseconds(50), "\(time)")
    }
  }

  // MARK: Write ahead

  @Test func aWriteAheadActionWritesBeforeItCommits() async throws {
    let store = Store(Recipes.WriteAhead.Account())
    let journal = Mutex<[Recipes.WriteAhead.Entry]>([])
    let revisions = Mutex<[UInt64]>([])
    let file = Recipes.WriteAhead.Journal { entry in
      journal.withLock { $0.append(entry) }
      if entry == .deposit(13) { throw Unavailable() }
      revisions.withLock { $0.append(store.diagnostics.revision) }
    }
    let before = store.diagnostics.revision
    try await store.dispatch(Recipes.WriteAhead.Record(entry: .deposit(10), journal: file))
    #expect(revisions.withLock { $0 } == [before])
    #expect(store.diagnostics.revision == before + 1)

    // A failed change writes nothing.
    await #expect(throws: Recipes.WriteAhead.Overdrawn.self) {
      try await store.dispatch(Recipes.WriteAhead.Record(entry: .withdrawal(11), journal: file))
    }
    try await store.dispatch(Recipes.WriteAhead.Record(entry: .withdrawal(4), journal: file))
    var restored = Recipes.WriteAhead.Account()
    for entry in journal.withLock({ $0 }) { try entry.apply(to: &restored) }
    #expect(await store.state == restored)

    // After a failed write, the state is unchanged, and nothing follows.
    for entry in [Recipes.WriteAhead.Entry.deposit(13), .deposit(1)] {
      await #expect(throws: Unavailable.self) {
        try await store.dispatch(Recipes.WriteAhead.Record(entry: entry, journal: file))
      }
    }
    #expect(await store.state.balance == 6)
    #expect(journal.withLock { $0 } == [.deposit(10), .withdrawal(4), .deposit(13)])
  }

  // MARK: Swapped stores

  @Test func aSwappedStoreReplacesTheDefault() async {
    let stores = await Recipes.SwappedStore.swap()
    #expect(await stores.cart.state.items == ["tea", "milk"])
    #expect(await Recipes.SwappedStore.Stores.current.cart.state.items.isEmpty)
  }

  @Test func sentActionsInheritASwappedStore() async {
    typealias Stores = Recipes.SwappedStore.Stores
    let (stores, other) = (Stores(cart: Store(.init())), Store(0))
    let ticket = Stores.$current.withValue(stores) {
      other.send { _ async in await Recipes.SwappedStore.add("jam") }
    }
    _ = await ticket.outcome
    #expect(await stores.cart.state.items == ["jam"])
    #expect(await Stores.current.cart.state.items.isEmpty)
  }

  // MARK: Rows

  @Test @MainActor func aRowFollowsItsElementOnly() async {
    let store = Store(Recipes.OneRow.Todos(order: [1, 2], items: [1: "one", 2: "two"]))
    let rows = Recipes.OneRow.Rows(store)
    let (first, missing) = (rows.appear(1), rows.appear(3))
    #expect(rows.appear(1) === first)
    #expect(first.value == "one")
    #expect(missing.value == nil)

    let titles = store.select(\.items[1]).values
    let atom = store.select(\.items[1]).atom
    await store.dispatch { $0.items[2] = "zwei" }
    await store.dispatch { $0.items[1] = "eins" }
    #expect(atom.value == "eins")
    await store.dispatch { $0.items[1] = nil }
    #expect(atom.value == nil)
    store.close()
    var all: [String?] = []
    for await title in titles { all.append(title) }
    #expect(all == ["one", "eins", nil])
    while first.value != nil { await Task.yield() }
    rows.disappear(1)
    #expect(rows.appear(1) !== first)
  }
}
