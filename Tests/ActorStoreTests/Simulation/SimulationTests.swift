import ActorStore
import Testing

/// The simulator finds what it is there to find; without this, green tests under it would mean nothing.
@Suite struct SimulationTests {
  /// A store without turns: an actor, which lets others in at each suspension.
  private actor Reentrant {
    var value = 0

    func increment() async {
      let before = value
      await Task.yield()
      value = before + 1
    }
  }

  /// A lock that waits by suspension and knows nothing of who waits for whom.
  private actor NaiveTurn {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take() async {
      if isTaken { await withCheckedContinuation { waiting.append($0) } } else { isTaken = true }
    }

    func leave() {
      if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
  }

  @Test func findsALostUpdate() {
    var failures = 0
    for seed in 0..<100 {
      let final = Witness<Int>()
      _ = Simulation.run(.random(seed: UInt64(seed))) {
        let store = Reentrant()
        await withTaskGroup { group in for _ in 0..<2 { group.addTask { await store.increment() } } }
        final.saw(await store.value)
      }
      if final.all != [2] { failures += 1 }
    }
    #expect(failures > 50)
  }

  @Test func provesADeadlock() {
    let run = Simulation.run(.fifo) {
      let turn = NaiveTurn()
      await turn.take()
      await turn.take()
    }
    #expect(run.verdict == .deadlock)
  }

  @Test func replaysARunByItsChoices() {
    @Sendable func order(_ schedule: Simulation.Schedule) -> ([Int], [Int]) {
      let seen = Witness<Int>()
      let run = Simulation.run(schedule) {
        let store = Store(Log())
        await withTaskGroup { group in
          for entry in 0..<6 { group.addTask { await store.dispatch(SlowAppend(entry)) } }
        }
        for entry in await store.state.entries { seen.saw(entry) }
      }
      return (seen.all, run.choices)
    }
    var orders: Set<[Int]> = []
    for seed in 0..<50 {
      let (entries, choices) = order(.random(seed: UInt64(seed)))
      #expect(order(.replay(choices)).0 == entries)
      orders.insert(entries)
    }
    #expect(orders.count > 10)
  }

  @Test func noticesWhenWorkLeaves() {
    let run = Simulation.run(.fifo, maxSteps: 1_000) {
      let gate = Gate()
      Task.detached { gate.open() }
      // Only the detached task, on another thread, can open the gate.
      await gate.wait()
    }
    #expect(run.verdict != .finished)
  }
}
