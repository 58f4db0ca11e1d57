import ActorStore
import ActorStoreTesting
import Atoms
import AtomsTesting
import Testing

/// Test stores name runs, timers, and uses that a test leaves behind, and end all runs (A34, A37).
@Suite struct TestStoreLeftoversTests {
  private static let number = Atom(1).debugLabel("number")
  private static let double = DerivedAtom { number.value * 2 }.debugLabel("double")
  private static let text = Atom("a").debugLabel("text")

  // MARK: Runs

  /// Waits in virtual time until no task can run.
  private static func settle() async throws { try await SimulationClock().sleep(for: .seconds(1)) }

  /// The report of a simulation in which a test store leaves something behind.
  private static func report(_ body: @escaping @Sendable () async throws -> Void) -> String {
    let failure = #expect(throws: Simulation.Failure.self) {
      try Simulation.explore(.fifo, timers: .race(upTo: 0)) { try await TestStore { _ in try await body() } }
    }
    return failure?.description ?? ""
  }

  /// Reads count after a delivery, whose evaluation records nothing, as before it.
  @Test func a34_readsCountAfterADelivery() async throws {
    try await TestStore { store in
      #expect(Self.double.value == 2)
      store.observe(Self.text) { _ in }.cancel()
      Self.number.value = 2
      #expect(Self.double.value == 4)
    }
    try await TestStore { store in
      store.observe(Self.text) { _ in }.cancel()
      Self.number.value = 3
      #expect(store.snapshot { Self.number.value } == 3)
    }
  }

  /// The test itself reads neither the atom nor the result of its second run.
  @Test func a34_aReadByARunCountsAsARead() throws {
    try Simulation.explore(schedules: 50, timers: .race(upTo: 0)) {
      let (filter, seen) = (Atom("", keepAlive: true).debugLabel("filter"), Tally())
      let dogs = AsyncAtom { () -> String in
        let value = filter.value
        if value == "pugs" { seen.add() }
        return value
      }
      try await TestStore { store in
        try await expectEqual(dogs.value, .success(""))
        let observation = store.observe(dogs) { _ in }
        filter.value = "pugs"
        try await Self.settle()
        try Simulation.expect(seen.value > 0, "the run has not read the atom")
        observation.cancel()
      }
    }
  }

  @Test func a37_followersOfObjectsAreNotNamedAndEndWithTheTest() throws {
    try Simulation.explore(schedules: 50, timers: .race(upTo: 0)) {
      let (player, reads) = (Player(), Tally())
      let volume = PublishedAtom(on: player, initialValue: 0) { player in
        reads.add()
        return player.settings.volume
      }
      var kept: [Any] = []
      try await TestStore { store in
        try await expectEqual(volume.value, 1)
        await player.set(2)
        try await expectEqual(volume.value, 2)
        kept = [store]
      }
      // A read that has begun, or that follows a change before the end, may still happen.
      try await Self.settle()
      let count = reads.value
      for volume in 3...5 {
        await player.set(volume)
        try await Self.settle()
      }
      try Simulation.expect(reads.value == count, "\(reads.value - count) reads after the end")
      withExtendedLifetime(kept) {}
    }
  }

  @Test func a37_theEndCancelsRunsOfAStoreThatIsKept() throws {
    try Simulation.explore(schedules: 50, timers: .race(upTo: 0)) {
      let (number, runs) = (Atom(1), Tally())
      let (canceled, cancel) = AsyncStream<Void>.makeStream()
      let endless = AsyncSequenceAtom {
        let first = number.value
        runs.add()
        return AsyncStream<Int> { continuation in
          continuation.onTermination = { _ in cancel.finish() }
          continuation.yield(first)
        }
      }
      let slow = AsyncAtom { () -> Int in
        try await SimulationClock().sleep(for: .seconds(1_000))
        return 1
      }
      var kept: (store: AtomStore, result: Task<Int, any Error>)?
      try await TestStore(exhaustivity: .off) { store in
        try await expectEqual(endless.value, .success(1))
        kept = (store, Task.inheritingExecutor { try await slow.result })
        try await Self.settle()
      }
      for await _ in canceled {}
      guard let (store, task) = kept else { return }
      try await Self.expectCancellation { try await task.value }
      store.set(number, 2)
      _ = store.get(endless)
      try await Self.settle()
      try Simulation.expect(runs.value == 1, "\(runs.value) runs")
      try await Self.expectCancellation { try await store.result(of: AsyncAtom { number.value }) }
    }
  }

  @Test(arguments: [false, true]) func a37_theEndCancelsWaitsForInjections(isOperation: Bool) throws {
    try Simulation.explore(schedules: 50, timers: .race(upTo: 0)) {
      let operation: @Sendable () async throws -> Int = {
        try await SimulationClock().sleep(for: .seconds(1_000))
        return 1
      }
      let slow = AsyncAtom { try await operation() }
      let waiting = AsyncAtom { try await slow.result }
      var kept: (store: AtomStore, results: [Task<Int, any Error>])?
      try await TestStore(exhaustivity: .off) { store in
        if isOperation { store.inject(slow) { try await operation() } } else { store.inject(slow, value: .loading) }
        let results = [slow, waiting].map { atom in Task.inheritingExecutor { try await atom.result } }
        try await Self.settle()
        kept = (store, results)
      }
      guard let (store, results) = kept else { return }
      for result in results { try await Self.expectCancellation { try await result.value } }
      try await Self.expectCancellation { try await store.result(of: slow) }
      store.inject(slow, value: .success(2))
      let result = try await store.result(of: slow)
      try Simulation.expect(result == 2, "\(result)")
    }
  }

  private static func expectCancellation(_ body: () async throws -> Int) async throws {
    do {
      let result = try await body()
      try Simulation.expect(false, "\(result) after the end")
    } catch is CancellationError {}
  }

  @Test func a37_anErrorOfTheTestCancelsRuns() throws {
    struct Stop: Error {}
    try Simulation.explore(schedules: 20, timers: .race(upTo: 0)) {
      let (canceled, cancel) = AsyncStream<Void>.makeStream()
      let endless = AsyncSequenceAtom {
        AsyncStream<Int> { continuation in
          continuation.onTermination = { _ in cancel.finish() }
          continuation.yield(1)
        }
      }
      var kept: [Any] = []
      do {
        try await TestStore { store in
          try await expectEqual(endless.value, .success(1))
          kept = [store]
          throw Stop()
        }
      } catch is Stop {}
      for await _ in canceled {}
      withExtendedLifetime(kept) {}
    }
  }

  // MARK: Timers

  @Test func a37_aDebounceTimerIsNamed() {
    let late = DerivedAtom {
      @UseAtomValue(Self.text, debounce: 10) var text
      return text
    }
    let report = Self.report {
      _ = late.value
      try await Self.settle()
      Self.text.value = "b"
      try await expectEqual(late.value, "a")
    }
    #expect(report.contains("text, debounced by 10.0 seconds is still running at the end of the test"))
  }

  @Test func a37_aThrottleTimerIsNamed() {
    let late = DerivedAtom {
      @UseAtomValue(Self.text, throttle: 10) var text
      return text
    }
    let report = Self.report {
      _ = late.value
      try await Self.settle()
      Self.text.value = "b"
      try await expectEqual(late.value, "a")
    }
    #expect(report.contains("text, throttled to one in 10.0 seconds is still running at the end of the test"))
  }

  @Test func a37_aRunThatWaitsForATimerIsNamed() {
    let search = AsyncAtom { () -> String in
      @UseAtomValue(Self.text, debounce: 10) var text
      return text
    }.debugLabel("search")
    let report = Self.report {
      _ = try await search.result
      Self.text.value = "b"
      try await expectEqual(search.value, .loading)
    }
    #expect(report.contains("search is still running at the end of the test"))
  }

  // MARK: Uses

  private actor Reader {}

  private final class Screen {}

  @MainActor @Test func a34_modelsAndObservationsOfOwnersAreNamed() async throws {
    let (screen, reader) = (Screen(), Reader())
    var left: [Any] = []
    let found = await issues {
      try await TestStore { store in
        left.append(AtomModel(Self.number))
        store.observe(screen, Self.double) { _, _ in }
        store.observe(reader, Self.text) { _, _ in }
      }
    }
    #expect(
      found.map { $0.prefix { $0 != "." } }
        == ["double", "number", "text"].map { "\($0) is still in use at the end of the test" })
    try await TestStore { store in
      _ = AtomModel(Self.number)
      store.observe(screen, Self.double) { _, _ in }.cancel()
      store.observe(reader, Self.text) { _, _ in }.cancel()
    }
    withExtendedLifetime((screen, reader, left)) {}
  }
}
