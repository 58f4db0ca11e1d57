import Testing

@testable import ActorStore

/// Guards hear how every call ends, outside the turn (P19).
@Suite struct DidEndTests {
  /// Records each report as a line: action, outcome, ticket, revision, and where they apply, member and states.
  struct Listener: ReportGuard {
    typealias State = Log
    let lines = Witness<String>()
    let reports = Witness<ActionReport<Log>>()
    var reportsStates = false
    var clock: ManualClock?
    var hook: @Sendable (ActionReport<Log>) -> Void = { _ in }

    var reportClock: (any Clock<Duration>)? { clock }

    func didEnd<A: Action<Log>>(_ action: A, report: ActionReport<Log>) {
      hook(report)
      reports.saw(report)
      var line = (action as? any CustomStringConvertible)?.description ?? "\(A.self)"
      if let member = report.member { line += " (member \(member))" }
      line += " \(report.outcome.kind) #\(report.ticket.map(String.init) ?? "-") r\(report.revision)"
      if let old = report.old, let new = report.new { line += " \(old.entries) -> \(new.entries)" }
      lines.saw(line)
    }

    func didEnd<G: Sendable>(group: G, report: GroupReport) {
      lines.saw("group \(G.self) \(report.outcome.kind)\(report.isSent ? " sent" : "")")
    }
  }

  /// A guard that also takes part in the turn.
  struct Refuse: Guard {
    typealias State = Log
    let lines = Witness<String>()

    func veto<A: Action<Log>>(_ action: A, state: Log) -> Veto? {
      action is Append && state.entries.contains(99) ? Veto("full") : nil
    }

    func didEnd<A: Action<Log>>(_ action: A, report: ActionReport<Log>) {
      lines.saw("\(report.outcome.kind)")
    }
  }

  struct Run: ActionGroup {
    let body: @Sendable (Store<Log>) async -> Bool

    init(_ body: @escaping @Sendable (Store<Log>) async -> Bool = { _ in true }) { self.body = body }

    func run(with store: Store<Log>) async throws(Boom) { if await !body(store) { throw Boom() } }
  }

  typealias Call = @Sendable (Store<Log>) async -> Void

  private static func inACanceledTask(_ body: @escaping @Sendable () async -> Void) async {
    await Task {
      withUnsafeCurrentTask { unsafe $0?.cancel() }
      await body()
    }.value
  }

  private static func awaited<Output, Failure>(_ ticket: Ticket<Output, Failure>) async {
    _ = try? await ticket.outcome
  }

  /// A call to a new store whose state is `[]`, and the lines that a listener then has.
  private static let calls: [(name: String, call: Call, lines: [String])] = [
    ("mutation", { await $0.dispatch(Append(1)) }, ["Append committed #1 r1 [] -> [1]"]),
    ("action", { await $0.dispatch(SlowAppend(1)) }, ["SlowAppend committed #1 r1 [] -> [1]"]),
    ("closure", { await $0.dispatch(label: "one") { $0.entries = [1] } }, ["one committed #1 r1 [] -> [1]"]),
    (
      "returning", { await $0.dispatch(SlowAppend(1), returning: { $0.entries }) },
      ["SlowAppend committed #1 r1 [] -> [1]"]
    ),
    (
      "overlapping", { await $0.dispatch(SlowAppend(1), policy: .overlapping) },
      ["SlowAppend committed #1 r1 [] -> [1]"]
    ),
    ("sent", { await awaited($0.send(Append(1))) }, ["Append committed #1 r1 [] -> [1]"]),
    ("sent action", { await awaited($0.send(SlowAppend(1))) }, ["SlowAppend committed #1 r1 [] -> [1]"]),
    (
      "sent overlapping", { await awaited($0.send(SlowAppend(1), policy: .overlapping)) },
      ["SlowAppend committed #1 r1 [] -> [1]"]
    ),
    ("on an actor", { await onTheMainActor($0) }, ["Append committed #1 r1 [] -> [1]"]),
    ("failing mutation", { _ = try? await $0.dispatch(FailingMutation()) }, ["FailingMutation failed #1 r0"]),
    ("failing action", { _ = try? await $0.dispatch(FailHalfway()) }, ["FailHalfway failed #1 r0"]),
    (
      "failing overlapping", { _ = try? await $0.dispatch(FailHalfway(), policy: .overlapping) },
      ["FailHalfway failed #1 r0"]
    ),
    ("sent failing", { await awaited($0.send(FailingMutation())) }, ["FailingMutation failed #1 r0"]),
    ("sent failing action", { await awaited($0.send(FailHalfway())) }, ["FailHalfway failed #1 r0"]),
    (
      "vetoed",
      {
        await $0.dispatch { $0.entries = [99] }
        await $0.dispatch(Append(1))
        await awaited($0.send(Append(1)))
      }, ["closure committed #1 r1 [] -> [99]", "Append vetoed #2 r1", "Append vetoed #3 r1"]
    ),
    (
      "canceled before the call",
      { store in
        await inACanceledTask {
          await store.dispatch(Append(1))
          await store.dispatch(SlowAppend(1), policy: .overlapping)
        }
      }, ["Append cancelled #- r0", "SlowAppend cancelled #- r0"]
    ),
    (
      "canceled in the queue",
      { store in
        let gate = Gate()
        let held = store.send(Hold(until: gate))
        let tickets = [store.send(SlowAppend(1)), store.send(SlowAppend(2), policy: .overlapping)]
        for ticket in tickets {
          ticket.cancel()
          await awaited(ticket)
        }
        gate.open()
        await awaited(held)
      }, ["SlowAppend cancelled #2 r0", "SlowAppend cancelled #3 r0", "Hold committed #1 r1 [] -> [0]"]
    ),
    (
      "closed",
      { store in
        store.close()
        await store.dispatch(Append(1))
        await store.dispatch(SlowAppend(1), policy: .overlapping)
        await awaited(store.send(Append(1)))
      }, ["Append closed #- r0", "SlowAppend closed #- r0", "Append closed #- r0"]
    ),
    (
      "deferred",
      { store in
        await store.dispatch(label: "owner") { _ async in await store.dispatch(Append(1)) }
        while store.diagnostics.revision < 2 { await Task.yield() }
        await store.dispatch { _ async in }
      },
      [
        "Append deferred #2 r0", "owner committed #1 r1 [] -> []", "Append committed #2 r2 [] -> [1]",
        "closure committed #3 r3 [1] -> [1]",
      ]
    ),
    (
      "given up",
      { store in
        _ = try? await store.dispatch(label: "owner") { _ async throws(Boom) in
          await store.dispatch(Append(1))
          throw Boom()
        }
        try? await store.closeAndDrain()
      }, ["Append deferred #2 r0", "owner failed #1 r0", "Append givenUp #2 r0"]
    ),
    (
      "transaction",
      { store in
        _ = try? await store.transaction(label: "both") { transaction in
          try transaction.run(Append(1))
          try transaction.run(label: "two") { $0.entries.append(2) }
        }
      },
      [
        "Append (member 1) committed #1 r1", "two (member 2) committed #1 r1", "both committed #1 r1 [] -> [1, 2]",
      ]
    ),
    (
      "failing transaction",
      { store in
        _ = try? await store.transaction { transaction in
          try await transaction.run(SlowAppend(1))
          _ = try? await transaction.run(FailingMutation())
          try await transaction.run(FailHalfway())
        }
      },
      [
        "SlowAppend (member 1) undone #1 r0", "FailingMutation (member 2) failed #1 r0",
        "FailHalfway (member 3) failed #1 r0", "transaction failed #1 r0",
      ]
    ),
    (
      "vetoed transaction",
      { store in
        await store.transaction { transaction throws(Veto) in
          try transaction.run { $0.entries = [99] }
          try transaction.run(Append(1))
        }
        store.sendTransaction { transaction throws(Veto) in throw Veto("no") }
      },
      [
        "closure (member 1) undone #1 r0", "Append (member 2) vetoed #1 r0", "transaction vetoed #1 r0",
        "transaction vetoed #2 r0",
      ]
    ),
    (
      "a member's failure that is caught",
      { store in
        await store.transaction { transaction throws(Veto) in
          try? transaction.run(FailingMutation())
          try transaction.run(Append(1))
        }
      },
      [
        "FailingMutation (member 1) failed #1 r1", "Append (member 2) committed #1 r1",
        "transaction committed #1 r1 [] -> [1]",
      ]
    ),
    (
      "groups",
      { store in
        _ = try? await store.dispatch(
          Run {
            await $0.dispatch(Append(1))
            return true
          })
        _ = try? await store.dispatch(Run { _ in false })
        await awaited(store.send(Run()))
        await awaited(store.send(Run { _ in false }))
        await inACanceledTask { _ = try? await store.dispatch(Run()) }
        store.close()
        _ = try? await store.dispatch(Run())
        await awaited(store.send(Run()))
      },
      [
        "Append committed #2 r1 [] -> [1]", "group Run committed", "group Run failed", "group Run committed sent",
        "group Run failed sent", "group Run cancelled", "group Run closed", "group Run closed sent",
      ]
    ),
  ]

  @MainActor private static func onTheMainActor(_ store: Store<Log>) async { await store.dispatch(Append(1)) }

  @Test(arguments: calls.indices) func p19_everyEndIsReported(_ index: Int) async {
    let (name, call, lines) = Self.calls[index]
    let (all, refuse) = (Listener(reportsStates: true), Refuse())
    let store = Store(Log(), guards: [all, refuse])
    await call(store)
    await settle(store, all, lines.count)
    #expect(all.lines.all == lines, "\(name)")
    #expect(refuse.lines.all.count == all.reports.all.count, "\(name)")
    // Commits of a watched store take other paths.
    let watching = Listener(reportsStates: true)
    let watched = Store(Log(), guards: [watching, Refuse()])
    let streams = (watched.states, watched.transitions())
    await call(watched)
    await settle(watched, watching, lines.count)
    #expect(watching.lines.all == lines, "\(name)")
    withExtendedLifetime(streams) {}
    guard name != "vetoed", name != "vetoed transaction" else { return }
    // A listener alone takes other paths.
    let alone = Listener()
    let plain = Store(Log(), guards: [alone])
    await call(plain)
    await settle(plain, alone, lines.count)
    let shortLines = lines.map { $0.prefix(while: { $0 != "[" }).trimmingSpace }
    #expect(alone.lines.all == shortLines, "\(name)")
    let watchingAlone = Listener()
    let watchedAlone = Store(Log(), guards: [watchingAlone])
    let stream = watchedAlone.states
    await call(watchedAlone)
    await settle(watchedAlone, watchingAlone, lines.count)
    #expect(watchingAlone.lines.all == shortLines, "\(name)")
    withExtendedLifetime(stream) {}
  }

  /// Lets other tasks run until there are this many lines, because a call that is given up ends in its own task.
  private func settle(_ store: Store<Log>, _ listener: Listener, _ count: Int) async {
    while listener.lines.all.count < count { await Task.yield() }
    await store.waitUntilIdle()
  }

  /// Under any schedule, each call is reported once, after at most one report that it was deferred.
  @Test func p19_eachCallIsReportedOnce() {
    explore {
      let (listener, other) = (Listener(), Listener())
      let store = Store(Log(), guards: [listener, Refuse()])
      let second = Store(Log(), guards: [other])
      let outcomes = Witness<ReportedOutcome.Kind>()
      @Sendable func note<Output>(_ outcome: Outcome<Output>?) {
        outcomes.saw(outcome.map { ReportedOutcome($0).kind } ?? .failed)
      }
      await withTaskGroup { group in
        group.addTask { note(await store.dispatch(Append(1))) }
        group.addTask { note(await store.dispatch(SlowAppend(2), policy: .overlapping)) }
        group.addTask { note(try? await store.dispatch(FailHalfway(), policy: .overlapping)) }
        group.addTask { note(try? await store.dispatch(FailHalfway())) }
        group.addTask {
          let ticket = store.send(SlowAppend(3))
          ticket.cancel()
          note(await ticket.outcome)
        }
        group.addTask {
          note(
            await store.dispatch(label: "outer") { _ async in
              note(await second.dispatch(label: "crossing") { _ async in note(await store.dispatch(Append(4))) })
            })
        }
        group.addTask {
          note(
            await second.dispatch(label: "outer") { _ async in
              note(await store.dispatch(Append(5)))
            })
        }
        group.addTask {
          note(
            await store.transaction { transaction throws(Veto) in
              try transaction.run { $0.entries.append(99) }
              try transaction.run(Append(6))
            })
          store.close()
        }
      }
      try? await store.closeAndDrain()
      try? await second.closeAndDrain()
      // A drain does not wait for reports.
      func ends() -> [ReportedOutcome.Kind] {
        (listener.reports.all + other.reports.all).filter { $0.member == nil }.map(\.outcome.kind)
      }
      for _ in 0..<1_000 where ends().count(where: { $0 != .deferred }) < outcomes.all.count { await Task.yield() }
      for listener in [listener, other] {
        let revisions = listener.reports.all.filter { $0.outcome.kind == .committed && $0.member == nil }
          .map(\.revision)
        if revisions.sorted() != Array(1..<UInt64(revisions.count + 1)) { return "revisions \(revisions)" }
      }
      let lines = listener.lines.all + other.lines.all
      for kind in ReportedOutcome.Kind.allCases {
        let (heard, noted) = (ends().filter { $0 == kind }.count, outcomes.all.filter { $0 == kind }.count)
        // A deferred call ends later, unknown to its caller.
        if heard < noted || kind == .deferred && heard > noted { return "\(kind): \(noted), but \(lines)" }
      }
      let (calls, ended) = (outcomes.all.count, ends().count { $0 != .deferred })
      return calls == ended ? nil : "\(calls) calls ended \(ended) times: \(lines)"
    }
  }

  /// Guards that take part in the turn, or that request states, keep the turn after the commit.
  @Test(arguments: [true, false], [true, false])
  func p19_aReportFollowsTheTurnAndPrecedesTheEnd(reportsStates: Bool, isGuarded: Bool) async {
    let store = Witness<Weak<Store<Log>>>()
    let seen = Witness<String>()
    let listener = Listener(
      reportsStates: reportsStates,
      hook: { report in
        guard let store = store.all.first?.object else { return }
        seen.saw("\(report.outcome.kind) held by \(store.diagnostics.holder?.label ?? "-")")
        // The read ends at once, because no mutation edits the state.
        Task.immediate { seen.saw("\(await store.state.entries)") }
      })
    let real = Store(Log(), guards: isGuarded ? [listener, Refuse()] : [listener])
    store.saw(Weak(real))
    await real.dispatch(Append(1))
    seen.saw("returned")
    real.send(Append(2))
    seen.saw("returned")
    #expect(
      seen.all == [
        "committed held by -", "[1]", "returned", "committed held by -", "[1, 2]", "returned",
      ])
  }

  @Test func p19_theQueueLengthIsThatOfTheCall() async {
    let listener = Listener()
    let store = Store(Log(), guards: [listener])
    let gate = Gate()
    store.send(Hold(until: gate))
    var tickets: [Ticket<Int, Never>] = []
    for entry in 1...3 { tickets.append(store.send(Append(entry))) }
    tickets.append(store.send(SlowAppend(4), policy: .overlapping))
    gate.open()
    for ticket in tickets { _ = await ticket.outcome }
    let lengths = listener.reports.all.sorted { $0.ticket! < $1.ticket! }.map(\.queueLength)
    #expect(lengths == [0, 0, 1, 2, 3])
  }

  @Test func p19_timesAreReadOnlyOnRequest() async {
    let clock = ManualClock()
    let (plain, timed) = (Listener(), Listener(clock: clock))
    let store = Store(Log(), guards: [plain, timed])
    let tick: @Sendable (Int) -> Void = { clock.advance(by: .seconds($0)) }
    await store.dispatch { _ in tick(1) }
    await store.dispatch { _ async in tick(2) }
    await store.dispatch(policy: .overlapping) { _ async in tick(3) }
    store.send { _ in tick(4) }
    _ = try? await store.transaction { transaction in
      try await transaction.run { _ in tick(5) }
      try await transaction.run { _ async in tick(6) }
      tick(1)
    }
    let (begun, gate) = (Gate(), Gate())
    let held = store.send(Hold(begun: begun, until: gate))
    await begun.wait()
    let waiting = store.send { _ in tick(7) }
    tick(10)
    gate.open()
    _ = await (held.outcome, waiting.outcome)
    await store.dispatch { _ async in
      await store.dispatch(Append(1))
      tick(8)
    }
    try? await store.closeAndDrain()
    tick(1)
    await store.dispatch(Append(1))
    func seconds(_ duration: Duration?) -> Int { Int(duration?.components.seconds ?? -1) }
    let times = timed.reports.all.map { "\(seconds($0.waited)) \(seconds($0.ran))" }
    #expect(
      times == [
        "0 1", "0 2", "0 3", "0 4", "0 5", "0 6", "0 12", "0 10", "10 7", "0 -1", "0 8", "8 0", "0 -1",
      ])
    // One clock serves all guards of a store.
    #expect(plain.reports.all.allSatisfy { $0.waited != nil })
    let untimed = Listener()
    await Store(Log(), guards: [untimed]).dispatch(Append(1))
    #expect(untimed.reports.all.map(\.waited) == [nil] && untimed.reports.all.map(\.ran) == [nil])
    #expect(untimed.reports.all.first?.old == nil && untimed.reports.all.first?.new == nil)
  }

  // MARK: Sending from a hook

  /// Under any schedule, an action that a guard sends runs after the guard has returned.
  @Test func p19_aSendRunsAfterTheHook() {
    explore {
      let problems = Witness<String>()
      let isInside = Locked(false)
      let target = Store(Log())
      let listener = Listener(hook: { _ in
        isInside.withLock { $0 = true }
        for _ in 0..<2 {
          target.send { log in
            if isInside.withLock({ $0 }) { problems.saw("a mutation ran inside the guard") }
            log.entries.append(1)
          }
        }
        target.send { log async in
          if isInside.withLock({ $0 }) { problems.saw("an action ran inside the guard") }
          log.entries.append(2)
        }
        target.send(
          Run { _ in
            if isInside.withLock({ $0 }) { problems.saw("a group ran inside the guard") }
            return true
          })
        isInside.withLock { $0 = false }
      })
      let store = Store(Log(), guards: [listener])
      await withTaskGroup { group in
        group.addTask { await store.dispatch(Append(1)) }
        group.addTask { await target.dispatch(SlowAppend(3)) }
      }
      try? await store.closeAndDrain()
      try? await target.closeAndDrain()
      let entries = await target.state.entries.sorted()
      return problems.all.first ?? (entries == [1, 1, 2, 3] ? nil : "\(entries)")
    }
  }

  /// Another thread that hands off the turn cannot start an action that a guard has just sent.
  ///
  /// The action's task waits at a gate until the guard returns. An unstarted task would wait in the queue.
  @Test func p19_aSendToABusyStoreWaitsForTheHook() async throws {
    let target = Store(Log())
    @Sendable func isQueued(_ number: UInt64) -> Bool {
      var copy = target.queue.stateMachine.withLock { $0 }
      return copy.withdraw(TicketNumber(number: number)) != nil
    }
    let gate = Gate()
    target.send(Hold(until: gate))
    let isQueuedInside = Witness<Bool>()
    let listener = Listener(hook: { _ in
      target.send(SlowAppend(1))
      isQueuedInside.saw(isQueued(2))
    })
    await Store(Log(), guards: [listener]).dispatch(Append(1))
    #expect(isQueuedInside.all == [false])
    target.send(SlowAppend(2))
    if RuntimeEntries.areUsed { #expect(isQueued(3)) }
    gate.open()
    try await target.closeAndDrain()
    #expect(await target.state.entries == [0, 1, 2])
  }

  /// Guards that send to each other's stores, or to their own, neither deadlock nor recurse.
  @Test(arguments: [true, false]) func p19_guardsMaySendToEachOther(onAnInlineExecutor: Bool) async {
    let stores = Witness<Store<Log>>()
    let length = 20_000
    let count = Locked(0)
    let end = Gate()
    @Sendable func relay(_ index: Int) -> @Sendable (ActionReport<Log>) -> Void {
      { _ in
        let number = count.withLock { count in
          count += 1
          return count
        }
        if number == length { end.open() }
        if number < length { stores.all[index].send { _ in } }
      }
    }
    let (first, second) = (Listener(hook: relay(1)), Listener(hook: relay(0)))
    stores.saw(Store(Log(), guards: [first]))
    stores.saw(Store(Log(), guards: [second]))
    let begin: @Sendable () async -> Void = {
      await stores.all[0].dispatch { _ in }
      await end.wait()
    }
    let executor = onAnInlineExecutor ? InlineExecutor() : nil
    await withTaskExecutorPreference(executor, operation: begin)
    #expect(count.withLock { $0 } == length)
    stores.clear()
  }

  @Test func aDeferredCallKeepsNothing() async {
    let listener = Listener()
    let store = Store(Log(), guards: [listener])
    for _ in 0..<100 {
      await store.dispatch { _ async in await store.dispatch(Append(1)) }
      let ticket = store.send(SlowAppend(1))
      ticket.cancel()
      _ = await ticket.outcome
    }
    try? await store.closeAndDrain()
    #expect(store.guards?.hasNoWaitingCalls == true)
  }
}

extension Substring {
  fileprivate var trimmingSpace: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
