import ActorStoreTesting
import TestSize
import Testing

@testable import ActorStore

/// The shutdown of several stores, with one time limit and all reports.
@Suite struct DrainTests {
  /// A group service cancels the task of a server that shuts down.
  @Test func aCancellationDoesNotEndTheWait() throws {
    try Simulation.explore(schedules: TestSize.count(300)) {
      let (store, gate) = (Store(Log()), Gate())
      store.send(Hold(until: gate))
      let drain = inheritingTask { () async -> Int? in
        do throws(StateWaitError) {
          try await store.closeAndDrain()
          return Int(store.diagnostics.revision)
        } catch {
          return nil
        }
      }
      drain.cancel()
      await Task.yield()
      gate.open()
      let commits = await drain.value
      try Simulation.expect(commits == 1, "\(commits as Any)")
    }
  }

  @Test func allStoresShareOneLimit() throws {
    try Simulation.explore(schedules: TestSize.count(300), timers: .race(upTo: 0)) {
      let (clock, never) = (SimulationClock(), Gate())
      let stores = (0..<5).map { Store(Log(), name: "\($0)") }
      let other = Store(0, name: "other")
      for store in stores.dropFirst(2) { store.send(Hold(until: never)) }
      stores[0].send(SlowAppend(1))
      other.send { (_: inout Int) async in await never.wait() }
      while stores.dropFirst(2).contains(where: { $0.diagnostics.holder == nil }) { await Task.yield() }
      let start = clock.now
      let rest = try await Store.closeAndDrain(stores, within: .seconds(1), clock: clock)
      try Simulation.expect(rest.map(\.name) == ["2", "3", "4"], "\(rest)")
      let both = try await Store.closeAndDrain(stores[4], other, stores[1], within: .seconds(2), clock: clock)
      try Simulation.expect(both.map(\.name) == ["4", "other"] && other.diagnostics.isClosed, "\(both)")
      try Simulation.expect(start.duration(to: clock.now) == .seconds(3))
      never.open()
      try await Simulation.expect(Store.closeAndDrain(other, stores[2], stores[3], stores[4]).isEmpty)
    }
  }

  @Test func idleStoresNeedNoTime() async throws {
    let stores = (0..<1_000).map { _ in Store(Log()) }
    // The clock never continues.
    #expect(try await Store.closeAndDrain(stores, within: .zero, clock: ManualClock()).isEmpty)
    #expect(stores.allSatisfy { $0.diagnostics.isClosed && $0.isIdle })
  }

  /// The second store waits for nothing, but its wait would not end.
  @Test func throwsInsideAnActionOfOneOfTheStores() throws {
    try Simulation.explore(schedules: TestSize.count(300)) {
      let (one, other, gate) = (Store(Log()), Store(0), Gate())
      one.send(Hold(until: gate))
      let outcome = await other.dispatch { (_: inout Int) async -> StateWaitError? in
        do throws(StateWaitError) {
          try await Store.closeAndDrain(one, other)
          return nil
        } catch {
          return error
        }
      }
      try Simulation.expect(outcome == .committed(.wouldDeadlock), "\(outcome)")
      try Simulation.expect(one.diagnostics.isClosed && other.diagnostics.isClosed)
      gate.open()
      try await Simulation.expect(Store.closeAndDrain(one, other).isEmpty)
    }
  }

  // MARK: Reports

  /// Receives the reports of one store, at a pace that the schedule decides.
  private struct Listener: ReportGuard {
    /// Whether the call or the group had been accepted, for each last report.
    let reports = Witness<Bool>()

    func didEnd<A: Action<Log>>(_ action: A, report: ActionReport<Log>) {
      Simulation.point()
      if report.outcome.kind != .deferred { reports.saw(report.ticket != nil || report.outcome.kind == .givenUp) }
      Simulation.point()
    }

    func didEnd<G: Sendable>(group: G, report: GroupReport) {
      Simulation.point()
      reports.saw(report.outcome.kind != .closed && (report.isSent || report.outcome.kind == .committed))
    }
  }

  private struct Nest: ActionGroup {
    func run(with store: Store<Log>) async { await store.dispatch(Append(9)) }
  }

  private struct Boom: Error {}

  /// The calls of another task, some of which the store accepts before it is closed.
  private static let calls: [@Sendable (_ store: Store<Log>, _ other: Store<Log>) async -> Void] = [
    { store, _ in await store.dispatch(Append(4)) },
    { store, _ in
      let call = inheritingTask { await store.dispatch(SlowAppend(4)) }
      call.cancel()
      _ = await call.value
    },
    { store, _ in
      store.send(Nest()).cancel()
      await store.dispatch(Nest())
    },
    { store, _ in
      _ = try? await store.dispatch { (_: inout Log) async throws in
        await store.dispatch(Append(5))
        throw Boom()
      }
    },
    { store, other in
      // The calls are deferred or given up, if the store's action waits for the other store.
      _ = try? await other.dispatch { (_: inout Log) async throws in
        async let crossing = store.dispatch { (_: inout Log) async in await other.dispatch(Append(5)) }
        await store.dispatch(SlowAppend(6), policy: .overlapping)
        _ = await (store.dispatch(SlowAppend(7)), crossing)
        throw Boom()
      }
    },
  ]

  /// Each accepted call has been reported, however it ended.
  @Test(arguments: calls.indices) func everyReportHasBeenDelivered(variant: Int) throws {
    try Simulation.explore(schedules: TestSize.count(1_000)) {
      let listener = Listener()
      let (store, other) = (Store(Log(), guards: [listener]), Store(Log()))
      store.send(SlowAppend(1))
      store.send(SlowAppend(2), policy: .overlapping)
      store.send(SlowAppend(3)).cancel()
      let calls = inheritingTask { await Self.calls[variant](store, other) }
      for _ in 0..<5 { await Task.yield() }
      try await store.closeAndDrain()
      let seen = listener.reports.all
      try Simulation.expect(seen.count { $0 } >= 3, "\(seen)")
      try Simulation.expect(store.guards?.hasReported == true && store.guards?.hasNoWaitingCalls == true)
      await calls.value
      try await other.closeAndDrain()
      let later = listener.reports.all.dropFirst(seen.count)
      try Simulation.expect(!later.contains(true), "\(seen), and later \(later)")
    }
  }

  /// A call of another store may write the records.
  @Test func everyRecordHasBeenWritten() throws {
    try Simulation.explore(schedules: TestSize.count(500)) {
      let records = Witness<String>()
      let sink = LogSink { record in
        Simulation.point()
        records.saw(record.store)
      }
      let stores = ["one", "other"].map { Store(Log(), guards: [ActionLogger(to: sink)], name: $0) }
      await withTaskGroup { group in
        for store in stores {
          for number in 0..<2 { group.addTask { store.send(SlowAppend(number)) } }
        }
      }
      try await stores[0].closeAndDrain()
      try Simulation.expect(records.all.count { $0 == "one" } == 2, "\(records.all)")
    }
  }

  /// A guard that blocks its thread does not extend the wait beyond the limit.
  @Test func theDiagnosticsNameMissingReports() async throws {
    struct Slow: ReportGuard {
      let begun = Gate()
      let end = Flag()
      func didEnd<A: Action<Log>>(_ action: A, report: ActionReport<Log>) {
        begun.open()
        while !end.isSet {}
      }
    }
    let slow = Slow()
    let store = Store(Log(), guards: [slow], name: "slow")
    let call = Task { await store.dispatch(Append(1)) }
    await slow.begun.wait()
    #expect(store.isIdle && store.diagnostics.isReporting)
    let rest = try await store.closeAndDrain(within: .zero)
    #expect(rest?.description == "slow, closed, revision 1: idle, none waiting, reports not delivered")
    slow.end.set()
    _ = await call.value
    #expect(try await store.closeAndDrain(within: .seconds(100)) == nil)
    #expect(!store.diagnostics.isReporting)
  }

  // MARK: Properties

  @Test func isIdleAndSubscriberCountAgreeWithTheDiagnostics() async {
    let (store, gate) = (Store(Log()), Gate())
    #expect(store.isIdle && store.subscriberCount == 0)
    let ticket = store.send(Hold(until: gate))
    let streams = [store.states, store.states]
    let selected = store.select(\.entries.count).values
    let transitions = store.transitions()
    #expect(!store.isIdle && !store.diagnostics.isIdle)
    #expect(store.subscriberCount == 4)
    #expect(store.diagnostics.subscribers.count == 4)
    gate.open()
    _ = await ticket.outcome
    #expect(store.isIdle && store.diagnostics.isIdle)
    withExtendedLifetime((streams, selected, transitions)) {}
  }
}
