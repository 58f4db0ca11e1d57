import ActorStore
import ActorStoreEvents
import ActorStoreTesting
import Testing

/// The props that each strategy delivers, in virtual time.
@Suite struct StrategyTests {
  /// Changes the title at each time, in milliseconds, and returns the rendered props one second later.
  private static func rendered(
    _ times: [Int], _ strategy: @Sendable (SimulationClock) -> DeliveryStrategy
  ) async throws -> [String] {
    let (clock, store, stage) = (SimulationClock(), Store(Rows()), Stage(""))
    await stage.connect(store.select(\.title), strategy(clock))
    try await clock.sleep(for: .milliseconds(1))
    for (index, time) in times.enumerated() {
      try await clock.sleep(for: .milliseconds(time - (index == 0 ? 0 : times[index - 1])))
      await store.dispatch { $0.title = "\(time)" }
    }
    try await clock.sleep(for: .seconds(1))
    return await stage.rendered
  }

  private static func expect(
    _ expected: [String], after times: [Int], _ strategy: @escaping @Sendable (SimulationClock) -> DeliveryStrategy
  ) throws {
    try Simulation.explore(.mixed(seed: 0), schedules: 50, timers: .race(upTo: 0)) {
      let rendered = try await rendered(times, strategy)
      try Simulation.expect(rendered == expected, "rendered \(rendered)")
    }
  }

  @Test func e14_immediate() throws {
    try Self.expect(["", "10", "20", "300"], after: [10, 20, 300]) { _ in .immediate }
    try Self.expect(["", "10", "20"], after: [10, 20]) { .debounced(for: .zero, clock: $0) }
    try Self.expect(["", "10", "20"], after: [10, 20]) { .throttled(for: .seconds(-1), clock: $0) }
  }

  @Test func e14_aDebouncedComponentEndsOnTheLastProps() throws {
    try Self.expect(["", "30", "300"], after: [10, 20, 30, 250, 300]) {
      .debounced(for: .milliseconds(100), clock: $0)
    }
  }

  @Test func e14_throttled() throws {
    let times = [10, 20, 130, 140, 250, 500]
    try Self.expect(["", "20", "140", "250", "500"], after: times) {
      .throttled(for: .milliseconds(100), clock: $0)
    }
    try Self.expect(["", "130", "250", "500"], after: times) {
      .throttled(for: .milliseconds(100), edge: .leading, clock: $0)
    }
    try Self.expect(["", "20", "140", "250", "500"], after: times) {
      .throttled(for: .milliseconds(100), edge: .trailing, clock: $0)
    }
  }

  @Test func e14_streamsHaveStrategies() throws {
    try Simulation.explore(.mixed(seed: 1), schedules: 50, timers: .race(upTo: 0)) {
      let (clock, store) = (SimulationClock(), Store(Rows()))
      let titles = store.select(\.title).values(strategy: .debounced(for: .milliseconds(100), clock: clock))
      try await clock.sleep(for: .milliseconds(1))
      for title in ["a", "b", "c"] { await store.dispatch { $0.title = title } }
      try await clock.sleep(for: .seconds(1))
      for title in ["d", "e"] { await store.dispatch { $0.title = title } }
      store.close()
      let seen = await titles.reduce(into: []) { $0.append($1) }
      try Simulation.expect(seen == ["", "c", "e"], "the stream has \(seen)")
    }
  }

  /// A canceled consumer leaves neither a task nor a subscription behind.
  @Test func e14_aCanceledStreamEndsItsSubscription() throws {
    try Simulation.explore(.mixed(seed: 2), schedules: 50) {
      let (clock, store) = (SimulationClock(), Store(Rows()))
      let task = Task.inheritingExecutor {
        for await _ in store.select(\.title).values(strategy: .throttled(for: .seconds(1), clock: clock)) {}
      }
      try await clock.sleep(for: .milliseconds(1))
      await store.dispatch { $0.title = "a" }
      task.cancel()
      await task.value
      try await clock.sleep(for: .milliseconds(1))
      let count = store.diagnostics.subscribers.count
      try Simulation.expect(count == 0, "\(count) subscribers are left")
    }
  }

  /// A value is not lost if it cannot be delayed.
  @Test func e14_aFailingClockDelaysNothing() async {
    let store = Store(Rows())
    var titles = store.select(\.title).values(strategy: .debounced(for: .seconds(3_600), clock: FailingClock()))
      .makeAsyncIterator()
    #expect(await titles.next() == "")
    for title in ["a", "b"] {
      await store.dispatch { $0.title = title }
      #expect(await titles.next() == title)
    }
  }

  // MARK: Comparisons

  private static func rendered(_ select: @Sendable (Store<Rows>) -> Selected<Rows, Rows.Row?>) async -> [Rows.Row] {
    let (store, stage) = (Store(Rows.filled(1)), Stage(Rows.Row()))
    await stage.connect(select(store))
    try? await SimulationClock().sleep(for: .seconds(1))
    let changes: [@Sendable (inout Rows.Row) -> Void] = [
      { $0.count = 1 }, { _ in }, { $0.text = "a" }, { $0.count = 2 },
    ]
    for change in changes {
      await store.dispatch { $0.rows.update(id: 0, change) }
      try? await SimulationClock().sleep(for: .seconds(1))
    }
    return await stage.rendered
  }

  private static func expect(
    _ expected: [(Int, String)], _ select: @escaping @Sendable (Store<Rows>) -> Selected<Rows, Rows.Row?>
  ) throws {
    try Simulation.explore(.mixed(seed: 3), schedules: 20, timers: .race(upTo: 0)) {
      let rendered = await rendered(select)
      try Simulation.expect(
        rendered == expected.map { Rows.Row(id: 0, text: $0.1, count: $0.0) }, "rendered \(rendered)")
    }
  }

  @Test func e14_comparisons() throws {
    try Self.expect([(0, ""), (1, ""), (1, "a"), (2, "a")]) { $0.select(Rows.row(0)) }
    try Self.expect([(0, ""), (1, ""), (1, ""), (1, "a"), (2, "a")]) { $0.select(Rows.row(0), .always) }
    try Self.expect([(0, ""), (1, "a")]) { $0.select(Rows.row(0), .onChange(of: \.?.text)) }
    try Self.expect([(0, ""), (1, "a")]) { $0.select(Rows.row(0), .onChange(of: \.?.text, \.?.id)) }
    try Self.expect([(0, ""), (2, "a")]) { $0.select(Rows.row(0), .by { last, new in new?.count != 2 }) }
  }
}
