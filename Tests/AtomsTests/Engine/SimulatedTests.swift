import ActorStore
import ActorStoreTesting
import Atoms
import Testing

/// Tasks that set, read, and watch the same atoms, under many schedules.
@Suite struct SimulatedTests {
  /// Several setters and readers, with a stream of a source and one of a derived atom.
  ///
  /// A stream of a derived atom may combine changes that another task makes during a delivery.
  @Test func streamsHaveEachRevisionUnderEverySchedule() throws {
    let result = try Simulation.explore(.mixed(seed: 0), schedules: 500) {
      let (store, a, b) = (AtomStore(), Atom(0), Atom(0))
      let sum = DerivedAtom { a.value * 100 + b.value }
      let (sources, derived) = (store.values(of: a), store.values(of: sum))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for atom in [a, b] {
          group.addTask {
            for _ in 0..<3 {
              store.update(atom) { $0 += 1 }
              await Task.yield()
            }
          }
        }
        group.addTask {
          var seen: [Int] = []
          for await value in sources {
            seen.append(value)
            if value == 3 { break }
          }
          try Simulation.expect(seen == [0, 1, 2, 3], "the stream of a source has \(seen)")
        }
        group.addTask {
          var seen: [Int] = []
          for await value in derived {
            seen.append(value)
            if value == 303 { break }
          }
          try Simulation.expect(seen.first == 0 && seen == Set(seen).sorted(), "the stream of the sum has \(seen)")
        }
        group.addTask {
          for _ in 0..<3 {
            let (first, second) = store.snapshot { (sum.value, a.value * 100 + b.value) }
            try Simulation.expect(first == second, "a snapshot has \(first) and \(second)")
            await Task.yield()
          }
        }
        try await group.waitForAll()
      }
      try Simulation.expect(store.get(sum) == 303, "an update was lost")
    }
    #expect(result.schedules >= 500)
  }

  /// A stream that is canceled while values arrive, and one that starts late.
  @Test func streamsComeAndGo() throws {
    try Simulation.explore(.mixed(seed: 1), schedules: 300) {
      let (store, a) = (AtomStore(), Atom(0, keepAlive: true))
      try await withThrowingTaskGroup(of: Void.self) { group in
        let reader = Task.inheritingExecutor {
          var last = -1
          for await value in store.values(of: a) {
            try Simulation.expect(value > last, "\(value) after \(last)")
            last = value
          }
        }
        group.addTask {
          for value in 1...4 {
            store.set(a, value)
            await Task.yield()
          }
        }
        group.addTask { reader.cancel() }
        group.addTask {
          var seen: [Int] = []
          for await value in store.values(of: a) {
            seen.append(value)
            if value == 4 { break }
          }
          try Simulation.expect(seen == Array(seen[0]...4), "a late stream has \(seen)")
        }
        try await group.waitForAll()
        _ = await reader.result
      }
      try Simulation.expect(store.graph.atoms.allSatisfy { $0.watchers == 0 }, "a watcher is left behind")
    }
  }
}
