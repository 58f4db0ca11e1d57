import ActorStore
import ActorStoreTesting
import Testing

@testable import Atoms

/// The times of debounced and throttled reads (A26): when they begin, and which values are valid.
@Suite struct PacingTimeTests {
  // MARK: When a change counts

  /// A clock that the test sets, whose sleeps end immediately.
  private struct ManualClock: Clock {
    struct Instant: InstantProtocol {
      let offset: Duration
      func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
      func duration(to other: Instant) -> Duration { other.offset - offset }
      static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
    }

    /// The time, which is never reset.
    let times = Recorder<Duration>()
    let deadlines = Recorder<Duration>()

    var now: Instant { Instant(offset: times.all.last ?? .zero) }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws { deadlines.add(deadline.offset) }
  }

  /// In some of the schedules, the task of the run starts after the clock has advanced.
  @Test(arguments: [false, true]) func a26_theTimeBeginsWhenTheChangeIsNoticed(isWatched: Bool) throws {
    try Simulation.explore(.mixed(seed: 7), schedules: 50, timers: .race(upTo: 0)) {
      let (clock, text) = (ManualClock(), Atom("a", keepAlive: true))
      let store = AtomStore(clock: clock)
      let search = AsyncAtom(keepAlive: true) { () -> String in
        @UseAtomValue(text, debounce: 0.3) var text
        return text.uppercased()
      }
      let observation = isWatched ? store.observe(search) { _ in } : nil
      _ = try await store.result(of: search)
      store.set(text, "b")
      // Another task may be delivering. The read also notices the change.
      _ = store.get(search)
      clock.times.add(.milliseconds(100))
      let last = try await store.result(of: search)
      try Simulation.expect(last == "B" && clock.deadlines.all == [.milliseconds(300)], "\(clock.deadlines.all)")
      withExtendedLifetime(observation) {}
    }
  }

  /// The first change that counts starts the run, even if another one has been noticed since.
  @Test func a26_eachChangeCountsAfterItsOwnTime() throws {
    try Simulation.explore(.mixed(seed: 7), schedules: 50, timers: .race(upTo: 0)) {
      let (store, clock, seen) = (AtomStore(), SimulationClock(), Recorder<String>())
      let (quick, slow, never) = (Atom(0, keepAlive: true), Atom(0, keepAlive: true), Atom(0, keepAlive: true))
      let sum = AsyncAtom(keepAlive: true) { () -> Int in
        @UseAtomValue(quick, debounce: 0.3) var quick
        @UseAtomValue(slow, debounce: 10) var slow
        @UseAtomValue(never, throttle: .infinity) var never
        seen.add("\(quick)\(slow)\(never) \(clock.now.offset)")
        return quick + slow + never
      }
      let observation = store.observe(sum) { _ in }
      _ = try await store.result(of: sum)
      store.set(quick, 1)
      try await clock.sleep(for: .milliseconds(200))
      store.set(slow, 1)
      store.set(never, 1)
      try await clock.sleep(for: .seconds(20))
      store.set(slow, 2)
      try await clock.sleep(for: .seconds(9))
      store.set(quick, 2)
      try await clock.sleep(for: .milliseconds(200))
      // The quiet time of this dependency begins again, and that of the other one does not.
      store.set(quick, 3)
      try await clock.sleep(for: .seconds(20))
      let expected = ["000 0.0 seconds", "111 0.3 seconds", "321 29.7 seconds"]
      try Simulation.expect(seen.all == expected, "\(seen.all)")
      withExtendedLifetime(observation) {}
    }
  }

  /// After a cancellation, a change counts after its own time, not after that of an earlier change.
  @Test func a26_aCancellationEndsTheWait() throws {
    try Simulation.explore(.mixed(seed: 7), schedules: 50, timers: .race(upTo: 0)) {
      let (store, clock, seen) = (AtomStore(), SimulationClock(), Recorder<String>())
      let (first, second) = (Atom(0, keepAlive: true), Atom(0, keepAlive: true))
      let sum = AsyncAtom(keepAlive: true) { () -> Int in
        @UseAtomValue(first, debounce: 1) var first
        @UseAtomValue(second, debounce: 10) var second
        seen.add("\(first)\(second) \(clock.now.offset)")
        return first + second
      }
      let observation = store.observe(sum) { _ in }
      _ = try await store.result(of: sum)
      store.set(first, 1)
      store.callAsCurrent { sum.cancel() }
      try Simulation.expect(store.get(sum) == .success(0), "\(store.get(sum)) after the cancellation")
      store.set(second, 1)
      try await clock.sleep(for: .seconds(20))
      try Simulation.expect(seen.all == ["00 0.0 seconds", "11 10.0 seconds"], "\(seen.all)")
      withExtendedLifetime(observation) {}
    }
  }

  // MARK: Values

  @Test(arguments: [-1, -.infinity, 0] as [Double]) func a26_aNegativeTimeIsZero(seconds: Double) throws {
    try Simulation.explore(.mixed(seed: 7), schedules: 20, timers: .race(upTo: 0)) {
      let (store, clock, text) = (AtomStore(), SimulationClock(), Atom("a", keepAlive: true))
      let wrappers = store.callAsCurrent {
        [
          UseAtomValue(text, debounce: seconds), UseAtomValue(text, throttle: seconds),
          UseAtomValue(text, debounce: .seconds(seconds)), UseAtomValue(text, throttle: .seconds(-5)),
        ]
      }
      let observations = wrappers.map { wrapper in
        store.observe(DerivedAtom { wrapper.wrappedValue }) { _ in }
      }
      try await clock.sleep(for: .milliseconds(1))
      store.set(text, "b")
      try await clock.sleep(for: .milliseconds(1))
      let values = wrappers.map(\.wrappedValue)
      try Simulation.expect(values == ["b", "b", "b", "b"], "\(values)")
      withExtendedLifetime(observations) {}
    }
  }

  static let endless: [any DurationConvertible] = [
    Double.infinity, Double.greatestFiniteMagnitude, 1e19, 1e9, Duration.seconds(Int64.max),
    Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999),
  ]

  /// The state is loading, and no timer runs.
  @Test(arguments: endless.indices, [false, true])
  func a26_aChangeWithAnEndlessTimeStartsNoRun(index: Int, isThrottled: Bool) throws {
    try Simulation.explore(.mixed(seed: 7), schedules: 20, timers: .race(upTo: 0)) {
      let (store, clock, seen) = (AtomStore(), SimulationClock(), Recorder<String>())
      let (text, number) = (Atom("a", keepAlive: true), Atom(1, keepAlive: true))
      let wrapper: @Sendable () -> UseAtomValue<String> = {
        isThrottled
          ? UseAtomValue(text, throttle: Self.endless[index]) : UseAtomValue(text, debounce: Self.endless[index])
      }
      let search = AsyncAtom(keepAlive: true) { () -> String in
        let text = wrapper().wrappedValue + "\(number.value)"
        seen.add(text)
        return text
      }
      let derived = DerivedAtom { wrapper().wrappedValue }
      let observations = [store.observe(search) { _ in }, store.observe(derived) { _ in }]
      _ = try await store.result(of: search)
      try await clock.sleep(for: .seconds(1))
      store.set(text, "b")
      try Simulation.expect(store.get(search).loading, "the state is not loading")
      try await clock.sleep(for: .seconds(10_000_000_000))
      try Simulation.expect(store.get(search).loading && store.get(search.latest) == "a1", "a run has begun")
      try Simulation.expect(store.get(derived) == "a", "\(store.get(derived))")
      try Simulation.expect(store.leftovers.running.isEmpty, "\(store.leftovers.running)")
      store.callAsCurrent { search.cancel() }
      try Simulation.expect(store.get(search) == .success("a1"), "\(store.get(search)) after the cancellation")
      store.set(text, "c")
      store.callAsCurrent { search.reload() }
      _ = try await store.result(of: search)
      store.set(text, "d")
      store.set(number, 2)
      let last = try await store.result(of: search)
      try Simulation.expect(last == "d2" && seen.all == ["a1", "c1", "d2"], "\(seen.all)")
      withExtendedLifetime(observations) {}
    }
  }

  /// The longest time counts on a clock that is near the end of its range.
  @Test func a26_noTimeOverflows() throws {
    try Simulation.explore(.mixed(seed: 7), schedules: 5, timers: .race(upTo: 0)) {
      let (store, clock, text) = (AtomStore(), SimulationClock(), Atom("a", keepAlive: true))
      try await clock.sleep(for: .seconds(Int64.max))
      for isThrottled in [false, true] {
        store.set(text, "a")
        let derived = DerivedAtom {
          let wrapper =
            isThrottled
            ? UseAtomValue(text, throttle: 999_999_999) : UseAtomValue(text, debounce: .seconds(999_999_999))
          return wrapper.wrappedValue
        }
        let observation = store.observe(derived) { _ in }
        try await clock.sleep(for: .seconds(1))
        store.set(text, "b")
        try await clock.sleep(for: .seconds(999_999_000))
        try Simulation.expect(store.get(derived) == "a", "\(store.get(derived)) before the time")
        try await clock.sleep(for: .seconds(1_000))
        try Simulation.expect(store.get(derived) == "b", "\(store.get(derived)) after the time")
        withExtendedLifetime(observation) {}
      }
    }
  }

  @Test func a26_aTimeThatIsNotANumberTrapsWithAMessage() async {
    let debounced = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = UseAtom(Atom(0), debounce: Double.nan)
    }
    let throttled = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = UseAtomValue(Atom(0), throttle: .seconds(.nan))
    }
    for result in [debounced, throttled] {
      let message = string(from: result?.standardErrorContent)
      #expect(message.contains("Atoms: NaN is no number of seconds. To wait forever, pass .infinity."), "\(message)")
    }
  }

  @Test func anEndlessTimeHasAName() {
    let (store, text) = (AtomStore(), Atom("a").debugLabel("text"))
    let wrappers = store.callAsCurrent {
      [UseAtomValue(text, debounce: .infinity), UseAtomValue(text, throttle: 1e300)]
    }
    let labels = Set(store.core.state.withLock { $0.allCells.map(\.definition.label) })
    #expect(labels == ["text, debounced forever", "text, throttled forever"])
    withExtendedLifetime(wrappers) {}
  }

  /// Variables and expressions of both types compile, like the literals in the other tests.
  @Test func variablesOfBothTypesAreTimes() {
    let (text, seconds, duration) = (Atom("a"), 0.5, Duration.milliseconds(500))
    let wrappers = [
      UseAtomValue(text, debounce: seconds), UseAtomValue(text, debounce: duration),
      UseAtomValue(text, throttle: seconds / 2), UseAtomValue(text, throttle: duration * 2),
      UseAtomValue(text, throttle: 1), UseAtomValue(text, throttle: .seconds(1)),
    ]
    #expect(wrappers.map(\.wrappedValue) == Array(repeating: "a", count: 6))
  }

  // MARK: Logic

  @Test func aPaceSaysWhenAChangeCounts() {
    let (now, second) = (Duration.seconds(10), Duration.seconds(1))
    #expect(Pace.debounce(second).due(noticed: now, begun: nil) == .at(.seconds(11)))
    #expect(Pace.debounce(second).due(noticed: now, begun: now) == .at(.seconds(11)))
    #expect(Pace.throttle(second).due(noticed: now, begun: nil) == .at(now))
    #expect(Pace.throttle(second).due(noticed: now, begun: .seconds(5)) == .at(now))
    #expect(Pace.throttle(second).due(noticed: now, begun: .seconds(9.5)) == .at(.seconds(10.5)))
    for pace in [Pace.debounce(nil), .throttle(nil)] { #expect(pace.due(noticed: now, begun: now) == .never) }
    #expect(Due.at(.seconds(Int64.max)) < .never)
  }
}
