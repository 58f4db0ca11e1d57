import Testing

@testable import ActorStore

/// Sending, tickets, closing, and unawaited errors.
@Suite struct SendTests {
  @Test func anAwaitedErrorIsThrownAndNotReported() async {
    let reported = Witness<UnhandledFailure>()
    let store = Store(Log()) { reported.saw($0) }
    for ticket in [store.send(FailHalfway())] {
      await #expect(throws: Boom()) { try await ticket.outcome }
      await #expect(throws: Boom()) { try await ticket.outcome }
    }
    let atOnce = store.send(FailingMutation())
    await #expect(throws: Boom()) { try await atOnce.outcome }
    #expect(reported.all.isEmpty)
    #expect(await store.state.entries.isEmpty)
  }

  @Test func anUnawaitedErrorIsReported() async throws {
    let reported = Witness<String>()
    let store = Store(Log(), name: "log") { reported.saw($0.description) }
    store.send(FailHalfway())
    store.send(FailingMutation())
    store.send(label: "closure that fails") { _ throws(Boom) in throw Boom(code: 3) }
    await store.dispatch(Append(1))
    // A deferred action has no ticket.
    _ = await store.dispatch { _ async in _ = try? await store.dispatch(FailHalfway()) }
    await store.dispatch(Append(2))
    while reported.all.count < 4 { await Task.yield() }
    #expect(reported.all.allSatisfy { $0.contains("log") && $0.contains("Boom") })
    #expect(reported.all.count { $0.contains("FailHalfway") } == 2)
    #expect(reported.all.count { $0.contains("FailingMutation") } == 1)
    #expect(reported.all.count { $0.contains("closure that fails") } == 1)
  }

  @Test func anErrorIsReportedWhenItsUnawaitedTicketIsReleased() async {
    let reported = Witness<UnhandledFailure>()
    let store = Store(Log()) { reported.saw($0) }
    var tickets = [store.send(FailHalfway())]
    await store.dispatch(Append(1))
    #expect(reported.all.isEmpty)
    tickets = []
    #expect(tickets.isEmpty)
    // The action's task may still be running, and then reports the error when it ends.
    while reported.all.isEmpty { await Task.yield() }
    #expect(reported.all.count == 1)
  }

  @Test(arguments: [true, false]) func theCustodyOfAnErrorHasOneOwner(hasTicket: Bool) {
    // The action fails, a task awaits the ticket, and the ticket is released, in each possible order.
    var custody = FailureCustodyStateMachine(hasTicket: hasTicket)
    #expect((custody.failed(Boom()) != nil) == !hasTicket)
    #expect((custody.dropped() != nil) == hasTicket)
    #expect(custody.dropped() == nil)
    guard hasTicket else { return }
    var awaited = FailureCustodyStateMachine(hasTicket: true)
    #expect(awaited.awaited() == nil)
    #expect(awaited.failed(Boom()) == nil)
    #expect(awaited.dropped() == nil)
    var late = FailureCustodyStateMachine(hasTicket: true)
    #expect(late.failed(Boom()) == nil)
    #expect(late.awaited() != nil)
    #expect(late.dropped() == nil)
    var early = FailureCustodyStateMachine(hasTicket: true)
    #expect(early.dropped() == nil)
    #expect(early.failed(Boom()) != nil)
  }

  @Test func byDefaultAFailureIsOneLineOnStandardError() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      let store = Store(Log(), name: "journal")
      let done = store.send(FailHalfway())
      _ = try? await done.outcome
      store.send(FailingMutation())
    }
    let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    let lines = text.split(separator: "\n").filter { $0.contains("ActorStore:") }
    #expect(lines == ["ActorStore: FailingMutation of journal failed, and no task awaited it: Boom(code: 0)"])
  }

  @Test func callsBeforeCloseRunAndLaterCallsAreRefused() {
    explore {
      let store = Store(Log())
      let before = store.send(SlowAppend(1))
      let alsoBefore = store.send(Append(2))
      store.close()
      store.close()
      let after = store.send(Append(3))
      let outcomes = await [before.outcome, alsoBefore.outcome, after.outcome, store.dispatch(SlowAppend(4))]
      let entries = await store.state.entries
      return outcomes == [.committed(1), .committed(2), .closed, .closed] && entries == [1, 2]
        ? nil : "\(outcomes), \(entries)"
    }
  }

  @Test func queuedCallsKeepTheStoreAlive() {
    explore {
      var store: Store<Log>? = Store(Log())
      let released = Weak(store)
      let tickets = (0..<5).map { entry in entry % 2 == 0 ? store!.send(SlowAppend(entry)) : store!.send(Append(entry))
      }
      store = nil
      for (index, ticket) in tickets.enumerated() {
        let outcome = await ticket.outcome
        if outcome != .committed(index + 1) { return "\(outcome)" }
      }
      // The tickets still exist, but they do not keep the store alive. The last task may still be running.
      for _ in 0..<100 where released.object != nil { await Task.yield() }
      return released.object == nil ? nil : "the store is still alive"
    }
  }

  @Test func diagnosticsShowTheHolderAndTheWaiters() async {
    let store = Store(Log(), name: "log")
    #expect(
      store.diagnostics
        == StoreDiagnostics(
          name: "log", revision: 0, isClosed: false, holder: nil, queued: [], overlapping: [], groups: [],
          deferred: 0, isReporting: false, subscribers: []))
    let begun = Gate()
    let end = Gate()
    store.send(Hold(begun: begun, until: end))
    #expect(store.diagnostics.holder?.label == "Hold")
    await begun.wait()
    #expect(store.diagnostics.holder?.phase == .running)
    store.send(Append(1))
    let last = store.send(label: "clean up") { $0.entries.append(2) }
    store.close()
    #expect(store.diagnostics.queued == ["Append", "clean up"])
    #expect(store.queueLength == 2)
    #expect(store.diagnostics.isClosed)
    #expect(
      store.diagnostics.description
        == "log, closed, revision 0: Hold has the turn (running), 2 waiting: Append, clean up")
    end.open()
    _ = await last.outcome
    #expect(store.diagnostics.revision == 3)
    #expect(store.queueLength == 0)
    #expect(Store(Log()).diagnostics.description == "Store<Log>, revision 0: idle, none waiting")
    #expect(Store(Log()).name == "Store<Log>")
  }

  @Test func diagnosticsShowThatAMutationIsBeingApplied() async {
    let store = Store(Log())
    let seen = await store.dispatch { _ in store.diagnostics.holder?.phase }
    #expect(seen == .committed(.applying))
  }
}
