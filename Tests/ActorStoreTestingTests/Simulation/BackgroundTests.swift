import ActorStore
import ActorStoreTesting
import Testing

/// Tasks that sleep in the background, such as a watchdog, do not keep a run going.
@Suite struct BackgroundTests {
  @Test func deadlockIsProvenBesideABackgroundTask() {
    let looks = Witness<Duration>()
    #expect(
      verdict {
        looks.saw(SimulationClock().now.offset)
      } body: {
        await stuck()
      } == .deadlock)
    // The simulation runs the schedule more than once.
    #expect(Set(looks.all) == [.seconds(1), .seconds(2), .seconds(3)])
  }

  @Test func stuckActionIsProvenAfterTheBodyHasEnded() {
    #expect(
      verdict {
      } body: {
        Store(0).send(Stuck())
      } == .deadlock)
  }

  @Test func backgroundTaskDoesNotKeepAFinishedRunGoing() throws {
    let looks = Witness<Int>()
    try Simulation.explore(.fifo) {
      observe { looks.saw(0) }
    }
    #expect(looks.all.isEmpty)
  }

  /// A run with a background task leaves nothing behind, so a search can have any number of runs.
  @Test func backgroundTaskEndsWithTheRun() throws {
    let objects = Witness<WeakObject>()
    try Simulation.explore(.fifo) {
      let object = Object()
      objects.saw(WeakObject(object: object))
      observe { withExtendedLifetime(object) {} }
    }
    #expect(!objects.all.isEmpty && objects.all.allSatisfy { $0.object == nil })
  }

  /// A run is no deadlock if a background task makes another task ready.
  @Test func backgroundTaskCanMakeAnotherTaskReady() throws {
    try Simulation.explore(schedules: 20) {
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      observe { continuation.yield(1) }
      var seen = 0
      for await _ in stream {
        seen += 1
        if seen == 10 { break }
      }
    }
  }

  /// During a long sleep of another task, a background task looks only a few times.
  @Test func sleepingTaskSkipsUselessLooks() throws {
    try Simulation.explore(.fifo) {
      let clock = SimulationClock()
      let looks = Witness<Duration>()
      observe { looks.saw(clock.now.offset) }
      try await clock.sleep(for: .seconds(1_000_000))
      try Simulation.expect(clock.now.offset == .seconds(1_000_000))
      try Simulation.expect(looks.all.prefix(3) == [.seconds(1), .seconds(2), .seconds(3)], "\(looks.all)")
      try Simulation.expect(looks.all.count <= 4, "\(looks.all)")
    }
  }

  /// Each sleep of a task, however short, gives background tasks time to look.
  @Test func lookFollowsEachStep() throws {
    try Simulation.explore(.fifo) {
      let clock = SimulationClock()
      let looks = Witness<Int>()
      observe { looks.saw(0) }
      for _ in 0..<10 { try await clock.sleep(for: .seconds(2)) }
      try Simulation.expect(looks.all.count >= 19, "\(looks.all.count)")
    }
  }

  /// A timer that is not in the background keeps its meaning in a task that also sleeps in the background.
  @Test func otherSleepsOfABackgroundTaskCount() throws {
    try Simulation.explore(.fifo) {
      let clock = SimulationClock()
      let task = Simulation.task {
        try await SimulationHooks.$sleep.withValue(.background) { try await clock.sleep(for: .seconds(1)) }
        try await clock.sleep(for: .seconds(100))
        return clock.now.offset
      }
      try Simulation.expect(try await task.value == .seconds(101))
    }
  }

  @Test func searchVisitsEverySchedule() throws {
    try Simulation.explore(.exhaustive(), timers: .race(upTo: 0)) {
      let clock = SimulationClock()
      let store = Store(0)
      observe(times: 2) {}
      await withTaskGroup { group in
        for number in 1...2 {
          group.addTask {
            await store.dispatch { $0 += number }
            try? await clock.sleep(for: .seconds(1))
          }
        }
      }
      try Simulation.expect(await store.state == 3)
    }
  }
}

private final class Object: Sendable {}

private struct WeakObject: Sendable {
  weak var object: Object?
}

private struct Stuck: Action {
  func run(_ state: inout Int) async { await stuck() }
}

private func stuck() async {
  await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
}

/// Looks each second, in the background.
private func observe(times: Int = .max, _ look: @escaping @Sendable () -> Void) {
  let clock = SimulationClock()
  _ = Simulation.task {
    for _ in 0..<times {
      try await SimulationHooks.$sleep.withValue(.background) { try await clock.sleep(for: .seconds(1)) }
      look()
    }
  }
}

private func verdict(
  _ look: @escaping @Sendable () -> Void,
  body: @escaping @Sendable () async -> Void
) -> Simulation.Verdict? {
  do {
    try Simulation.explore(.fifo) {
      observe(look)
      await body()
    }
    return nil
  } catch { return error.verdict }
}
