import ActorStoreTesting
import TestSize
import Testing

@testable import ActorStore

/// A group dispatches any number of actions, and holds no turn itself.
@Suite struct GroupTests {
  private struct AppendAll: ActionGroup {
    let entries: [Int]

    func run(with store: Store<Log>) async -> Int {
      for entry in entries { await store.dispatch(SlowAppend(entry)) }
      return entries.count
    }
  }

  private struct Fail: ActionGroup {
    func run(with store: Store<Log>) async throws(Boom) {
      await store.dispatch(Append(1))
      throw Boom()
    }
  }

  private struct Wait: ActionGroup {
    let gate: Gate

    func run(with store: Store<Log>) async {
      await gate.wait()
      await store.dispatch(Append(2))
    }
  }

  @Test func returnsTheOutputOfTheGroup() async throws {
    let store = Store(Log())
    let outcome = await store.dispatch(AppendAll(entries: [1, 2]))
    #expect(outcome == .committed(2))
    #expect(await store.state.entries == [1, 2])
    await #expect(throws: Boom()) { try await store.dispatch(Fail()) }
    #expect(await store.state.entries == [1, 2, 1])
  }

  @Test func aSuspendedGroupDoesNotBlockActions() async {
    let store = Store(Log())
    let gate = Gate()
    let ticket = store.send(Wait(gate: gate))
    await store.dispatch(Append(1))
    gate.open()
    let outcome = await ticket.outcome
    #expect(outcome.isCommitted)
    #expect(await store.state.entries == [1, 2])
  }

  @Test func otherActionsRunBetweenTheActionsOfAGroup() throws {
    let interleaved = Witness<Void>()
    try Simulation.explore(schedules: 300) {
      let store = Store(Log())
      async let one = store.dispatch(AppendAll(entries: [1, 2]))
      async let other = store.dispatch(AppendAll(entries: [3, 4]))
      _ = await (one, other)
      let entries = await store.state.entries
      if entries != [1, 2, 3, 4] && entries != [3, 4, 1, 2] { interleaved.saw(()) }
      try Simulation.expect(entries.sorted() == [1, 2, 3, 4])
      try Simulation.expect(entries.filter { $0 < 3 } == [1, 2])
    }
    #expect(!interleaved.all.isEmpty)
  }

  @Test func anUnawaitedErrorOfASentGroupIsReported() async {
    let reported = Witness<String>()
    let store = Store(Log(), onUnhandledFailure: { reported.saw($0.action) })
    var ticket: Ticket<Void, Boom>? = store.send(Fail())
    while store.diagnostics.revision == 0 { await Task.yield() }
    ticket = nil
    while reported.all.isEmpty { await Task.yield() }
    #expect(reported.all == ["Fail"])
    #expect(ticket == nil)
  }

  @Test func aCanceledGroupRunsNoMoreActions() async {
    let store = Store(Log())
    let gate = Gate()
    let ticket = store.send(Wait(gate: gate))
    ticket.cancel()
    gate.open()
    let outcome = await ticket.outcome
    #expect(!outcome.isCommitted || store.diagnostics.revision == 0)
    #expect(await store.state.entries.isEmpty)
  }

  /// Inside an action of the same store, the dispatches of a group are deferred.
  ///
  /// If the action awaits a sent group, the group's dispatch and the action wait for each other, so one of them gives
  /// way.
  @Test func p7_p8_insideAnAction() throws {
    try Simulation.explore(schedules: TestSize.count(500)) {
      let store = Store(Log())
      let outcome = await store.dispatch { log async in
        _ = await store.dispatch(AppendAll(entries: [1]))
        return await store.send(AppendAll(entries: [2])).outcome
      }
      try Simulation.expect(outcome == .committed(.deferred) || outcome == .committed(.committed(1)), "\(outcome)")
      while store.diagnostics.holder != nil { await Task.yield() }
      await store.dispatch(Append(3))
      let entries = await store.state.entries
      try Simulation.expect(entries.contains(1) && entries.last == 3, "\(entries)")
    }
  }
}
