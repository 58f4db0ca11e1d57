import ActorStoreTesting
import Synchronization
import Testing

@testable import ActorStore

/// A watchdog reports turns that are held for too long.
@Suite struct WatchdogTests {
  // MARK: Reports

  @Test func p21_heldTurnIsReportedAndSoIsItsEnd() throws {
    try Simulation.explore(schedules: 30, timers: .race(upTo: 0)) {
      let reports = Witness<TurnReport>()
      let store = Store(Log(), guards: [watchdog(reports).makeGuard()], name: "log")
      await withTaskGroup { group in
        group.addTask { _ = await store.dispatch(Sleep(seconds: 5)) }
        group.addTask { _ = await store.dispatch(Append(2)) }
        group.addTask { _ = await store.dispatch(Append(3)) }
      }
      try await SimulationClock().sleep(for: .seconds(2))
      let all = reports.all
      try Simulation.expect(all.map(\.event) == [.held, .ended], "\(all)")
      for report in all {
        try Simulation.expect(report.storeName == "log" && report.action == "Sleep" && report.phase == .running)
        try Simulation.expect(report.wait == .unseen)
        // An `Append` may have run first.
        try Simulation.expect(report.waiting == report.waitingActions.count && report.waiting <= 2)
        try Simulation.expect(report.waitingActions.allSatisfy { $0 == "Append" })
      }
      try Simulation.expect(all[0].ticket == all[1].ticket)
      try Simulation.expect(all[0].held.lowerBound >= .seconds(1) && all[0].held.upperBound <= .seconds(2))
      try Simulation.expect(all[0].held == all[0].age)
      try Simulation.expect(all[1].held.contains(.seconds(5)), "\(all[1].held)")
    }
  }

  /// A report is at most one limit late, wherever the turn begins between two looks.
  @Test func p21_everyTurnThatIsHeldForTwiceTheLimitIsReported() throws {
    try Simulation.explore(schedules: 20, timers: .race(upTo: 0)) {
      let clock = SimulationClock()
      let reports = Witness<(TurnReport, at: Duration)>()
      let watchdog = TurnWatchdog(limit: .seconds(1), clock: clock) { reports.saw(($0, clock.now.offset)) }
      let store = Store(Log(), guards: [watchdog.makeGuard()])
      var starts: [Duration] = []
      for step in 1...9 {
        starts.append(clock.now.offset)
        await store.dispatch(Sleep(milliseconds: 2_001))
        try await clock.sleep(for: .milliseconds(step * 100))
      }
      try await clock.sleep(for: .seconds(1))
      let held = reports.all.filter { $0.0.event == .held }
      try Simulation.expect(held.count == starts.count, "\(held)")
      for ((report, time), start) in zip(held, starts) {
        let age = time - start
        try Simulation.expect(age >= .seconds(1) && age <= .seconds(2), "\(age)")
        try Simulation.expect(report.age.contains(age), "\(age) \(report.age)")
      }
      try Simulation.expect(reports.all.count == 2 * starts.count)
    }
  }

  @Test func p21_turnsBelowTheLimitAreNotReported() throws {
    try Simulation.explore(schedules: 20) {
      let reports = Witness<TurnReport>()
      let store = Store(Log(), guards: [watchdog(reports).makeGuard()])
      await withTaskGroup { group in
        for _ in 0..<20 { group.addTask { await store.dispatch(Sleep(milliseconds: 999)) } }
      }
      try Simulation.expect(reports.all.isEmpty, "\(reports.all)")
    }
  }

  @Test func p21_overlappingActionsAndGroupsHoldNoTurn() throws {
    try Simulation.explore(schedules: 20) {
      let reports = Witness<TurnReport>()
      let store = Store(Log(), guards: [watchdog(reports).makeGuard()])
      await store.dispatch(Sleep(seconds: 10), policy: .overlapping)
      await store.dispatch(SleepingGroup())
      try Simulation.expect(reports.all.isEmpty, "\(reports.all)")
    }
  }

  @Test func p21_holderThatWaitsForAnotherStore() throws {
    try Simulation.explore(schedules: 30, timers: .race(upTo: 0)) {
      let reports = Witness<TurnReport>()
      let watchdog = watchdog(reports)
      let bank = Store(Log(), guards: [watchdog.makeGuard()], name: "bank")
      let shop = Store(Log(), guards: [watchdog.makeGuard()], name: "shop")
      let sleeping = bank.send(Sleep(seconds: 5))
      await shop.dispatch { _ in await bank.dispatch(Append(1)) }
      _ = await sleeping.outcome
      let held = reports.all.filter { $0.event == .held }
      let waits = Dictionary(uniqueKeysWithValues: held.map { ($0.storeName, $0.wait) })
      let bankAndHolder = TurnReport.AwaitedStore(name: "bank", holder: "Sleep")
      try Simulation.expect(waits == ["bank": .unseen, "shop": .forStores([bankAndHolder])], "\(waits)")
    }
  }

  /// A store without a watchdog has no name in a report.
  @Test func p21_holderThatWaitsForAStoreWithoutAWatchdog() throws {
    try Simulation.explore(schedules: 20, timers: .race(upTo: 0)) {
      let reports = Witness<TurnReport>()
      let (bank, shop) = (Store(Log(), name: "bank"), Store(Log(), guards: [watchdog(reports).makeGuard()]))
      let sleeping = bank.send(Sleep(seconds: 5))
      await shop.dispatch { _ in _ = await sleeping.outcome }
      let unnamed = TurnReport.AwaitedStore(name: nil, holder: "Sleep")
      try Simulation.expect(reports.all.first?.wait == .forStores([unnamed]), "\(reports.all)")
    }
  }

  @Test func p21_holderThatWaitsForASentGroup() throws {
    try Simulation.explore(schedules: 20, timers: .race(upTo: 0)) {
      let reports = Witness<TurnReport>()
      let watchdog = watchdog(reports)
      let bank = Store(Log(), guards: [watchdog.makeGuard()], name: "bank")
      let shop = Store(Log(), guards: [watchdog.makeGuard()], name: "shop")
      await shop.dispatch { _ in _ = await bank.send(SleepingGroup()).outcome }
      let group = TurnReport.AwaitedStore(name: "group SleepingGroup", holder: nil)
      try Simulation.expect(reports.all.first?.wait == .forStores([group]), "\(reports.all)")
    }
  }

  // MARK: Never interrupting

  @Test func p21_actionIsNotInterrupted() throws {
    try Simulation.explore(schedules: 20, timers: .race(upTo: 0)) {
      let reports = Witness<TurnReport>()
      let store = Store(Log(), guards: [watchdog(reports).makeGuard()])
      let wasCancelled = await store.dispatch { log in
        try? await SimulationClock().sleep(for: .seconds(10))
        log.entries.append(1)
        return Task.isCancelled
      }
      try Simulation.expect(wasCancelled == .committed(false) && reports.all.count >= 1)
      try Simulation.expect(await store.state.entries == [1])
    }
  }

  /// The closure may use the store whose turn is held.
  @Test func p21_reportsRunWithoutALock() throws {
    try Simulation.explore(schedules: 20, timers: .race(upTo: 0)) {
      let stores = Witness<Store<Log>>()
      let lines = Witness<String>()
      let watchdog = TurnWatchdog(limit: .seconds(1), clock: SimulationClock()) { report in
        guard let store = stores.all.first else { return }
        lines.saw(store.diagnostics.description)
        store.send(Append(report.event == .held ? 7 : 8))
        _ = Store(0)
      }
      let store = Store(Log(), guards: [watchdog.makeGuard()])
      stores.saw(store)
      await store.dispatch(Sleep(seconds: 5))
      try await SimulationClock().sleep(for: .seconds(2))
      try await store.closeAndDrain()
      let entries = await store.state.entries
      try Simulation.expect(entries == [0, 7, 8], "\(entries)")
      try Simulation.expect(lines.all.count == 2)
      stores.clear()
    }
  }

  @Test func p21_watchdogLeavesNoGuardBehind() async {
    let watchdog = TurnWatchdog(limit: .seconds(1), clock: StillClock())
    let store = Store(Log(), guards: [watchdog.makeGuard()])
    #expect(store.guards == nil)
    let logged = Store(Log(), guards: [watchdog.makeGuard(), Listener()])
    #expect(logged.guards != nil)
    #expect(watchdog.count == 2)
  }

  // MARK: Simulations

  @Test func p21_deadlockIsProvenBesideAWatchdog() {
    let reports = Witness<TurnReport>()
    let verdict = verdict {
      let store = Store(Log(), guards: [watchdog(reports).makeGuard()])
      await store.dispatch { _ in await stuck() }
    }
    #expect(verdict == .deadlock)
    // The turn is reported in each run of the schedule.
    #expect(!reports.all.isEmpty && reports.all.allSatisfy { $0.event == .held })
  }

  @Test func p21_stuckSentActionIsProvenBesideAWatchdog() {
    let reports = Witness<TurnReport>()
    let verdict = verdict {
      Store(Log(), guards: [watchdog(reports).makeGuard()]).send { _ in await stuck() }
    }
    #expect(verdict == .deadlock)
    #expect(!reports.all.isEmpty)
  }

  @Test func p21_watchdogDoesNotKeepARunGoing() throws {
    try Simulation.explore(.exhaustive()) {
      let reports = Witness<TurnReport>()
      let store = Store(Log(), guards: [watchdog(reports).makeGuard()])
      await withTaskGroup { group in
        for entry in 1...2 { group.addTask { await store.dispatch(SlowAppend(entry)) } }
      }
      try Simulation.expect(await store.state.entries.count == 2)
      try Simulation.expect(reports.all.isEmpty)
    }
  }

  // MARK: Lifetimes

  @Test func p21_watchdogForgetsReleasedStores() {
    let watchdog = TurnWatchdog(limit: .seconds(1), clock: StillClock())
    var stores = (0..<10).map { _ in Store(Log(), guards: [watchdog.makeGuard()]) }
    #expect(watchdog.count == 10)
    stores.removeLast(4)
    #expect(watchdog.count == 6)
    stores = []
    #expect(watchdog.count == 0)
  }

  @Test func p21_storeIsWatchedOnceByEachWatchdog() {
    let watchdogs = (0..<2).map { _ in TurnWatchdog(limit: .seconds(1), clock: StillClock()) }
    let guards: [any ReportGuard<Log>] = watchdogs.flatMap { [$0.makeGuard(), $0.makeGuard()] }
    let store = Store(Log(), guards: guards)
    #expect(watchdogs.map(\.count) == [1, 1])
    withExtendedLifetime(store) {}
  }

  @Test func p21_watchdogLivesAsLongAsItsStores() async {
    let clock = StillClock()
    let watchdog: Weak<TurnWatchdog>
    do {
      let store: Store<Log>
      do {
        let strong = TurnWatchdog(limit: .seconds(1), clock: clock)
        watchdog = Weak(strong)
        store = Store(Log(), guards: [strong.makeGuard()])
      }
      #expect(watchdog.object != nil)
      withExtendedLifetime(store) {}
    }
    #expect(watchdog.object == nil)
    // The timer has ended, so it holds nothing.
    await clock.ended.wait()
  }

  /// If the store of a reported turn is released before the next look, the end of the turn is reported, too.
  @Test func p21_endIsReportedAfterTheStoreIsReleased() async {
    let reports = Witness<TurnReport>()
    let watchdog = TurnWatchdog(limit: .seconds(1), clock: StillClock()) { reports.saw($0) }
    do {
      let store = Store(Log(), guards: [watchdog.makeGuard()])
      let hold = Hold(until: Gate())
      let ticket = store.send(hold)
      await hold.begun.wait()
      for second in 1...2 { _ = watchdog.sweep { .seconds(second) } }
      #expect(reports.all.map(\.event) == [.held])
      hold.end.open()
      _ = await ticket.outcome
    }
    while watchdog.count > 0 { await Task.yield() }
    _ = watchdog.sweep { .seconds(3) }
    #expect(reports.all.map(\.event) == [.held, .ended])
    #expect(reports.all.last?.held == Duration.seconds(1)...Duration.seconds(3))
  }

  @Test func p21_limitMustBePositive() async {
    await #expect(processExitsWith: .failure) {
      _ = TurnWatchdog(limit: .zero, clock: StillClock())
    }
  }

  /// No clock can sleep for the longest durations, because their deadlines overflow.
  @Test(arguments: [Duration.seconds(Int64.max), .seconds(1e20)]) func p21_hugeLimits(_ limit: Duration) async {
    let clock = StillClock()
    let watchdog = TurnWatchdog(limit: limit, clock: clock)
    let deadline = await clock.deadline.get()
    #expect(clock.now.duration(to: deadline) < .nanoseconds(Int64.max / 2))
    withExtendedLifetime(watchdog) {}
  }

  // MARK: Texts

  @Test func descriptions() throws {
    try Simulation.explore(.fifo) {
      let reports = Witness<TurnReport>()
      let watchdog = watchdog(reports)
      let bank = Store(Log(), guards: [watchdog.makeGuard()], name: "bank")
      let shop = Store(Log(), guards: [watchdog.makeGuard()], name: "shop")
      let sleeping = bank.send(Sleep(seconds: 3))
      let waiting = shop.send(label: "buy") { _ in await bank.dispatch(Append(1)) }
      let more = (1...6).map { shop.send(Append($0)) }
      for ticket in [sleeping] { _ = await ticket.outcome }
      _ = await waiting.outcome
      for ticket in more { _ = await ticket.outcome }
      try await SimulationClock().sleep(for: .seconds(2))
      let lines = Set(reports.all.map(\.description))
      try Simulation.expect(
        lines == [
          """
          bank: Sleep has had the turn for 1.0 seconds to 2.0 seconds (running), 1 waiting: Append, waiting for \
          nothing that stores can see
          """,
          """
          shop: buy has had the turn for 1.0 seconds to 2.0 seconds (running), 6 waiting: Append, Append, Append, \
          Append, Append, ..., waiting for bank (Sleep has the turn)
          """,
          "bank: Sleep no longer has the turn, which it had for 1.0 seconds to 3.0 seconds",
          "shop: buy no longer has the turn, which it had for 2.0 seconds to 4.0 seconds",
        ], lines.sorted().joined(separator: "\n"))
    }
  }

  /// The names of the first waiters are unknown if many calls ahead of them were canceled.
  @Test func descriptionWithoutNamesOfWaiters() {
    let queue = TurnQueue()
    let holder = queue.takeOnlyTurn(.text("work"))
    let waiters = (0..<200).map { _ in
      queue.takeWithoutWaiting(.text("waiter"), canSuspend: true, startingIn: .running).ticket
    }
    for waiter in waiters.prefix(64) { queue.withdraw(waiter) }
    let turn = queue.sample(expecting: holder).details.map { ReportedTurn($0, holder, of: queue) }
    let time = Duration.seconds(1)...Duration.seconds(2)
    #expect(
      turn.map { TurnReport(.held, $0, held: time, age: time).description } == """
        a store: work has had the turn for 1.0 seconds to 2.0 seconds (running), 136 waiting, waiting for nothing that \
        stores can see
        """)
  }
}

/// Sleeps in its turn.
private struct Sleep: Action {
  let duration: Duration

  init(seconds: Int = 0, milliseconds: Int = 0) {
    duration = .seconds(seconds) + .milliseconds(milliseconds)
  }

  func run(_ log: inout Log) async {
    try? await SimulationClock().sleep(for: duration)
    log.entries.append(0)
  }
}

private struct SleepingGroup: ActionGroup {
  func run(with store: Store<Log>) async {
    try? await SimulationClock().sleep(for: .seconds(10))
    await store.dispatch(Append(1))
  }
}

private struct Listener: ReportGuard {
  typealias State = Log
}

/// A clock whose time stands still, so its sleepers wake only when they are canceled.
final class StillClock: Clock {
  typealias Instant = ContinuousClock.Instant

  /// The first deadline.
  let deadline = FirstValue<Instant>()
  let ended = Gate()
  let now = ContinuousClock.now
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    self.deadline.set(deadline)
    let cancelled = Gate()
    await withTaskCancellationHandler {
      await cancelled.wait()
    } onCancel: {
      cancelled.open()
    }
    ended.open()
    throw CancellationError()
  }
}

private func watchdog(_ reports: Witness<TurnReport>) -> TurnWatchdog {
  TurnWatchdog(limit: .seconds(1), clock: SimulationClock()) { reports.saw($0) }
}

private func stuck() async {
  await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
}

private func verdict(_ body: @escaping @Sendable () async -> Void) -> Simulation.Verdict? {
  do {
    try Simulation.explore(.fifo, body: body)
    return nil
  } catch { return error.verdict }
}
