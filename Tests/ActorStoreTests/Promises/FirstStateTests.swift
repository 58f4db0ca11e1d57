import ActorStoreTesting
import TestSize
import Testing

@testable import ActorStore

/// `first` returns the first committed state that matches, or throws an error if the wait ends without one.
@Suite struct FirstStateTests {
  @Test func returnsImmediatelyIfTheCurrentStateMatches() async throws {
    let store = Store(Log(entries: [1]))
    #expect(try await store.select().first { !$0.entries.isEmpty }.entries == [1])
    #expect(try await store.select().first(within: .zero) { !$0.entries.isEmpty }.entries == [1])
    store.close()
    #expect(try await store.select().first { !$0.entries.isEmpty }.entries == [1])
    #expect(store.hub.isEmpty)
  }

  /// Under any schedule, the call returns the first match, even if other states follow immediately.
  @Test func returnsTheFirstMatch() {
    explore {
      let store = Store(Log())
      let asked = Witness<Int>()
      // The caller leaves its actor before it waits, so other actions may run in between.
      async let third = Caller().reaches(3, store, asked)
      await withTaskGroup { group in
        for task in 0..<2 {
          group.addTask { for entry in 0..<3 { await store.dispatch(Append(10 * task + entry)) } }
          group.addTask { await store.dispatch(SlowAppend(task)) }
        }
      }
      store.close()
      let count = await third.map(\.entries.count)
      // The call may have begun after the third commit.
      let first = asked.all.first ?? 9
      let isFine = first <= 3 ? asked.all == Array(first...3) && count == .success(3) : count == .failure(.closed)
      return isFine && store.hub.isEmpty ? nil : "\(count), asked \(asked.all)"
    }
  }

  private actor Caller {
    func reaches(_ count: Int, _ store: Store<Log>, _ asked: Witness<Int>) async -> Result<Log, StateWaitError> {
      await Result { () async throws(StateWaitError) in
        try await store.select().first { log in
          asked.saw(log.entries.count)
          return log.entries.count == count
        }
      }
    }
  }

  @Test func theFirstMatchIsNotMissed() async throws {
    let store = Store(Log())
    let waiting = Task { try await store.select().first { $0.entries == [1] } }
    while store.hub.states.waitingCount == 0 { await Task.yield() }
    store.send(Append(1))
    store.send(Append(2))
    #expect(try await waiting.value.entries == [1])
  }

  // MARK: Errors

  @Test func canceled() {
    explore {
      let store = Store(Log())
      let waiting = Simulation.task {
        await Result { () async throws(StateWaitError) in try await store.select().first { _ in false } }
      }
      let commits = Simulation.task { await store.dispatch(Append(1)) }
      waiting.cancel()
      let result = await waiting.value
      _ = await commits.value
      return result == .failure(.cancelled) && store.hub.isEmpty ? nil : "\(result)"
    }
  }

  @Test func canceledBeforeTheCall() async {
    let store = Store(Log())
    let result = await Task {
      withUnsafeCurrentTask { unsafe $0?.cancel() }
      return await Result { () async throws(StateWaitError) in try await store.select().first { _ in true } }
    }.value
    #expect(result == .failure(.cancelled))
  }

  @Test func closed() {
    explore {
      let store = Store(Log())
      async let result = Result { () async throws(StateWaitError) in
        try await store.select().first { $0.entries.count == 3 }
      }
      async let last = Result { () async throws(StateWaitError) in
        try await store.select().first { $0.entries.count == 2 }
      }
      await store.dispatch(SlowAppend(1))
      store.send(SlowAppend(2))
      store.close()
      // A wait for the last state succeeds.
      let results = (await result, await last.map(\.entries))
      return results == (.failure(.closed), .success([1, 2])) ? nil : "\(results)"
    }
  }

  @Test func timedOut() {
    explore(timers: .race(upTo: 0)) {
      let store = Store(Log())
      let clock = SimulationClock()
      let start = clock.now
      let never = await Result { () async throws(StateWaitError) in
        try await store.select().first(within: .seconds(60), clock: clock, where: { _ in false })
      }
      if never != .failure(.timedOut) { return "\(never)" }
      if start.duration(to: clock.now) != .seconds(60) { return "at \(start.duration(to: clock.now))" }
      async let inTime = Result { () async throws(StateWaitError) in
        try await store.select().first(within: .seconds(60), clock: clock, where: { $0.entries == [1] })
      }
      try? await clock.sleep(for: .seconds(59))
      await store.dispatch(Append(1))
      let result = await inTime.map(\.entries)
      return result == .success([1]) && store.hub.isEmpty ? nil : "\(result)"
    }
  }

  @Test func zeroAndNegativeTimeLimits() async {
    let store = Store(Log())
    for limit in [Duration.zero, .seconds(-1)] {
      let result = await Result { () async throws(StateWaitError) in
        try await store.select().first(within: limit, where: { _ in false })
      }
      #expect(result == .failure(.timedOut))
    }
    #expect(store.hub.isEmpty)
  }

  @Test func canceledBeforeTheTimeout() {
    explore(timers: .race(upTo: 0)) {
      let store = Store(Log())
      let clock = SimulationClock()
      let waiting = Simulation.task {
        await Result { () async throws(StateWaitError) in
          try await store.select().first(within: .seconds(60), clock: clock, where: { _ in false })
        }
      }
      try? await clock.sleep(for: .seconds(1))
      waiting.cancel()
      let result = await waiting.value
      return result == .failure(.cancelled) && clock.now.offset == .seconds(1) ? nil : "\(result) at \(clock.now)"
    }
  }

  // MARK: Inside actions

  @Test func p7_insideAnActionItThrowsInsteadOfWaitingForItself() {
    explore {
      let store = Store(Log())
      let results = Witness<Result<Log, StateWaitError>>()
      await store.dispatch { log async in
        log.entries.append(1)
        // The current state matches, and it is not the draft.
        results.saw(
          await Result { () async throws(StateWaitError) in try await store.select().first { $0.entries.isEmpty } })
        let wait: @Sendable () async -> Void = {
          results.saw(
            await Result { () async throws(StateWaitError) in try await store.select().first { !$0.entries.isEmpty } })
        }
        await wait()
        async let child: Void = wait()
        await child
        await Simulation.task { await wait() }.value
      }
      let own = Result<Log, StateWaitError>.failure(.wouldDeadlock)
      return results.all == [.success(Log()), own, own, own] ? nil : "\(results.all)"
    }
  }

  /// A task that an ended action left behind is not nested in that action.
  @Test func p7_aTaskThatOutlivesItsActionMayWait() async throws {
    let store = Store(Log())
    let gate = Gate()
    let left = await store.dispatch { _ async in
      Task {
        await gate.wait()
        return try await store.select().first { $0.entries == [1] }
      }
    }
    gate.open()
    while store.hub.states.waitingCount == 0 { await Task.yield() }
    store.send(Append(1))
    #expect(try await left.output?.value.entries == [1])
  }

  /// An overlapping action has no turn while it runs, so another action may commit the state it waits for.
  @Test func p7_anOverlappingActionMayWait() async throws {
    let store = Store(Log())
    async let waiting = store.dispatch(policy: .overlapping) { log async throws(StateWaitError) in
      _ = try await store.select().first { $0.entries == [1] }
      log.entries = [2]
    }
    while store.hub.states.waitingCount == 0 { await Task.yield() }
    await store.dispatch(Append(1))
    #expect(try await waiting.isCommitted)
    #expect(await store.state.entries == [2])
  }

  /// An action waits for a commit of another store, whose action waits for a turn of the first store.
  ///
  /// Under any schedule, one of the two waits gives way.
  @Test func p8_inACycleAcrossStoresOneWaitGivesWay() {
    explore(schedules: TestSize.count(2_000)) {
      let (one, other) = (Store(Log(), name: "one"), Store(Log(), name: "other"))
      async let there = Self.waitInside(one, for: other)
      async let back = other.dispatch { log async in
        log.entries.append(2)
        return await one.dispatch(Append(3))
      }
      let (waited, dispatched) = await (there, back)
      while one.diagnostics.isBusy { await Task.yield() }
      if await one.state.entries.sorted() != [1, 3] { return "\(await one.state)" }
      if WaitGraph.count(for: one.queue) + WaitGraph.count(for: other.queue) > 0 { return "a wait remains" }
      switch (waited, dispatched.output) {
      case (.success, .committed?), (.success, .deferred?), (.failure(.wouldDeadlock), .committed?): return nil
      default: return "\(waited), \(dispatched)"
      }
    }
  }

  /// A wait whose state has been committed does not close a cycle, even before its task has resumed.
  @Test func p8_aFulfilledWaitDoesNotCloseACycle() {
    explore(schedules: TestSize.count(1_000)) {
      let (one, other) = (Store(Log(), name: "one"), Store(Log(), name: "other"))
      async let there = Self.waitInside(one, for: other)
      while other.hub.states.waitingCount == 0 { await Task.yield() }
      await other.dispatch(Append(2))
      let back = await other.dispatch { _ async in await one.dispatch(Append(3)) }
      let waited = await there
      return waited.isSuccess && back.output?.isCommitted == true ? nil : "\(waited), \(back)"
    }
  }

  /// A state that is committed in time counts, even if the time limit passes before the waiting task resumes.
  @Test func aStateThatIsCommittedInTimeCounts() {
    explore(schedules: TestSize.count(1_000)) {
      let store = Store(Log())
      let clock = GatedClock()
      async let waiting = Result { () async throws(StateWaitError) in
        try await store.select().first(within: .seconds(60), clock: clock, where: { $0.entries == [1] })
      }
      await clock.asked.wait()
      await store.dispatch(Append(1))
      clock.isTime.open()
      let result = await waiting.map(\.entries)
      return result == .success([1]) ? nil : "\(result)"
    }
  }

  /// A clock that ignores cancellation delays neither a successful call nor a canceled one.
  @Test(arguments: [true, false]) func aClockThatIgnoresCancellation(isCancelled: Bool) {
    explore {
      let store = Store(Log())
      let clock = GatedClock()
      let waiting = Simulation.task {
        await Result { () async throws(StateWaitError) in
          try await store.select().first(within: .seconds(60), clock: clock, where: { $0.entries == [1] })
        }
      }
      await clock.asked.wait()
      if isCancelled { waiting.cancel() } else { await store.dispatch(Append(1)) }
      let result = await waiting.value.map(\.entries)
      // The clock is still asleep.
      let isForgotten = store.hub.isEmpty
      clock.isTime.open()
      return result == (isCancelled ? .failure(.cancelled) : .success([1])) && isForgotten ? nil : "\(result)"
    }
  }

  /// A clock that sleeps until a test opens a gate.
  private struct GatedClock: Clock {
    let asked = Gate()
    let isTime = Gate()
    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
      asked.open()
      await isTime.wait()
    }
  }

  /// Each action waits for a commit of the next store, and at least one of the waits throws.
  @Test(arguments: [2, 3]) func p8_cycles(of count: Int) {
    explore(schedules: TestSize.count(1_000)) {
      let stores = (0..<count).map { Store(Log(), name: "store \($0)") }
      let results = await withTaskGroup { group in
        for index in stores.indices {
          group.addTask { await Self.waitInside(stores[index], for: stores[(index + 1) % count]) }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      let told = results.count { $0 == .failure(.wouldDeadlock) }
      return told > 0 && told < count && results.allSatisfy { $0.isSuccess || $0 == .failure(.wouldDeadlock) }
        ? nil : "\(results)"
    }
  }

  /// Dispatches an action that waits until another store has an entry, and then appends one.
  private static func waitInside(_ store: Store<Log>, for other: Store<Log>) async -> Result<Log, StateWaitError> {
    await store.dispatch { log async in
      let result = await Result { () async throws(StateWaitError) in
        try await other.select().first { !$0.entries.isEmpty }
      }
      log.entries.append(1)
      return result
    }.output ?? .failure(.closed)
  }

  @Test func theConditionMaySend() async throws {
    let store = Store(Log())
    let reached = try await store.select().first { log in
      store.send(Append(log.entries.count))
      return log.entries.count == 3
    }
    #expect(reached.entries == [0, 1, 2])
  }
}

extension Result where Failure == StateWaitError {
  fileprivate init(_ body: () async throws(StateWaitError) -> Success) async {
    do throws(StateWaitError) { self = .success(try await body()) } catch { self = .failure(error) }
  }

  fileprivate var isSuccess: Bool {
    if case .success = self { true } else { false }
  }
}
