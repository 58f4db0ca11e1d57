import ActorStoreTesting
import Dispatch
import TestSize
import Testing

@testable import ActorStore

/// An overlapping action has a turn to start and a turn to commit, but none in between.
@Suite struct OverlappingTests {
  /// After a gate opens, appends to the log as it was when the action started.
  private struct AppendBehind: Action {
    let entry: Int
    var begun = Gate()
    let gate: Gate

    func run(_ log: inout Log) async -> Int {
      begun.open()
      await gate.wait()
      log.entries.append(entry)
      return log.entries.count
    }
  }

  @Test func startsFromASnapshotAndTheLastWriterWins() async {
    let store = Store(Log(entries: [0]))
    let (one, other) = (Gate(), Gate())
    let first = store.send(AppendBehind(entry: 1, gate: one), policy: .overlapping)
    let second = store.send(AppendBehind(entry: 2, gate: other), policy: .overlapping)
    while store.diagnostics.overlapping.count < 2 { await Task.yield() }
    #expect(store.diagnostics.holder == nil)
    other.open()
    #expect(await second.outcome == .committed(2))
    #expect(await store.state.entries == [0, 2])
    one.open()
    #expect(await first.outcome == .committed(2))
    #expect(await store.state.entries == [0, 1])
    #expect(store.diagnostics.revision == 2)
    #expect(store.diagnostics.overlapping.isEmpty)
  }

  @Test func doesNotBlockActionsAndAppearsInTheDiagnostics() async {
    let store = Store(Log())
    let action = AppendBehind(entry: 1, gate: Gate())
    async let overlapping = store.dispatch(action, policy: .overlapping)
    await action.begun.wait()
    #expect(await store.dispatch(Append(2)) == .committed(1))
    #expect(store.diagnostics.overlapping == ["AppendBehind"])
    #expect("\(store.diagnostics)".hasSuffix(", 1 overlapping: AppendBehind"))
    action.gate.open()
    #expect(await overlapping == .committed(1))
    #expect(await store.state.entries == [1])
  }

  /// Records each action that starts or commits while a serial action runs.
  private final class Inside: Guard {
    typealias State = Log
    private let value = Locked(false)
    private let starts = Witness<String>()
    private let landings = Witness<String>()
    let problems = Witness<String>()

    var started: [String] { starts.all }
    var landed: [String] { landings.all }
    var isSet: Bool { value.withLock { $0 } }

    func set(_ newValue: Bool) { value.withLock { $0 = newValue } }

    func veto<A: Action<Log>>(_ action: A, state: Log) -> Veto? {
      starts.saw("\("\(action)".prefix { $0.isLetter })")
      if isSet { problems.saw("\(action) started inside a serial action") }
      return nil
    }

    func didUpdate<A: Action<Log>>(_ action: A, old: Log?, new: Log) {
      landings.saw("\("\(action)".prefix { $0.isLetter })")
      if isSet { problems.saw("\(action) committed inside a serial action") }
    }
  }

  /// Under any schedule, an overlapping action neither starts nor commits between the steps of a serial action.
  @Test func p1_neverStartsOrCommitsInsideASerialAction() {
    let overlapped = Witness<Void>()
    explore {
      let inside = Inside()
      let store = Store(Log(), guards: [inside])
      await withTaskGroup { group in
        for _ in 0..<2 {
          group.addTask {
            await store.dispatch { log async in
              inside.set(true)
              await Task.yield()
              log.entries.append(1)
              inside.set(false)
            }
          }
          group.addTask {
            await store.dispatch(policy: .overlapping) { log async in
              await Task.yield()
              log.entries.append(2)
              if inside.isSet { overlapped.saw(()) }
            }
          }
        }
      }
      if let problem = inside.problems.all.first { return problem }
      return store.diagnostics.revision == 4 ? nil : "\(store.diagnostics)"
    }
    // Otherwise, no actions overlapped, and the test proves nothing.
    #expect(!overlapped.all.isEmpty)
  }

  @Test func p2_startsInCallOrder() async {
    let store = Store(Log())
    let held = Hold(until: Gate())
    store.send(held)
    await held.begun.wait()
    let gate = Gate()
    gate.open()
    let first = store.send(AppendBehind(entry: 1, gate: gate), policy: .overlapping)
    let second = store.send(Append(2))
    #expect(store.diagnostics.queued == ["AppendBehind", "Append"])
    held.end.open()
    _ = await (first.outcome, second.outcome)
    // Whichever action commits last, the overlapping one started from the state that `held` committed.
    #expect(await store.state.entries.first == 0)
    #expect(await store.state.entries.contains(1))
  }

  @Test func p4_anOverlappingActionThatFailsChangesNothing() async throws {
    let store = Store(Log(entries: [1]))
    await #expect(throws: Boom()) { try await store.dispatch(FailHalfway(), policy: .overlapping) }
    let ticket = store.send(FailHalfway(), policy: .overlapping)
    await #expect(throws: Boom()) { try await ticket.outcome }
    #expect(await store.state.entries == [1])
    #expect(store.diagnostics.revision == 0)
  }

  @Test func p7_itsDispatchesAreNotDeferred() async {
    let store = Store(Log())
    let outcome = await store.dispatch(policy: .overlapping) { log async -> Outcome<Int> in
      log.entries.append(1)
      return await store.dispatch(Append(2))
    }
    #expect(outcome == .committed(.committed(1)))
    // The action's snapshot is older than that commit.
    #expect(await store.state.entries == [1])
    let sent = store.send(policy: .overlapping) { log async -> Outcome<Int> in await store.dispatch(SlowAppend(2)) }
    #expect(await sent.outcome == .committed(.committed(2)))
  }

  @Test func p7_aDispatchInsideASerialActionIsDeferred() async {
    let store = Store(Log())
    let outcome = await store.dispatch { log async -> Outcome<Int> in
      log.entries.append(1)
      return await store.dispatch(SlowAppend(2), policy: .overlapping)
    }
    #expect(outcome == .committed(.deferred))
    while store.diagnostics.revision < 2 { await Task.yield() }
    #expect(await store.state.entries == [1, 2])
  }

  @Test func p7_awaitingItsTicketInsideASerialActionIsDeferred() async {
    let store = Store(Log())
    let action = AppendBehind(entry: 1, gate: Gate())
    let ticket = store.send(action, policy: .overlapping)
    await action.begun.wait()
    let outcome = await store.dispatch { _ async in await ticket.outcome }
    #expect(outcome == .committed(.deferred))
    action.gate.open()
    #expect(await ticket.outcome == .committed(1))
  }

  @Test func p7_awaitingItsOwnTicketIsDeferred() async {
    let store = Store(Log())
    let own = Witness<Ticket<Bool, Never>>()
    let known = Gate()
    let ticket = store.send(policy: .overlapping) { _ async -> Bool in
      await known.wait()
      return await own.all[0].outcome == .deferred
    }
    own.saw(ticket)
    known.open()
    #expect(await ticket.outcome == .committed(true))
  }

  /// Actions of two stores await each other's tickets and calls, and the simulation fails if they deadlock.
  @Test func p8_ticketsOfOverlappingActionsAwaitedInCycles() throws {
    try Simulation.explore(schedules: TestSize.count(1_000)) {
      let (one, other) = (Store(Log(), name: "one"), Store(Log(), name: "other"))
      let made = Witness<Ticket<Void, Never>>()
      for store in [one, other] {
        for peer in [one, other] {
          made.saw(
            store.send(policy: .overlapping) { log async in
              await peer.dispatch(SlowAppend(1))
              for ticket in made.all { _ = await ticket.outcome }
            })
        }
      }
      await withTaskGroup { group in
        for (store, peer) in [(one, other), (other, one)] {
          group.addTask {
            await store.dispatch { _ async in
              for ticket in made.all { _ = await ticket.outcome }
              await peer.dispatch(Append(2))
            }
          }
          group.addTask {
            await store.dispatch(policy: .overlapping) { _ async in
              await peer.dispatch { _ async in await store.dispatch(Append(3)) }
            }
          }
          group.addTask {
            await store.transaction { transaction async throws(Veto) in
              try await transaction.run(Append(4))
              for ticket in made.all { _ = await ticket.outcome }
              await peer.dispatch(Append(5))
            }
          }
        }
      }
      // This wait is not part of a cycle, so it gets the action's own outcome.
      for ticket in made.all {
        let outcome = await ticket.outcome
        try Simulation.expect(outcome.isCommitted, "\(outcome)")
      }
      while one.diagnostics.isBusy || other.diagnostics.isBusy { await Task.yield() }
      for store in [one, other] {
        try Simulation.expect(WaitGraph.count(for: store.queue) == 0, "a wait remains in the wait graph")
      }
    }
  }

  /// Each overlapping action leaves behind a task that dispatches the next one, and the call chains remain short.
  @Test func callChainsOfOverlappingActionsDoNotGrow() async {
    let store = Store(Log())
    let end = Gate()
    Self.dispatchNext(store, 100, end)
    await end.wait()
  }

  private static func dispatchNext(_ store: Store<Log>, _ remaining: Int, _ end: Gate) {
    #expect(CallChain.current.turns.count <= 2)
    Task.inheritingExecutor {
      guard remaining > 0 else { return end.open() }
      await store.dispatch(policy: .overlapping) { _ async in dispatchNext(store, remaining - 1, end) }
    }
  }

  /// A task that a nested action leaves behind is still nested in the overlapping action.
  @Test func p8_aTaskLeftBehindByANestedAction() throws {
    try Simulation.explore(schedules: TestSize.count(500)) {
      let (store, other) = (Store(Log(), name: "one"), Store(Log(), name: "other"))
      let made = Witness<Ticket<Void, Never>>()
      let ticket = store.send(policy: .overlapping) { _ async in
        let left = await store.dispatch { _ async in
          Simulation.task(name: "left behind") {
            await other.dispatch(SlowAppend(1))
            for ticket in made.all { _ = await ticket.outcome }
          }
        }
        await left.output?.value
      }
      made.saw(ticket)
      await other.dispatch { _ async in
        await Task.yield()
        _ = await ticket.outcome
      }
      let outcome = await ticket.outcome
      try Simulation.expect(outcome.isCommitted, "\(outcome)")
    }
  }

  /// After its commit, an overlapping action no longer waits, so the next holder may await its ticket.
  @Test func p7_itsTicketCanBeAwaitedInTheTurnAfterItsCommit() async {
    let store = Store(Log())
    for _ in 0..<1_000 {
      let action = AppendBehind(entry: 1, gate: Gate())
      let ticket = store.send(action, policy: .overlapping)
      await action.begun.wait()
      let held = Hold(until: Gate())
      store.send(held)
      await held.begun.wait()
      action.gate.open()
      await store.waitUntilQueued(1)
      let next = store.send { _ async in await ticket.outcome }
      held.end.open()
      let outcome = await next.outcome
      #expect(outcome.output?.isCommitted == true)
    }
  }

  /// The wait for the commit would close a cycle, so the commit happens later, without the caller.
  @Test func p8_aCommitThatWouldCloseACycleIsDeferred() async {
    let inside = Inside()
    let (one, other) = (Store(Log(), guards: [inside], name: "one"), Store(Log(), name: "other"))
    let action = AppendBehind(entry: 1, gate: Gate())
    async let outcome = other.dispatch { _ async in await one.dispatch(action, policy: .overlapping) }
    await action.begun.wait()
    // A serial action of `one` waits for `other`, whose action waits for the commit on `one`.
    async let waiting = one.dispatch { log async in
      log.entries.append(2)
      await other.dispatch(Append(3))
    }
    await other.waitUntilQueued(1)
    action.gate.open()
    #expect(await outcome == .committed(.deferred))
    _ = await waiting
    while one.diagnostics.isBusy { await Task.yield() }
    #expect(await one.state.entries == [1])
    #expect(inside.started == ["AppendBehind", "closure"])
    #expect(inside.landed == ["closure", "AppendBehind"])
    #expect(await other.state.entries == [3])
  }

  @Test func p9_neverRunsIfCanceledBeforeItBegins() async {
    let store = Store(Log())
    let held = Hold(until: Gate())
    store.send(held)
    await held.begun.wait()
    let waiting = Task { await store.dispatch(SlowAppend(1), policy: .overlapping) }
    await store.waitUntilQueued(1)
    waiting.cancel()
    #expect(await waiting.value == .cancelled)
    held.end.open()
    await store.dispatch { _ async in }
    #expect(await store.state.entries == [0])
  }

  @Test func p9_commitsIfCanceledAfterItBegins() async {
    let store = Store(Log())
    let action = AppendBehind(entry: 1, gate: Gate())
    let task = Task { await store.dispatch(action, policy: .overlapping) }
    await action.begun.wait()
    let held = Hold(until: Gate())
    store.send(held)
    await held.begun.wait()
    task.cancel()
    action.gate.open()
    await store.waitUntilQueued(1)
    held.end.open()
    #expect(await task.value == .committed(1))
    #expect(await store.state.entries == [1])
  }

  @Test func commitsAfterClose() async {
    let store = Store(Log())
    let action = AppendBehind(entry: 1, gate: Gate())
    async let outcome = store.dispatch(action, policy: .overlapping)
    await action.begun.wait()
    store.close()
    #expect(await store.dispatch(SlowAppend(2), policy: .overlapping) == .closed)
    #expect(await store.send(SlowAppend(2), policy: .overlapping).outcome == .closed)
    action.gate.open()
    #expect(await outcome == .committed(1))
    #expect(await store.state.entries == [1])
  }

  @Test func mutationsNeverOverlap() async {
    let store = Store(Log())
    #expect(await store.dispatch(Append(1), policy: .overlapping) == .committed(1))
    #expect(await store.send(Append(2), policy: .overlapping).outcome == .committed(2))
    #expect(await store.dispatch(Append(3), policy: .overlapping, returning: \.entries) == .committed([1, 2, 3]))
    #expect(await store.dispatch(SlowAppend(4), policy: .serial) == .committed(4))
  }

  @Test func returnsAValueOfItsCommit() async {
    let store = Store(Log())
    let action = AppendBehind(entry: 1, gate: Gate())
    async let outcome = store.dispatch(action, policy: .overlapping, returning: \.entries)
    await action.begun.wait()
    await store.dispatch(Append(2))
    action.gate.open()
    #expect(await outcome == .committed([1]))
  }

  /// If queued synchronous actions overlapped, they would start from the same state and cause lost updates.
  @Test func queuedSynchronousActionsNeverOverlap() async {
    let store = Store(Log())
    let held = Hold(until: Gate())
    store.send(held)
    await held.begun.wait()
    let sent = [
      store.send(Append(1), policy: .overlapping), store.send(Append(2), policy: .overlapping),
      store.send(policy: .overlapping) { log in Append(3).run(&log) },
      store.send(policy: .overlapping) { log in Append(4).run(&log) },
    ]
    let dispatched = (5...6).map { entry in
      Task { await store.dispatch(policy: .overlapping) { $0.entries.append(entry) } }
    }
    await store.waitUntilQueued(6)
    held.end.open()
    for ticket in sent { #expect(await ticket.outcome.isCommitted) }
    for task in dispatched { #expect(await task.value.isCommitted) }
    #expect(await store.state.entries.sorted() == [0, 1, 2, 3, 4, 5, 6])
  }

  @Test func anyActionMayOverlap() async throws {
    let store = Store(Log())
    let erased: any Action<Log> = SlowAppend(1)
    #expect(try await store.dispatch(erased, policy: .overlapping).output as? Int == 1)
  }

  /// After the commit of an overlapping action, the store has the only reference to the state.
  @Test func p16_theMutationAfterItsCommitEditsInPlace() async {
    @Sendable func storage(_ log: inout Log) -> UInt {
      log.entries[0] += 1
      return log.entries.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    }
    let store = Store(Log(entries: Array(0..<1_000)))
    let outcome = await store.dispatch(policy: .overlapping) { log async in storage(&log) }
    #expect(await store.dispatch { storage(&$0) } == outcome)
  }

  /// An overlapping action starts and commits even if the thread of its calling actor is blocked.
  @Test func p2_aBusyActorBlocksNeitherStartNorCommit() async {
    let store = Store(Log())
    let busy = BusyActor()
    let action = AppendBehind(entry: 1, gate: Gate())
    let (start, commit) = (Hold(until: Gate()), Hold(until: Gate()))
    store.send(start)
    let fromActor = Task { await busy.call { _ in await store.dispatch(action, policy: .overlapping) } }
    await store.waitUntilQueued(1)
    let blocked = Gate()
    let release = DispatchSemaphore(value: 0)
    let blocking = Task { await busy.block(blocked, until: release) }
    await blocked.wait()
    start.end.open()
    await action.begun.wait()
    store.send(commit)
    await commit.begun.wait()
    action.gate.open()
    await store.waitUntilQueued(1)
    commit.end.open()
    await store.dispatch(Append(2))
    #expect(await store.state.entries == [0, 1, 2])
    release.signal()
    await blocking.value
    #expect(await fromActor.value == .committed(2))
  }
}
