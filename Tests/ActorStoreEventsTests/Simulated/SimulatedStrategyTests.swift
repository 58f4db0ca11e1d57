import ActorStore
import ActorStoreEvents
import ActorStoreTesting
import Testing

/// Delayed values keep the promises that values without a delay keep.
@Suite struct SimulatedStrategyTests {
  private struct ConnectInGroup: ActionGroup {
    let stage: Stage<Int>
    let strategy: DeliveryStrategy
    let clock: SimulationClock

    func run(with store: Store<Int>) async {
      await stage.connect(store.select(\.self), strategy)
      try? await clock.sleep(for: .milliseconds(10))
      store.close()
      try? await clock.sleep(for: .milliseconds(10))
      await store.dispatch { $0 = 7 }
    }
  }

  /// The store is closed, but its group still commits.
  @Test(arguments: [false, true]) func e13_aComponentConnectedInAGroupGetsTheLastProps(_ isPaced: Bool) throws {
    try Simulation.explore(.mixed(seed: 0), schedules: 20, timers: .race(upTo: 0)) {
      let (clock, store, stage) = (SimulationClock(), Store(0), Stage(-1))
      let strategy = isPaced ? DeliveryStrategy.throttled(for: .milliseconds(2), clock: clock) : .immediate
      await store.dispatch(ConnectInGroup(stage: stage, strategy: strategy, clock: clock))
      try await clock.sleep(for: .seconds(1))
      let seen = await stage.rendered
      try Simulation.expect(seen == [0, 7], "rendered \(seen)")
    }
  }

  private struct ConnectInAction: Action {
    let other: Store<Int>
    let stage: Stage<Int>
    let strategy: DeliveryStrategy
    let clock: SimulationClock

    func run(_ state: inout Int) async {
      await stage.connect(other.select(\.self), strategy)
      try? await clock.sleep(for: .milliseconds(100))
      state += 1
    }
  }

  private struct Cross: Action {
    let other: Store<Int>

    func run(_ state: inout Int) async {
      if case .committed = await other.dispatch({ $0 += 10 }) { state = 1 } else { state = -1 }
    }
  }

  /// Connecting a component inside an action does not count as the action waiting for the component's store.
  @Test(arguments: [false, true]) func e13_aConnectionIsNoWaitOfTheActionThatMadeIt(_ isPaced: Bool) throws {
    try Simulation.explore(.mixed(seed: 0), schedules: 20) {
      let (clock, x, y, stage) = (SimulationClock(), Store(0), Store(0), Stage(-1))
      let strategy = isPaced ? DeliveryStrategy.throttled(for: .milliseconds(2), clock: clock) : .immediate
      let ticket = x.send(ConnectInAction(other: y, stage: stage, strategy: strategy, clock: clock))
      try await clock.sleep(for: .milliseconds(20))
      await y.dispatch(Cross(other: x))
      _ = await ticket.outcome
      let result = await y.state
      try Simulation.expect(result == 1, "the dispatch was deferred without a deadlock")
    }
  }

  /// As in P14, a canceled consumer gets no remaining elements.
  @Test(arguments: [false, true]) func e14_aCanceledConsumerGetsNoRemainingElements(_ isPaced: Bool) throws {
    try Simulation.explore(.mixed(seed: 0), schedules: 20) {
      let (clock, store) = (SimulationClock(), Store(0))
      let selected = store.select(\.self)
      let values =
        isPaced ? selected.values(strategy: .throttled(for: .milliseconds(1), clock: clock)) : selected.values
      for _ in 0..<3 {
        try await clock.sleep(for: .milliseconds(5))
        await store.dispatch { $0 += 1 }
      }
      try await clock.sleep(for: .milliseconds(5))
      let task = Task.inheritingExecutor { () -> [Int] in
        withUnsafeCurrentTask { unsafe $0?.cancel() }
        return await values.reduce(into: []) { $0.append($1) }
      }
      let seen = await task.value
      try Simulation.expect(seen.isEmpty, "the canceled consumer got \(seen)")
    }
  }

  private final class Free: Component, @unchecked Sendable {
    var props = 0
    var connection: Connection?
    func render() {}
  }

  private actor Host {
    func connect(_ component: Free, _ store: Store<Int>, _ strategy: DeliveryStrategy) {
      store.select(\.self).connect(component, strategy: strategy)
    }
  }

  /// As in P14, an observation ends with its actor.
  @Test(arguments: [false, true]) func e13_aConnectionEndsWithItsActor(_ isPaced: Bool) throws {
    try Simulation.explore(.mixed(seed: 0), schedules: 20) {
      let (clock, store, component) = (SimulationClock(), Store(0), Free())
      let strategy = isPaced ? DeliveryStrategy.throttled(for: .milliseconds(2), clock: clock) : .immediate
      do {
        let host = Host()
        await host.connect(component, store, strategy)
        try await clock.sleep(for: .milliseconds(10))
      }
      for _ in 0..<3 {
        await store.dispatch { $0 += 1 }
        try await clock.sleep(for: .milliseconds(10))
      }
      let count = store.diagnostics.subscribers.count
      withExtendedLifetime(component) {}
      try Simulation.expect(count == 0, "\(count) subscribers are left")
    }
  }
}
