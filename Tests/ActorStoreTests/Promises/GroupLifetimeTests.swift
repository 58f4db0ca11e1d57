import ActorStoreTesting
import Testing

@testable import ActorStore

/// A drain waits for groups, and a closed store still accepts their actions.
@Suite struct GroupLifetimeTests {
  /// Loads something, and cleans up even after an error or a cancellation.
  private struct Load: ActionGroup {
    let begun = Gate()
    let loaded: Gate

    func run(with store: Store<Log>) async {
      await store.dispatch(Append(1))
      defer { store.send(Append(3)) }
      begun.open()
      await loaded.wait()
      await store.dispatch(SlowAppend(2))
    }
  }

  private struct Body: ActionGroup {
    let body: @Sendable (Store<Log>) async -> Void
    func run(with store: Store<Log>) async { await body(store) }
  }

  @Test(arguments: [true, false]) func aDrainWaitsForGroups(isSent: Bool) throws {
    try Simulation.explore(schedules: 500) {
      let store = Store(Log())
      let load = Load(loaded: Gate())
      async let outcome = isSent ? store.send(load).outcome : store.dispatch(load)
      await load.begun.wait()
      try Simulation.expect(store.diagnostics.groups == ["Load"], "\(store.diagnostics)")
      async let drained: Void = store.closeAndDrain()
      load.loaded.open()
      try await drained
      let entries = await store.state.entries
      try Simulation.expect(entries == [1, 2, 3], "\(entries)")
      let isCommitted = await outcome.isCommitted
      try Simulation.expect(isCommitted && store.diagnostics.groups.isEmpty)
    }
  }

  @Test func aClosedStoreAcceptsOnlyTheActionsOfRunningGroups() throws {
    try Simulation.explore(schedules: 300) {
      let store = Store(Log())
      let (closed, tried) = (Gate(), Gate())
      let ticket = store.send(
        Body { store in
          await closed.wait()
          await store.dispatch(Append(1))
          // A group of a running group, an action of another store, and a task.
          await store.dispatch(Body { await $0.dispatch(Append(2)) })
          await Store(Log()).dispatch { (_: inout Log) async in await store.dispatch(Append(3)) }
          _ = await inheritingTask { await store.dispatch(Append(4)) }.value
          _ = await store.send(Body { await $0.dispatch(Append(5)) }).outcome
          await tried.wait()
        })
      store.close()
      let refused = [await store.dispatch(Append(-1)), await store.send(Append(-1)).outcome]
      let group = await store.dispatch(Body { await $0.dispatch(Append(-1)) })
      closed.open()
      try Simulation.expect(refused == [.closed, .closed] && !group.isCommitted)
      tried.open()
      _ = await ticket.outcome
      let after = await store.dispatch(Append(-1))
      try await store.closeAndDrain()
      let entries = await store.state.entries
      try Simulation.expect(after == .closed && entries == [1, 2, 3, 4, 5], "\(after) \(entries)")
    }
  }

  @Test func aGroupCanceledBeforeItBeginsNeverBegins() throws {
    let outcomes = Witness<Bool>()
    try Simulation.explore(.exhaustive(), schedules: 20_000) {
      let store = Store(Log())
      let ticket = store.send(Body { _ in store.send(Append(1)) })
      ticket.cancel()
      let outcome = await ticket.outcome
      // The group may have been canceled while it ran. Then its action runs in a task of its own.
      try await store.closeAndDrain()
      let entries = await store.state.entries
      outcomes.saw(outcome.isCommitted)
      try Simulation.expect(outcome.isCommitted == !entries.isEmpty, "\(outcome) \(entries)")
    }
    #expect(outcomes.all.contains(false))
  }

  @Test func aCanceledTaskDispatchesNoGroup() async {
    let store = Store(Log())
    let outcome = await inheritingTask {
      withUnsafeCurrentTask { $0?.cancel() }
      return await store.dispatch(Body { _ in store.send(Append(1)) })
    }.value
    guard case .cancelled = outcome else { return #expect(Bool(false), "\(outcome)") }
    #expect(store.diagnostics.revision == 0)
  }

  /// Otherwise, a group that watches its store would keep it from being drained.
  @Test func streamsAndWaitsInsideAGroupEndWhenNoActionRuns() throws {
    try Simulation.explore(schedules: 500) {
      let store = Store(Log())
      let last = Witness<[Int]>()
      for kind in 0..<3 {
        store.send(
          Body { store in
            switch kind {
            case 0: for await state in store.states { last.saw(state.entries) }
            case 1: for await count in store.select(\.entries.count).values { last.saw([count]) }
            default: last.saw((try? await store.select().first { $0.entries.count > 99 })?.entries ?? [])
            }
          })
      }
      await store.dispatch(Append(1))
      store.send(SlowAppend(2))
      try await store.closeAndDrain()
      // A stream that began after the last commit also ended.
      try Simulation.expect(store.diagnostics.groups.isEmpty && store.diagnostics.isIdle)
      try Simulation.expect(store.hub.isEmpty)
    }
  }

  /// A stream outside the groups lasts until the last group has ended.
  @Test func otherStreamsEndWithTheLastGroup() throws {
    try Simulation.explore(schedules: 500) {
      let store = Store(Log())
      let loaded = Gate()
      let load = Load(loaded: loaded)
      store.send(load)
      let states = store.states
      await load.begun.wait()
      store.close()
      async let end = states.reduce(into: []) { $0 = $1.entries }
      loaded.open()
      let entries = await end
      try Simulation.expect(entries == [1, 2, 3], "\(entries)")
    }
  }

  @Test(arguments: [true, false]) func aDrainInsideAGroupWouldDeadlock(isSent: Bool) throws {
    try Simulation.explore(schedules: 300) {
      let store = Store(Log())
      let thrown = Witness<StateWaitError?>()
      let body = Body { store in
        do throws(StateWaitError) {
          try await store.closeAndDrain()
          thrown.saw(nil)
        } catch {
          thrown.saw(error)
        }
      }
      _ = isSent ? await store.send(body).outcome : await store.dispatch(body)
      try Simulation.expect(thrown.all == [.wouldDeadlock], "\(thrown.all)")
      try await store.closeAndDrain()
    }
  }

  /// An action drains a store, one of whose groups dispatches to the action's store.
  @Test func p8_aCycleOfAGroupAndADrain() throws {
    let ends = Witness<String>()
    try Simulation.explore(schedules: 2_000) {
      let (a, b) = (Store(Log()), Store(Log()))
      let begun = Gate()
      let ticket = a.send(
        Body { _ in
          begun.open()
          await Task.yield()
          ends.saw("\(await b.dispatch(Append(1)))")
        })
      await begun.wait()
      await b.dispatch { (_: inout Log) async in
        await Task.yield()
        do throws(StateWaitError) { try await a.closeAndDrain() } catch { ends.saw("\(error)") }
      }
      _ = await ticket.outcome
      try await b.closeAndDrain()
      let entries = await b.state.entries
      try Simulation.expect(entries == [1], "\(entries)")
    }
    #expect(Set(ends.all).isSuperset(of: ["deferred", "wouldDeadlock"]), "\(Set(ends.all))")
  }

  // MARK: A deadline

  @Test func aDeadlineCancelsTheSentGroups() throws {
    try Simulation.explore(schedules: 300, timers: .race(upTo: 0)) {
      let store = Store(Log())
      let clock = SimulationClock()
      let never = Gate()
      store.send(
        Body { store in
          try? await clock.sleep(for: .seconds(100))
          store.send(Append(Task.isCancelled ? 1 : -1))
        })
      let dispatched = inheritingTask { await store.dispatch(Body { _ in await never.wait() }) }
      while store.diagnostics.groups.count < 2 { await Task.yield() }
      let start = clock.now
      let rest = try await store.closeAndDrain(within: .seconds(1), clock: clock)
      try Simulation.expect(rest?.groups == ["Body"] && rest?.isIdle == false, "\(String(describing: rest))")
      try Simulation.expect(start.duration(to: clock.now) == .seconds(1))
      let entries = await store.state.entries
      try Simulation.expect(entries == [1], "\(entries)")
      never.open()
      _ = await dispatched.value
      let none = try await store.closeAndDrain(within: .zero, clock: clock)
      try Simulation.expect(none == nil)
    }
  }
}
