import ActorStoreTesting
import TestSize
import Testing

@testable import ActorStore

/// P8: Stores whose actions wait for each other never deadlock, and each deferred action runs once.
@Suite struct CrossStoreTests {
  /// Appends to its own store, and dispatches the same action to the next store, nested in this action.
  private struct Visit: Action {
    let entry: Int
    let others: ArraySlice<Store<Log>>

    init(_ entry: Int, _ others: ArraySlice<Store<Log>> = []) {
      self.entry = entry
      self.others = others
    }

    func run(_ log: inout Log) async {
      log.entries.append(entry)
      if let next = others.first { await next.dispatch(Visit(entry, others.dropFirst())) }
    }
  }

  /// Waits until the stores have run all their actions, including deferred ones.
  private static func settle(_ stores: [Store<Log>]) async {
    while stores.contains(where: { $0.diagnostics.holder != nil }) {
      for store in stores { await store.queue.waitUntilIdle() }
    }
  }

  /// Expects that no wait remains in the wait graph.
  private static func expectNoNotedWaits(_ stores: [Store<Log>]) throws {
    for store in stores {
      try Simulation.expect(WaitGraph.count(for: store.queue) == 0, "a wait remains in the wait graph")
    }
  }

  /// Dispatches to all stores of a ring at once, with actions that visit the next `length` stores.
  ///
  /// Each store must have its own entry and the entries of the `length` stores before it.
  private static func ring(_ count: Int, length: Int = 1) async throws {
    let stores = (0..<count).map { Store(Log(), name: "store \($0)") }
    await withTaskGroup { group in
      for index in 0..<count {
        let others = (1...length).map { stores[(index + $0) % count] }
        group.addTask { await stores[index].dispatch(Visit(index, others[...])) }
      }
    }
    await settle(stores)
    try expectNoNotedWaits(stores)
    for (index, store) in stores.enumerated() {
      let seen = await store.state.entries.sorted()
      let expected = (0...length).map { (index + count - $0) % count }.sorted()
      try Simulation.expect(seen == expected, "store \(index) saw \(seen), not \(expected)")
    }
  }

  @Test func p8_everyScheduleOfTwoStoresWithOneDispatchEachWay() throws {
    let result = try Simulation.explore(.exhaustive(sharing: .storesAndAtoms)) { try await Self.ring(2) }
    print("two stores, one dispatch each way: \(result)")
    #expect(result.isComplete)
  }

  @Test(arguments: [2, 3, 5]) func p8_cycles(of count: Int) throws {
    try Simulation.explore(schedules: TestSize.count(2_000)) { try await Self.ring(count) }
  }

  /// Each action visits all other stores, up to the one before its own.
  @Test(arguments: [3, 5]) func p8_deepCycles(of count: Int) throws {
    try Simulation.explore(schedules: TestSize.count(500)) { try await Self.ring(count, length: count - 1) }
  }

  @Test func p8_severalChildrenWaitAtOnce() throws {
    try Simulation.explore(schedules: TestSize.count(1_000)) {
      let stores = (0..<3).map { Store(Log(), name: "store \($0)") }
      @Sendable func spread(from index: Int) async {
        await stores[index].dispatch { log async in
          log.entries.append(index)
          await withTaskGroup { group in
            for other in 0..<3 where other != index {
              group.addTask { await stores[other].dispatch(SlowAppend(10 * index + other)) }
            }
          }
        }
      }
      await withTaskGroup { group in
        for index in 0..<3 { group.addTask { await spread(from: index) } }
      }
      await Self.settle(stores)
      for store in stores { try Simulation.expect(await store.state.entries.count == 3) }
    }
  }

  @Test func p8_ticketsAwaitedAcrossStores() throws {
    try Simulation.explore(schedules: TestSize.count(1_000)) {
      let (one, other) = (Store(Log(), name: "one"), Store(Log(), name: "other"))
      @Sendable func cross(_ first: Store<Log>, _ second: Store<Log>, _ entry: Int) async {
        await first.dispatch { log async in
          log.entries.append(entry)
          _ = await second.send(Visit(entry, [first])).outcome
        }
      }
      async let there: Void = cross(one, other, 1)
      async let back: Void = cross(other, one, 2)
      _ = await (there, back)
      await Self.settle([one, other])
      try Self.expectNoNotedWaits([one, other])
      for store in [one, other] {
        let entries = await store.state.entries
        try Simulation.expect(entries.count == 3, "\(entries)")
      }
    }
  }

  @Test func p8_oneOfTheWaitersIsCanceled() throws {
    try Simulation.explore(schedules: TestSize.count(1_000)) {
      let (one, other) = (Store(Log(), name: "one"), Store(Log(), name: "other"))
      let there = Simulation.task { await one.dispatch(Visit(1, [other])) }
      let back = Simulation.task { await other.dispatch(Visit(2, [one])) }
      let canceller = Simulation.task { there.cancel() }
      _ = await (there.value, back.value, canceller.value)
      await Self.settle([one, other])
      try Self.expectNoNotedWaits([one, other])
      // The canceled wait leaves nothing behind that would block a later call.
      let after = await one.dispatch(Visit(3, [other]))
      try Simulation.expect(after.isCommitted)
      try Simulation.expect(await other.state.entries.last == 3)
    }
  }

  /// A call whose wait does not close a cycle is not deferred.
  @Test func p8_callsAreDeferredOnlyInCycles() throws {
    try Simulation.explore(schedules: TestSize.count(500)) {
      let (one, other) = (Store(Log(), name: "one"), Store(Log(), name: "other"))
      await withTaskGroup { group in
        for entry in 0..<3 {
          group.addTask {
            let inner = await one.dispatch { _ async in await other.dispatch(SlowAppend(entry)).isCommitted }
            if inner != .committed(true) { Issue.record("deferred without a cycle") }
          }
          group.addTask { await other.dispatch(SlowAppend(10 + entry)) }
        }
      }
      try Simulation.expect(await other.state.entries.count == 6)
    }
  }

  /// A task left behind by an ended action is not nested in another store's action, so its wait is not in the graph.
  @Test func p8_aWaitForOnlyOneStoreIsNotInTheGraph() throws {
    try Simulation.explore(schedules: 200) {
      let store = Store(Log())
      let over = Gate()
      let left = await store.dispatch { _ async in
        inheritingTask {
          await over.wait()
          await store.dispatch(Append(1))
        }
      }
      let end = Gate()
      store.send(Hold(until: end))
      over.open()
      await store.waitUntilQueued(1)
      try Simulation.expect(WaitGraph.count(for: store.queue) == 0)
      end.open()
      _ = await left.output?.value
    }
  }

  /// Eight tasks dispatch in both directions under thousands of schedules, and each deferred action runs once.
  @Test func p8_eightTasksInBothDirections() throws {
    try Simulation.explore(schedules: TestSize.count(3_000)) {
      let (one, other) = (Store(Log(), name: "one"), Store(Log(), name: "other"))
      await withTaskGroup { group in
        for task in 0..<8 {
          let (first, second) = task % 2 == 0 ? (one, other) : (other, one)
          group.addTask { await first.dispatch(Visit(task, [second])) }
        }
      }
      await Self.settle([one, other])
      try Self.expectNoNotedWaits([one, other])
      for store in [one, other] {
        let entries = await store.state.entries
        try Simulation.expect(entries.sorted() == Array(0..<8), "\(entries)")
      }
    }
  }

  @Test func p8_onRealThreads() async throws {
    let (one, other) = (Store(Log(), name: "one"), Store(Log(), name: "other"))
    let rounds = 10_000 / 8
    await withTaskGroup { group in
      for task in 0..<8 {
        group.addTask {
          for round in 0..<rounds {
            let (first, second) = (task + round) % 2 == 0 ? (one, other) : (other, one)
            await first.dispatch { log async in
              log.entries = [(log.entries.first ?? 0) + 1]
              await second.dispatch { log async in log.entries = [(log.entries.first ?? 0) + 1] }
            }
          }
        }
      }
    }
    await Self.settle([one, other])
    let total = await (one.state.entries.first ?? 0) + (other.state.entries.first ?? 0)
    #expect(total == 8 * rounds * 2)
  }
}
