import Testing

@testable import ActorStore

/// Rare ends of calls, and calls from inside `didEnd` (P19).
@Suite struct DidEndEdgeTests {
  typealias Listener = DidEndTests.Listener
  typealias Run = DidEndTests.Run

  // MARK: Deferred calls

  /// An overlapping action whose commit would close a cycle of stores has two reports with its first ticket.
  ///
  /// If the action was itself deferred, it still has two reports.
  @Test(arguments: [false, true]) func p19_aDeferredCommitIsReported(fails: Bool) async throws {
    let listener = Listener()
    let (outer, inner) = (Store(Log()), Store(Log(), guards: [listener]))
    let (begun, gate) = (Gate(), Gate())
    async let owner = outer.dispatch { _ async throws(Boom) in
      let outcome = await inner.dispatch(label: "late", policy: .overlapping) { log async in
        begun.open()
        await gate.wait()
        log.entries = [1]
      }
      #expect(outcome.isDeferred)
      if fails { throw Boom() }
    }
    await begun.wait()
    async let crossing = inner.dispatch(label: "crossing") { _ async in await outer.dispatch(Append(2)) }
    while outer.diagnostics.queued.isEmpty { await Task.yield() }
    gate.open()
    _ = try? await owner
    _ = await crossing
    try await inner.closeAndDrain()
    let last = fails ? "late givenUp #1" : "late committed #1"
    let lines = listener.lines.all.map { $0.split(separator: " ").dropLast().joined(separator: " ") }
    #expect(lines.first == "late deferred #1")
    #expect(lines.dropFirst().sorted() == ["crossing committed #2", last])
    let revisions = listener.reports.all.filter { $0.outcome.kind == .committed }.map(\.revision).sorted()
    #expect(revisions == (fails ? [1] : [1, 2]))
  }

  /// On real threads, a search for cycles may ask a call to give way that has already done so.
  @Test(arguments: [DispatchPolicy.serial, .overlapping])
  func p19_aCallThatGivesWayTwiceIsDeferredOnce(_ policy: DispatchPolicy) async throws {
    let listener = Listener()
    let store = Store(Log(), guards: [listener])
    let gate = Gate()
    await store.dispatch(label: "owner") { _ async in
      store.send(Hold(until: gate))
      await store.dispatch(SlowAppend(1), policy: policy)
    }
    while store.diagnostics.holder?.label != "Hold" { await Task.yield() }
    store.queue.revokeWait(for: TicketNumber(number: 3))
    gate.open()
    try await store.closeAndDrain()
    #expect(
      listener.lines.all.sorted() == [
        "Hold committed #2 r2", "SlowAppend committed #3 r3", "SlowAppend deferred #3 r0", "owner committed #1 r1",
      ])
    #expect(store.guards?.hasNoWaitingCalls == true)
  }

  /// When the commit of a deferred overlapping action gives way, the action is not reported as deferred again.
  @Test func p19_aDeferredActionWhoseCommitGivesWayIsDeferredOnce() async throws {
    let listener = Listener()
    let store = Store(Log(), guards: [listener])
    let (begun, end, gate) = (Gate(), Gate(), Gate())
    await store.dispatch(label: "owner") { _ async in
      await store.dispatch(label: "late", policy: .overlapping) { _ async in
        begun.open()
        await end.wait()
      }
    }
    await begun.wait()
    store.send(Hold(until: gate))
    end.open()
    await store.waitUntilQueued(1)
    store.queue.revokeWait(for: TicketNumber(number: 4))
    gate.open()
    try await store.closeAndDrain()
    #expect(
      listener.lines.all.sorted() == [
        "Hold committed #3 r2", "late committed #2 r3", "late deferred #2 r0", "owner committed #1 r1",
      ])
    #expect(store.guards?.hasNoWaitingCalls == true)
  }

  // MARK: Queue length and time

  /// Runs code before each job that it enqueues, and runs jobs on the default executor.
  final class Interposer: TaskExecutor {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    func enqueue(_ job: consuming ExecutorJob) {
      body()
      let job = UnownedJob(job)
      let executor = asUnownedTaskExecutor()
      Task.detached { unsafe job.runSynchronously(on: executor) }
    }
  }

  /// A call that had the turn waited behind no action, even if others wait when it is canceled.
  @Test func p19_aCallCanceledWithTheTurnWaitedBehindNone() async throws {
    let listener = Listener()
    let store = Store(Log(), guards: [listener])
    let isArmed = Flag()
    let task = Locked<Task<Void, Never>?>(nil)
    let interposer = Interposer {
      guard isArmed.isSet, store.diagnostics.holder != nil, store.diagnostics.queued.isEmpty else { return }
      task.withLock { $0 }?.cancel()
      store.send(label: "first") { _ async in }
      store.send(label: "second") { _ async in }
      store.send(label: "third") { _ async in }
    }
    let begun = Gate()
    let canceled = Task(executorPreference: interposer) {
      await begun.wait()
      await Self.dispatchOnTheMainActor(store, isArmed)
    }
    task.withLock { $0 = canceled }
    begun.open()
    await canceled.value
    try await store.closeAndDrain()
    let report = listener.reports.all.first { $0.outcome.kind == .cancelled }
    #expect(report?.ticket == 1 && report?.queueLength == 0, "\(listener.lines.all)")
  }

  @MainActor private static func dispatchOnTheMainActor(_ store: Store<Log>, _ isArmed: Flag) async {
    isArmed.set()
    let outcome = await store.dispatch(Append(1))
    #expect(outcome == .cancelled)
  }

  /// The time that a failed action ran does not contain what runs inside the hand-off.
  @Test func p19_theTimeOfAFailureEndsWithIt() async {
    let clock = ManualClock()
    let listener = Listener(clock: clock)
    let store = Store(Log(), guards: [listener])
    let fail: @Sendable (Gate) async -> Void = { gate in
      await gate.wait()
      clock.advance(by: .seconds(1))
    }
    let calls: [@Sendable (Gate) async -> Void] = [
      { gate in
        _ = try? await store.dispatch(label: "failing") { _ async throws(Boom) in
          await fail(gate)
          throw Boom()
        }
      },
      { gate in
        await store.transaction(label: "failing") { _ async throws(Veto) in
          await fail(gate)
          throw Veto("no")
        }
      },
    ]
    await withTaskExecutorPreference(InlineExecutor()) {
      for call in calls {
        let gate = Gate()
        async let failed: Void = call(gate)
        while store.diagnostics.holder == nil { await Task.yield() }
        let next = store.send { _ in clock.advance(by: .seconds(5)) }
        gate.open()
        _ = await (failed, next.outcome)
      }
    }
    let times = zip(listener.lines.all, listener.reports.all).filter { $0.0.hasPrefix("failing") }.map(\.1.ran)
    #expect(times == [.seconds(1), .seconds(1)])
    #expect(store.guards?.hasNoWaitingCalls == true)
  }

  /// The end of an overlapping action may resume a task that waits for it.
  @Test func p19_theTimeOfAnOverlappingFailureEndsWithIt() async {
    let clock = ManualClock()
    let listener = Listener(clock: clock)
    let store = Store(Log(), guards: [listener])
    await withTaskExecutorPreference(InlineExecutor()) {
      let (begun, gate) = (Gate(), Gate())
      async let failed: Void = {
        _ = try? await store.dispatch(label: "failing", policy: .overlapping) { _ async throws(Boom) in
          begun.open()
          await gate.wait()
          clock.advance(by: .seconds(1))
          throw Boom()
        }
      }()
      await begun.wait()
      async let drained: Void = {
        try? await store.closeAndDrain()
        clock.advance(by: .seconds(5))
      }()
      while await store.dispatch(Append(1)) != .closed { await Task.yield() }
      gate.open()
      _ = await (failed, drained)
    }
    let times = zip(listener.lines.all, listener.reports.all).filter { $0.0.hasPrefix("failing") }.map(\.1.ran)
    #expect(times == [.seconds(1)])
    #expect(store.guards?.hasNoWaitingCalls == true)
  }

  // MARK: Calls that end inside `didEnd`

  /// A call that ends inside `didEnd` is reported after it, so guards neither recurse nor deadlock.
  @Test func p19_aClosedCallInsideDidEndIsReportedAfterward() async {
    let target = Witness<Store<Log>>()
    let depth = Locked(0)
    let deepest = Locked(0)
    let count = Locked(0)
    let length = 20_000
    let hook: @Sendable (ActionReport<Log>) -> Void = { _ in
      let now = depth.withLock { depth in
        depth += 1
        return depth
      }
      deepest.withLock { $0 = max($0, now) }
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number < length, now < 100 { target.all[0].send(Append(1)) }
      depth.withLock { $0 -= 1 }
    }
    target.saw(Store(Log(), guards: [Listener(hook: hook)]))
    target.all[0].close()
    #expect(await target.all[0].dispatch(Append(1)) == .closed)
    #expect(deepest.withLock { $0 } == 1)
    #expect(count.withLock { $0 } == length)
    target.clear()
  }

  @Test func p19_aClosedGroupInsideDidEndIsReportedAfterward() async {
    let closed = Store(Log(), guards: [Listener()])
    closed.close()
    let order = Witness<String>()
    struct Order: ReportGuard {
      typealias State = Log
      let order: Witness<String>
      func didEnd<G: Sendable>(group: G, report: GroupReport) { order.saw("\(report.outcome.kind)") }
    }
    let target = Store(Log(), guards: [Order(order: order)])
    target.close()
    let listener = Listener(hook: { _ in
      order.saw("begin")
      target.send(Run())
      order.saw("end")
    })
    await Store(Log(), guards: [listener]).dispatch(Append(1))
    #expect(order.all == ["begin", "end", "closed"])
  }

  /// What `didEnd` may call without a turn, a lock, or recursion.
  @Test func p19_didEndMayCallAnythingSynchronous() async throws {
    let seen = Witness<Store<Log>>()
    let tickets = Witness<Ticket<Int, Never>>()
    let streams = Witness<AsyncStream<Log>>()
    let listener = Listener(hook: { report in
      guard let store = seen.all.first else { return }
      for ticket in tickets.all { ticket.cancel() }
      streams.saw(store.states())
      _ = store.diagnostics
      if report.revision == 2 { store.close() }
    })
    let store = Store(Log(), guards: [listener])
    seen.saw(store)
    let gate = Gate()
    let held = store.send(Hold(until: gate))
    tickets.saw(store.send(SlowAppend(1)))
    async let other = store.dispatch(label: "other") { _ in }
    while store.diagnostics.queued.count < 2 { await Task.yield() }
    gate.open()
    _ = await (held.outcome, other)
    try await store.closeAndDrain()
    for stream in streams.all { for await _ in stream {} }
    #expect(store.guards?.hasNoWaitingCalls == true)
  }
}

extension Outcome {
  fileprivate var isDeferred: Bool { if case .deferred = self { true } else { false } }
}
