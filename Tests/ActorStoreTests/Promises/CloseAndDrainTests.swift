import ActorStoreTesting
import TestSize
import Testing

@testable import ActorStore

/// After `closeAndDrain`, every accepted action has ended.
@Suite struct CloseAndDrainTests {
  @Test func everyAcceptedActionHasEnded() throws {
    try Simulation.explore(schedules: TestSize.count(1_000)) {
      let store = Store(Log())
      store.send(SlowAppend(1))
      store.send(SlowAppend(2), policy: .overlapping)
      async let dispatched = store.dispatch(SlowAppend(3))
      try await store.closeAndDrain()
      let diagnostics = store.diagnostics
      try Simulation.expect(!diagnostics.isBusy && diagnostics.queued.isEmpty, "\(diagnostics)")
      try Simulation.expect(await store.state.entries.contains(1))
      try Simulation.expect(await store.dispatch(Append(4)) == .closed)
      _ = await dispatched
      try Simulation.expect(store.hub.isEmpty, "a subscriber remains")
    }
  }

  @Test func anIdleStoreIsDrainedImmediately() async throws {
    let store = Store(Log())
    try await store.closeAndDrain()
    try await store.closeAndDrain()
    #expect(await store.dispatch(Append(1)) == .closed)
  }

  /// Otherwise, the action would wait for its own end.
  @Test func throwsInsideAnActionOfTheStore() throws {
    try Simulation.explore(schedules: 300) {
      let store = Store(Log())
      let outcome = await store.dispatch { (log: inout Log) async -> StateWaitError? in
        log.entries.append(1)
        do throws(StateWaitError) {
          try await store.closeAndDrain()
          return nil
        } catch {
          return error
        }
      }
      try Simulation.expect(outcome == .committed(.wouldDeadlock), "\(outcome)")
      try Simulation.expect(await store.dispatch(Append(2)) == .closed)
    }
  }

  /// An overlapping action has no turn, but the call would still wait for its end.
  @Test(arguments: [true, false]) func throwsInsideAnOverlappingAction(isSent: Bool) throws {
    try Simulation.explore(schedules: 300) {
      let (store, other) = (Store(Log()), Store(Log()))
      @Sendable func closeAndDrain(_ log: inout Log) async -> StateWaitError? {
        await Task.yield()
        log.entries.append(1)
        // The call is also nested in an action of another store.
        return await other.dispatch { (_: inout Log) async -> StateWaitError? in
          do throws(StateWaitError) {
            try await store.closeAndDrain()
            return nil
          } catch {
            return error
          }
        }.output ?? nil
      }
      let outcome =
        if isSent {
          await store.send(policy: .overlapping, closeAndDrain).outcome
        } else {
          await store.dispatch(policy: .overlapping, closeAndDrain)
        }
      try Simulation.expect(outcome == .committed(.wouldDeadlock), "\(outcome)")
      try Simulation.expect(await store.dispatch(Append(2)) == .closed)
      try Simulation.expect(await store.state.entries == [1])
    }
  }

  /// An action of one store drains the other store, whose overlapping action waits for a turn, a ticket, or the end of
  /// all actions of the first store.
  ///
  /// No schedule deadlocks, and no wait remains in the wait graph.
  @Test(arguments: 0..<3) func p8_cyclesThroughOverlappingActions(variant: Int) throws {
    try Simulation.explore(schedules: TestSize.count(1_000)) {
      let (one, other) = (Store(Log(), name: "one"), Store(Log(), name: "other"))
      let (hasBegun, mayGoOn) = (Gate(), Gate())
      async let outcome: Void = Self.drain(other, in: one, overlapping: variant == 2) {
        hasBegun.open()
        await mayGoOn.wait()
      }
      async let back: Void = {
        await hasBegun.wait()
        _ = await other.dispatch(policy: .overlapping) { log async in
          log.entries.append(2)
          mayGoOn.open()
          switch variant {
          case 0: await one.dispatch(Append(3))
          case 1: _ = await one.send(SlowAppend(3)).outcome
          default: await Self.drain(one)
          }
        }
      }()
      _ = await (outcome, back)
      try await other.closeAndDrain()
      try await one.closeAndDrain()
      try Simulation.expect(WaitGraph.count(for: one.queue) + WaitGraph.count(for: other.queue) == 0, "a wait remains")
    }
  }

  private static func drain(_ store: Store<Log>) async {
    do throws(StateWaitError) { try await store.closeAndDrain() } catch {}
  }

  /// Drains a store inside an action of another store.
  private static func drain(
    _ store: Store<Log>,
    in other: Store<Log>,
    overlapping: Bool,
    after begin: @escaping @Sendable () async -> Void
  ) async {
    await other.dispatch(policy: overlapping ? .overlapping : .serial) { log async in
      log.entries.append(1)
      await begin()
      await drain(store)
    }
  }

  /// An overlapping action awaits a sent action, which is not nested and drains the overlapping action's store.
  ///
  /// Otherwise, the overlapping action would wait for itself.
  @Test func p8_anOverlappingActionAwaitsAnActionThatDrainsItsStore() throws {
    try Simulation.explore(schedules: TestSize.count(500)) {
      let (store, other) = (Store(Log()), Store(Log()))
      let outcome = await store.dispatch(policy: .overlapping) { (_: inout Log) async in
        await other.send { (_: inout Log) async -> StateWaitError? in
          do throws(StateWaitError) {
            try await store.closeAndDrain()
            return nil
          } catch {
            return error
          }
        }.outcome
      }
      // The wait that began last gives way.
      let isFine = outcome == .committed(.committed(.wouldDeadlock)) || outcome == .committed(.deferred)
      try Simulation.expect(isFine, "\(outcome)")
      try await other.closeAndDrain()
      try await store.closeAndDrain()
    }
  }

  /// An action drains another store, whose action waits for the first store.
  @Test func throwsIfItWouldCloseACycle() throws {
    try Simulation.explore(schedules: TestSize.count(1_000)) {
      let (one, other) = (Store(Log()), Store(Log()))
      let isWaiting = Gate()
      async let outcome = one.dispatch { (log: inout Log) async -> StateWaitError? in
        log.entries.append(1)
        await isWaiting.wait()
        do throws(StateWaitError) {
          try await other.closeAndDrain()
          return nil
        } catch {
          return error
        }
      }
      while !one.diagnostics.isBusy { await Task.yield() }
      async let there = other.dispatch { log async in
        log.entries.append(2)
        isWaiting.open()
        await one.dispatch(Append(3))
      }
      let (closed, _) = await (outcome, there)
      // The other action's dispatch may have given way instead.
      try Simulation.expect([.committed(.wouldDeadlock), .committed(nil)].contains(closed), "\(closed)")
    }
  }
}
