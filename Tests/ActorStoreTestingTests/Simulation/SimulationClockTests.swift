import ActorStoreTesting
import Testing

/// Virtual time advances when no task can run, and for a number of early timers, also before.
@Suite struct SimulationClockTests {
  @Test func sleepersWakeInDeadlineOrder() throws {
    try Simulation.explore(schedules: 50, timers: .race(upTo: 0)) {
      let clock = SimulationClock()
      let woken = Witness<Int>()
      await withTaskGroup { group in
        for hours in [3, 1, 2] {
          group.addTask {
            try? await clock.sleep(for: .seconds(3_600 * hours))
            woken.saw(hours)
          }
        }
      }
      try Simulation.expect(woken.all == [1, 2, 3], "\(woken.all)")
      try Simulation.expect(clock.now.offset == .seconds(3 * 3_600))
    }
  }

  @Test func timeDoesNotAdvanceWhileATaskCanRun() throws {
    try Simulation.explore(schedules: 50, timers: .race(upTo: 0)) {
      let clock = SimulationClock()
      async let sleep: Void = clock.sleep(for: .nanoseconds(1))
      for _ in 0..<10 {
        try Simulation.expect(clock.now.offset == .zero)
        await Task.yield()
      }
      try await sleep
    }
  }

  @Test func scheduleOrdersEqualDeadlines() throws {
    let orders = Witness<[Int]>()
    try Simulation.explore(.exhaustive()) {
      let clock = SimulationClock()
      let woken = Witness<Int>()
      await withTaskGroup { group in
        for number in 0..<2 {
          group.addTask {
            try? await clock.sleep(for: .seconds(1))
            woken.saw(number)
          }
        }
      }
      orders.saw(woken.all)
    }
    #expect(Set(orders.all) == [[0, 1], [1, 0]])
  }

  @Test func canceledSleepEndsImmediately() throws {
    try Simulation.explore(schedules: 50, timers: .race(upTo: 0)) {
      let clock = SimulationClock()
      let sleeper = Simulation.task {
        do {
          try await clock.sleep(for: .seconds(100))
          return false
        } catch { return error is CancellationError }
      }
      try await clock.sleep(for: .seconds(1))
      sleeper.cancel()
      try Simulation.expect(await sleeper.value)
      try Simulation.expect(clock.now.offset == .seconds(1))
      let cancelled = Simulation.task {
        withUnsafeCurrentTask { $0?.cancel() }
        return await (try? clock.sleep(for: .seconds(5))) == nil
      }
      try Simulation.expect(await cancelled.value)
    }
  }

  @Test func sleepUntilAPastDeadlineReturns() throws {
    try Simulation.explore(.fifo) {
      let clock: any Clock<Duration> = SimulationClock()
      try await clock.sleep(for: .zero)
      try await clock.sleep(for: .seconds(-1))
    }
  }

  /// A task that polls with sleeps of zero length lets other tasks run.
  @Test func zeroLengthSleepLetsOtherTasksRun() throws {
    try Simulation.explore(schedules: 50) {
      let clock = SimulationClock()
      let done = Witness<Void>()
      await withTaskGroup { group in
        group.addTask { while done.all.isEmpty { try? await clock.sleep(for: .zero) } }
        group.addTask { done.saw(()) }
      }
    }
  }

  @Test func clockOutsideASimulationIsRejected() async {
    await #expect(processExitsWith: .failure) { _ = SimulationClock() }
  }
}
