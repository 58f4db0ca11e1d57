import Testing

@testable import ActorStore

/// `onUnhandledFailure` gets the reason of each action that did not commit and that no task awaits.
@Suite struct UnhandledFailureTests {
  private struct RefuseAll: Guard {
    typealias State = Log
    func veto<A: Action<Log>>(_ action: A, state: Log) -> Veto? { action is Append ? Veto("no") : nil }
  }

  private struct Refresh: ActionGroup {
    func run(with store: Store<Log>) async {}
  }

  private final class Reported: Sendable {
    let all = Witness<UnhandledFailure>()
    /// The action and the reason of each failure.
    var lines: [String] { all.all.map { "\($0.action): \($0.error)" } }

    func store(guards: [any Guard<Log>] = []) -> Store<Log> {
      Store(Log(), guards: guards) { [all] in all.saw($0) }
    }

    /// Lets other tasks run until there are this many failures.
    func wait(for count: Int) async {
      while all.all.count < count { await Task.yield() }
    }
  }

  /// A veto inside the call, in the queue, of an overlapping action, and of a deferred action.
  @Test func aVeto() async {
    let reported = Reported()
    let store = reported.store(guards: [RefuseAll()])
    store.send(Append(1))
    await reported.wait(for: 1)
    await store.dispatch { (_: inout Log) async in
      store.send(Append(2))
      await store.dispatch(Append(3))
    }
    await reported.wait(for: 3)
    #expect(Set(reported.lines) == ["Append: vetoed(RefuseAll: no)"], "\(reported.lines)")
  }

  @Test func anAwaitedVetoIsNotReported() async {
    let reported = Reported()
    let store = reported.store(guards: [RefuseAll()])
    #expect(await !store.send(Append(1)).outcome.isCommitted)
    await store.dispatch { (_: inout Log) async in }
    #expect(reported.lines.isEmpty)
  }

  @Test func aClosedStore() async {
    let reported = Reported()
    let store = reported.store()
    store.close()
    store.send(Append(1))
    store.send(SlowAppend(2))
    store.send(SlowAppend(3), policy: .overlapping)
    store.send(Refresh())
    #expect(
      reported.lines == ["Append: closed", "SlowAppend: closed", "SlowAppend: closed", "Refresh: closed"],
      "\(reported.lines)")
    let ticket = store.send(Append(4))
    #expect(await ticket.outcome == .closed)
    #expect(reported.all.all.count == 4)
  }

  /// Cancels an action that waits and one that runs and then throws.
  @Test func aCanceledTicketIsSilent() async {
    let reported = Reported()
    let store = reported.store()
    let (begun, end) = (Gate(), Gate())
    var tickets = [
      store.send { (_: inout Log) async throws(CancellationError) -> Int in
        begun.open()
        await end.wait()
        throw CancellationError()
      }
    ]
    var waiting = [store.send(SlowAppend(1))]
    await begun.wait()
    for ticket in waiting { ticket.cancel() }
    for ticket in tickets { ticket.cancel() }
    (tickets, waiting) = ([], [])
    end.open()
    await store.waitUntilIdle()
    await store.dispatch { (_: inout Log) async in await Task.yield() }
    #expect(tickets.isEmpty && waiting.isEmpty && reported.lines.isEmpty, "\(reported.lines)")
  }

  /// The caller gets the failure of the owner, so the actions that the owner gives up are not reported.
  @Test func aDeferredActionThatIsGivenUpIsNotReported() {
    explore {
      let reported = Reported()
      let store = reported.store()
      _ = try? await store.dispatch { (_: inout Log) async throws in
        _ = try? await store.dispatch(FailHalfway())
        throw Boom()
      }
      try? await store.closeAndDrain()
      return reported.lines.isEmpty ? nil : "\(reported.lines)"
    }
  }

  @Test func theStateOfAnActionCanceledByItsOwner() {
    var custody = FailureCustodyStateMachine(hasTicket: true)
    custody.canceled()
    #expect(custody.failed(Boom()) == nil)
    #expect(custody.dropped() == nil)
    // A cancellation after the end has no effect.
    var late = FailureCustodyStateMachine(hasTicket: true)
    #expect(late.failed(Boom()) == nil)
    late.canceled()
    #expect(late.dropped() != nil)
  }
}
