import ActorStore
import ActorStoreTesting
import Testing

@testable import Atoms

/// Stores that are created in a simulation use its clock and its executor (A37).
@Suite struct SimulatedClockTests {
  @Test func a37_aStoreInASimulationUsesItsClock() throws {
    try Simulation.explore(.mixed(seed: 7), schedules: 20, timers: .race(upTo: 0)) {
      let (store, clock, text) = (AtomStore(), SimulationClock(), Atom("a", keepAlive: true))
      let search = AsyncAtom(keepAlive: true) { () -> String in
        @UseAtomValue(text, debounce: 3_600) var text
        return text.uppercased()
      }
      let throttled = DerivedAtom {
        @UseAtomValue(text, throttle: 7_200) var text
        return text
      }
      let seen = Recorder<String>()
      let observation = store.observe(throttled) { seen.add("\($0) \(clock.now.offset)") }
      let first = try await store.result(of: search)
      try await clock.sleep(for: .seconds(1))
      store.set(text, "b")
      let last = try await store.result(of: search)
      try Simulation.expect(first == "A" && last == "B", "\(first) and \(last)")
      try Simulation.expect(clock.now.offset == .seconds(3_601), "\(clock.now.offset)")
      try await clock.sleep(for: .seconds(10_000))
      try Simulation.expect(seen.all == ["a 0.0 seconds", "b 7200.0 seconds"], "\(seen.all)")
      withExtendedLifetime(observation) {}
    }
  }

  /// This also holds in tasks, and for stores that a run creates.
  @Test func a37_allTasksOfASimulationGiveStoresItsClock() throws {
    try Simulation.explore(.mixed(seed: 7), schedules: 20) {
      let atom = AsyncAtom { "\(type(of: AtomStore().core.clock.base))" }
      let inTask = Task.inheritingExecutor { "\(type(of: AtomStore().core.clock.base))" }
      let clocks = [await inTask.value, try await AtomStore().result(of: atom)]
      try Simulation.expect(clocks == ["SimulationClock", "SimulationClock"], "\(clocks)")
    }
  }

  @Test func a37_otherStoresHaveTheirOwnClocks() throws {
    #expect(AtomStore().core.clock.base is ContinuousClock)
    try Simulation.explore(.mixed(seed: 7), schedules: 1) {
      try Simulation.expect(AtomStore.shared.core.clock.base is ContinuousClock, "the shared store")
      try Simulation.expect(AtomStore(clock: SuspendingClock()).core.clock.base is SuspendingClock, "an explicit clock")
    }
  }

  /// The simulation would report a task on another thread.
  @Test func a37_runsAreTasksOfTheSimulation() throws {
    try Simulation.explore(.mixed(seed: 7), schedules: 50) {
      let (store, number) = (AtomStore(), Atom(1, keepAlive: true))
      let inner = AsyncAtom { () async -> Int in
        async let value = number.value
        return await value
      }
      let outer = AsyncAtom { try await inner.result * 2 }
      let observation = store.observe(outer) { _ in }
      store.set(number, 2)
      store.callAsCurrent { inner.reload() }
      let result = try await store.result(of: outer)
      try Simulation.expect(result == 4, "\(result)")
      withExtendedLifetime(observation) {}
    }
  }
}
