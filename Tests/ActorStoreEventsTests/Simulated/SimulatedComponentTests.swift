import ActorStore
import ActorStoreEvents
import ActorStoreTesting
import TestSize
import Testing

/// Components whose connections change while the state does, under many schedules.
@Suite struct SimulatedComponentTests {
  /// The delivered numbers are increasing, and the last one is the newest.
  private static func requireOrder(_ seen: [Int], _ last: Int?) throws {
    try Simulation.expect(zip(seen, seen.dropFirst()).allSatisfy(<), "older props after newer: \(seen)")
    if let last { try Simulation.expect(seen.last == last, "the last props are not the newest: \(seen)") }
  }

  @Test(arguments: [false, true]) func e13_propsComeInOrder(_ isPaced: Bool) throws {
    try Simulation.explore(.mixed(seed: 0), schedules: TestSize.count(500, few: 60)) {
      let (clock, store, stage) = (SimulationClock(), Store(0), Stage(-1))
      let strategy = isPaced ? DeliveryStrategy.throttled(for: .milliseconds(2), clock: clock) : .immediate
      await withTaskGroup { group in
        group.addTask { await stage.connect(store.select(\.self), strategy) }
        for _ in 0..<2 {
          group.addTask {
            for _ in 0..<4 {
              await store.dispatch { $0 += 1 }
              try? await clock.sleep(for: .milliseconds(1))
            }
          }
        }
      }
      try await clock.sleep(for: .seconds(1))
      try Self.requireOrder(await stage.rendered, 8)
    }
  }

  /// After a disconnection on the actor, nothing is rendered.
  @Test(arguments: [false, true]) func e13_disconnectingEndsImmediately(_ isPaced: Bool) throws {
    try Simulation.explore(.mixed(seed: 1), schedules: TestSize.count(500, few: 60)) {
      let (clock, store, stage) = (SimulationClock(), Store(0), Stage(-1))
      let strategy = isPaced ? DeliveryStrategy.debounced(for: .milliseconds(1), clock: clock) : .immediate
      await stage.connect(store.select(\.self), strategy)
      let count = await withTaskGroup(of: Int?.self) { group in
        group.addTask {
          for _ in 0..<4 {
            await store.dispatch { $0 += 1 }
            try? await clock.sleep(for: .milliseconds(1))
          }
          return nil
        }
        group.addTask { await stage.disconnect() }
        return await group.reduce(nil) { $0 ?? $1 }
      }
      try await clock.sleep(for: .seconds(1))
      let seen = await stage.rendered
      try Simulation.expect(seen.count == count, "rendered \(seen) after \(count ?? -1) renderings")
      try Self.requireOrder(seen, nil)
      try Simulation.expect(store.diagnostics.subscribers.isEmpty, "a subscriber is left")
    }
  }

  /// A component that is connected again gets no props of the former connection.
  @Test(arguments: [false, true]) func e13_reconnectingReplacesTheConnection(_ isPaced: Bool) throws {
    try Simulation.explore(.mixed(seed: 2), schedules: TestSize.count(500, few: 60), timers: .race(upTo: 0)) {
      let clock = SimulationClock()
      let strategy = isPaced ? DeliveryStrategy.debounced(for: .milliseconds(1), clock: clock) : .immediate
      let (one, other, stage) = (Store(0), Store(100), Stage(-1))
      await stage.connect(one.select(\.self), strategy)
      await withTaskGroup { group in
        for store in [one, other] {
          group.addTask { for _ in 0..<3 { await store.dispatch { $0 += 1 } } }
        }
        group.addTask { await stage.connect(other.select(\.self), strategy) }
      }
      try await clock.sleep(for: .seconds(1))
      let seen = await stage.rendered
      try Self.requireOrder(seen, 103)
      try Simulation.expect(one.diagnostics.subscribers.isEmpty, "the former connection is left")
    }
  }

  /// A component can be deallocated while a commit computes its props.
  @Test func e13_aComponentDiesWhileItsPropsAreComputed() throws {
    try Simulation.explore(.mixed(seed: 3), schedules: TestSize.count(500, few: 60), timers: .race(upTo: 0)) {
      let (store, other) = (Store(0), Store(0))
      let selection = Selection<Int, Int> { number in
        // Tasks can switch at a call into a store.
        other.send { $0 += 1 }
        return number
      }
      await withTaskGroup { group in
        group.addTask { for _ in 0..<4 { await store.dispatch { $0 += 1 } } }
        group.addTask {
          let stage = Stage(-1)
          await stage.connect(store.select(selection))
          await Task.yield()
        }
      }
      try await SimulationClock().sleep(for: .seconds(1))
      try Simulation.expect(store.diagnostics.subscribers.isEmpty, "the connection of a dead component is left")
    }
  }

  /// When the store is closed, a component ends on the last props.
  @Test func e14_aClosedStoreDeliversItsLastProps() throws {
    try Simulation.explore(.mixed(seed: 4), schedules: TestSize.count(300, few: 40), timers: .race(upTo: 0)) {
      let (clock, store, stage) = (SimulationClock(), Store(0), Stage(-1))
      await stage.connect(store.select(\.self), .debounced(for: .seconds(3_600), clock: clock))
      try await clock.sleep(for: .milliseconds(1))
      for _ in 0..<3 { await store.dispatch { $0 += 1 } }
      store.close()
      try await clock.sleep(for: .milliseconds(1))
      let seen = await stage.rendered
      try Simulation.expect(seen == [0, 3], "rendered \(seen)")
    }
  }
}
