import ActorStore
import ActorStoreTesting
import Testing

@testable import Atoms

/// Debounced and throttled reads (A26), in virtual time.
@Suite struct PacingTests {
  /// The clock of a simulation, which counts the sleeps that have not ended.
  private struct CountingClock: Clock {
    typealias Instant = SimulationClock.Instant
    private let base = SimulationClock()
    let sleeps = Locked(0)

    final class Locked: Sendable {
      private let count: ActorStore.Locked<Int>
      init(_ count: Int) { self.count = ActorStore.Locked(count) }
      var value: Int { count.withLock { $0 } }
      func add(_ number: Int) { count.withLock { $0 += number } }
    }

    var now: Instant { base.now }
    var minimumResolution: Duration { base.minimumResolution }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
      sleeps.add(1)
      defer { sleeps.add(-1) }
      try await base.sleep(until: deadline, tolerance: tolerance)
    }
  }

  /// What a test uses.
  private struct Subject: Sendable {
    let clock = CountingClock()
    let store: AtomStore
    let text = Atom("a", keepAlive: true)

    init(_ faults: GraphFaults = []) {
      store = AtomStore(clock: clock)
      store.plant(faults)
    }

    /// The milliseconds since the beginning.
    var time: Int { Int(clock.now.offset / .milliseconds(1)) }

    func sleep(_ milliseconds: Int) async throws { try await clock.sleep(for: .milliseconds(milliseconds)) }
  }

  private static func explore(
    _ faults: GraphFaults = [], schedules: Int = 50, _ body: @escaping @Sendable (Subject) async throws -> Void
  ) throws {
    try Simulation.explore(.mixed(seed: 7), schedules: schedules, timers: .race(upTo: 0)) {
      try await body(Subject(faults))
    }
  }

  @Test func a26_aBurstStartsOneRunAfterTheQuietTime() throws {
    try Self.explore { subject in
      let (store, text, seen) = (subject.store, subject.text, Recorder<String>())
      let search = AsyncAtom(keepAlive: true) { () -> String in
        @UseAtomValue(text, debounce: 0.3) var text
        seen.add("\(text) \(subject.time)")
        return text.uppercased()
      }
      let observation = store.observe(search) { _ in }
      _ = try await store.result(of: search)
      for letter in ["b", "c", "d"] {
        try await subject.sleep(100)
        store.set(text, letter)
        try Simulation.expect(store.get(search).loading, "the state is not loading at once")
      }
      let last = try await store.result(of: search)
      try Simulation.expect(last == "D" && seen.all == ["a 0", "d 600"], "\(last) after \(seen.all)")
      // A set to the same value is no change.
      store.set(text, "d")
      try Simulation.expect(store.get(search) == .success("D"), "an equal set starts a run")
      withExtendedLifetime(observation) {}
    }
  }

  @Test func a26_anotherDependencyStartsARunAtOnce() throws {
    try Self.explore { subject in
      let (store, text, number, seen) = (subject.store, subject.text, Atom(1), Recorder<String>())
      let search = AsyncAtom(keepAlive: true) { () -> Int in
        @UseAtomValue(text, debounce: .milliseconds(300)) var text
        seen.add("\(text) \(number.value) \(subject.time)")
        return 0
      }
      let observation = store.observe(search) { _ in }
      _ = try await store.result(of: search)
      store.set(text, "b")
      try await subject.sleep(100)
      store.set(number, 2)
      _ = try await store.result(of: search)
      try await subject.sleep(1_000)
      try Simulation.expect(seen.all == ["a 1 0", "b 2 100"], "\(seen.all)")
      withExtendedLifetime(observation) {}
    }
  }

  @Test func a26_aDerivedAtomFollowsAfterTheQuietTime() throws {
    try Self.explore { subject in
      let (store, text, seen) = (subject.store, subject.text, Recorder<String>())
      let derived = DerivedAtom {
        @UseAtomValue(text, debounce: 0.3) var text
        return text.uppercased()
      }
      let observation = store.observe(derived) { seen.add("\($0) \(subject.time)") }
      for letter in ["b", "c", "d"] {
        try await subject.sleep(100)
        store.set(text, letter)
        try Simulation.expect(store.get(derived) == "A", "\(store.get(derived)) before the quiet time")
      }
      try await subject.sleep(1_000)
      try Simulation.expect(seen.all == ["A 0", "D 600"], "\(seen.all)")
      store.set(text, "e")
      store.set(text, "d")
      try await subject.sleep(1_000)
      try Simulation.expect(seen.all == ["A 0", "D 600"], "\(seen.all)")
      withExtendedLifetime(observation) {}
    }
  }

  @Test func a26_aThrottledAtomChangesAtMostOnceInTheTime() throws {
    try Self.explore { subject in
      let (store, text, seen) = (subject.store, subject.text, Recorder<String>())
      let derived = DerivedAtom {
        @UseAtomValue(text, throttle: .milliseconds(300)) var text
        return text
      }
      let observation = store.observe(derived) { seen.add("\($0) \(subject.time)") }
      for letter in ["b", "c", "d", "e", "f"] {
        try await subject.sleep(100)
        store.set(text, letter)
      }
      try await subject.sleep(1_000)
      store.set(text, "g")
      try await subject.sleep(1_000)
      let all = seen.all
      // At 300 and 600 milliseconds, the atom can be set before or after the timer fires. If it is set after the timer
      // fires but before the run that the timer starts, the change at 300 milliseconds waits for the next timer.
      let possible = [
        ["a 0", "c 300", "f 600", "g 1500"], ["a 0", "d 300", "f 600", "g 1500"], ["a 0", "f 600", "g 1500"],
      ]
      try Simulation.expect(possible.contains(all), "\(all)")
      withExtendedLifetime(observation) {}
    }
  }

  /// This also holds if a set arrives while a run is under way.
  @Test(arguments: [0, 50]) func a26_aThrottledBurstOfRunsEndsOnTheLastValue(duration: Int) throws {
    try Self.explore { subject in
      let (store, text, seen) = (subject.store, subject.text, Recorder<String>())
      let search = AsyncAtom(keepAlive: true) { () async throws -> String in
        @UseAtomValue(text, throttle: 0.3) var text
        seen.add("\(text) \(subject.time)")
        if duration > 0 { try await subject.sleep(duration) }
        return text
      }
      let observation = store.observe(search) { _ in }
      let first = try await store.result(of: search)
      for letter in ["b", "c", "d", "e", "f"] {
        try await subject.sleep(110)
        store.set(text, letter)
        try Simulation.expect(store.get(search).loading, "the state is not loading at once")
      }
      let last = try await store.result(of: search)
      try Simulation.expect(first == "a" && last == "f", "\(first) and \(last)")
      let all = duration == 0 ? ["a 0", "c 300", "f 600"] : ["a 0", "c 300", "e 600", "f 900"]
      try Simulation.expect(duration > 0 ? seen.all.last?.first == "f" : seen.all == all, "\(seen.all)")
      let times = seen.all.compactMap { Int($0.dropFirst(2)) }
      try Simulation.expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= 300 }, "\(seen.all)")
      withExtendedLifetime(observation) {}
    }
  }

  /// The ways to delay a wrapper by 0.3 seconds.
  enum Delay: CaseIterable, Sendable {
    case debounce, debounceInSeconds, debounceInFractions, throttle, throttleInSeconds

    func wrapper(of text: Atom<String>) -> UseAtom<String> {
      switch self {
      case .debounce: UseAtom(text, debounce: .milliseconds(300))
      case .debounceInSeconds: UseAtom(text, debounce: 0.3)
      case .debounceInFractions: UseAtom(text, debounce: .seconds(0.3))
      case .throttle: UseAtom(text, throttle: .milliseconds(300))
      case .throttleInSeconds: UseAtom(text, throttle: 0.3)
      }
    }
  }

  @Test(arguments: Delay.allCases) func a26_aWrapperFollowsAfterItsDelay(_ delay: Delay) throws {
    try Self.explore { subject in
      let (store, text) = (subject.store, subject.text)
      let wrapper = store.callAsCurrent { delay.wrapper(of: text) }
      try Simulation.expect(wrapper.wrappedValue == "a", "\(wrapper.wrappedValue) at first")
      // Until the first run has read the value, no delay has begun.
      try await subject.sleep(1)
      wrapper.wrappedValue = "b"
      try Simulation.expect(store.get(text) == "b" && wrapper.wrappedValue == "a", "a set is not at once")
      // If nothing has read the value since the set, the delay begins with the next read.
      try await subject.sleep(299)
      _ = wrapper.wrappedValue
      try await subject.sleep(301)
      try Simulation.expect(wrapper.wrappedValue == "b", "\(wrapper.wrappedValue) after the delay")
    }
  }

  @Test func a36_aPacedAtomHasTheLabelOfItsAtom() {
    let (store, text) = (AtomStore(), Atom("a"))
    let wrapper = store.callAsCurrent { UseAtomValue(text, debounce: .seconds(1)) }
    #expect(wrapper.wrappedValue == "a")
    _ = text.debugLabel("text")
    let labels = store.core.state.withLock { $0.allCells.map(\.definition.label).sorted() }
    #expect(labels == ["text", "text, debounced by 1.0 seconds", "text, debounced by 1.0 seconds"])
  }

  @Test(arguments: [false, true]) func a26_racesEndOnTheLastValueAndLeaveNoTimer(isThrottled: Bool) throws {
    try Self.explore(schedules: 200) { try await Self.race($0, isThrottled: isThrottled) }
  }

  #if DEBUG
    @Test(arguments: [GraphFaults.keepTimer, .loseRestart])
    func racesFindAKnownBadGraph(_ fault: GraphFaults) {
      #expect(throws: (any Error).self) {
        try Self.explore(fault, schedules: 200) { try await Self.race($0, isThrottled: false) }
      }
    }
  #endif

  /// Sets, reloads, uses, and results race with the timers of a run and of a derived atom.
  private static func race(_ subject: Subject, isThrottled: Bool) async throws {
    let (store, text) = (subject.store, subject.text)
    let paced: @Sendable () -> UseAtomValue<String> = {
      isThrottled ? UseAtomValue(text, throttle: 0.002) : UseAtomValue(text, debounce: 0.002)
    }
    let search = AsyncAtom { () async -> String in
      let wrapper = paced()
      let first = wrapper.wrappedValue
      await Task.yield()
      return wrapper.wrappedValue == first ? first.uppercased() : "a mixture"
    }
    let derived = DerivedAtom { paced().wrappedValue.uppercased() }
    try await withThrowingTaskGroup { group in
      group.addTask {
        for letter in ["b", "c", "d"] {
          store.set(text, letter)
          try await subject.sleep(1)
        }
      }
      group.addTask {
        for _ in 0..<3 {
          store.callAsCurrent { search.reload() }
          try await subject.sleep(1)
        }
      }
      group.addTask {
        for _ in 0..<3 {
          let observations = [store.observe(search) { _ in }, store.observe(derived) { _ in }]
          try await subject.sleep(1)
          withExtendedLifetime(observations) {}
        }
      }
      group.addTask {
        for _ in 0..<2 {
          let result = try await store.result(of: search)
          try Simulation.expect(["A", "B", "C", "D"].contains(result), result)
          try await subject.sleep(1)
        }
      }
      try await group.waitForAll()
    }
    let observations = [store.observe(search) { _ in }, store.observe(derived) { _ in }]
    try await subject.sleep(100)
    try Simulation.expect(store.get(search) == .success("D"), "\(store.get(search)) at the end")
    try Simulation.expect(store.get(derived) == "D", "\(store.get(derived)) at the end")
    store.set(text, "e")
    for observation in observations { observation.cancel() }
    try await subject.sleep(1)
    try Simulation.expect(subject.clock.sleeps.value == 0, "\(subject.clock.sleeps.value) timers are left")
  }

  @Test func a30_aReleaseLeavesNoTimer() throws { try Self.explore([], Self.releaseOfPacedAtoms) }

  #if DEBUG
    @Test func a30_aTimerLeftBehindIsFoundInAKnownBadGraph() {
      #expect(throws: (any Error).self) { try Self.explore(.keepTimer, Self.releaseOfPacedAtoms) }
    }
  #endif

  private static let releaseOfPacedAtoms: @Sendable (Subject) async throws -> Void = { subject in
    let (store, text) = (subject.store, subject.text)
    let derived = DerivedAtom {
      @UseAtomValue(text, debounce: 1_000) var text
      return text
    }
    let search = AsyncAtom { () -> String in
      @UseAtomValue(text, debounce: 1_000) var text
      return text
    }
    let throttled = DerivedAtom {
      @UseAtomValue(text, throttle: 1_000) var text
      return text
    }
    let throttledSearch = AsyncAtom { () -> String in
      @UseAtomValue(text, throttle: 1_000) var text
      return text
    }
    let observations = [
      store.observe(derived) { _ in }, store.observe(search) { _ in },
      store.observe(throttled) { _ in }, store.observe(throttledSearch) { _ in },
    ]
    for atom in [search, throttledSearch] { _ = try await store.result(of: atom) }
    try await subject.sleep(1_000)
    store.set(text, "b")
    try await subject.sleep(1_000)
    try Simulation.expect(subject.clock.sleeps.value == 4, "\(subject.clock.sleeps.value) timers")
    for observation in observations { observation.cancel() }
    try await subject.sleep(1_000)
    try Simulation.expect(subject.clock.sleeps.value == 0, "\(subject.clock.sleeps.value) timers are left")
  }
}
