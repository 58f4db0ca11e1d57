import ActorStore
import ActorStoreTesting
import Testing

@testable import Atoms

/// Tasks that wait for results while these are reloaded, canceled, and injected, under many schedules (A24).
@Suite struct SimulatedWaitingTests {
  private static func explore(_ faults: GraphFaults = [], keepAlive: Bool) throws {
    try Simulation.explore(.mixed(seed: 9), schedules: 300) {
      let (store, number) = (AtomStore(), Atom(1, keepAlive: true))
      store.plant(faults)
      let double = AsyncAtom(keepAlive: keepAlive) { () async -> Int in
        let value = number.value
        await Task.yield()
        return value * 2
      }
      try await withThrowingTaskGroup { group in
        group.addTask {
          for value in 2...3 {
            store.set(number, value)
            await Task.yield()
          }
          store.callAsCurrent { double.reload() }
          store.inject(double, value: .success(100))
        }
        for _ in 0..<2 {
          group.addTask {
            let result = try await store.result(of: double)
            try Simulation.expect([2, 4, 6, 100].contains(result), "\(result)")
          }
        }
        let canceled = Task.inheritingExecutor { () -> Int? in try? await store.result(of: double) }
        group.addTask {
          await Task.yield()
          canceled.cancel()
          _ = await canceled.value
        }
        try await group.waitForAll()
      }
      let last = try await store.result(of: double)
      try Simulation.expect(last == 100, "the last result is \(last)")
      store.removeInjection(of: double)
      let own = try await store.result(of: double)
      try Simulation.expect(own == 6, "the atom's own result is \(own)")
      // The atom is not in use by tasks that no longer wait.
      while store.diagnostics.isPinned { await Task.yield() }
      let uses = store.core.state.withLock { state in
        state.allCells.filter { $0.definition === double.definition }.map { state.logic[$0.node].uses }
      }
      try Simulation.expect(uses == [keepAlive ? 1 : 0], "\(uses) uses are left")
    }
  }

  @Test(arguments: [true, false]) func tasksThatWaitGetTheNewestResult(keepAlive: Bool) throws {
    try Self.explore(keepAlive: keepAlive)
  }

  #if DEBUG
    @Test func tasksThatAreNotWokenAreFoundInAKnownBadGraph() {
      #expect(throws: (any Error).self) { try Self.explore(.keepWaiting, keepAlive: true) }
    }
  #endif
}
