import ActorStoreTesting
import TestSize
import Testing

@testable import ActorStore

/// P8: An action that waits for an element of another store's stream waits for that store.
@Suite struct StreamsInsideActionsTests {
  /// Dispatches an action that waits in a stream until another store has an entry, and then appends one.
  @discardableResult
  fileprivate static func follow(
    _ other: Store<Log>, inside store: Store<Log>, selected: Bool = false
  ) async -> Outcome<Void> {
    await store.dispatch { log async in
      if selected {
        for await count in other.select(\.entries.count).values where count > 0 { break }
      } else {
        for await state in other.states where !state.entries.isEmpty { break }
      }
      log.entries.append(1)
    }
  }

  private static func settle(_ stores: [Store<Log>]) async throws {
    while stores.contains(where: \.diagnostics.isBusy) { await Task.yield() }
    for store in stores {
      try Simulation.expect(WaitGraph.count(for: store.queue) == 0, "a wait remains in the wait graph")
      try Simulation.expect(store.hub.isEmpty, "a subscriber remains")
    }
  }

  /// If the call and the stream wait for each other, the call is deferred, whichever wait began first.
  @Test(arguments: [true, false]) func p8_aDispatchBackIsDeferred(selected: Bool) throws {
    try Simulation.explore(schedules: TestSize.count(2_000)) {
      let (one, other) = (Store(Log(), name: "one"), Store(Log(), name: "other"))
      async let there = Self.follow(other, inside: one, selected: selected)
      async let back = other.dispatch { log async in
        log.entries.append(2)
        return await one.dispatch(Append(3))
      }
      let (followed, dispatched) = await (there, back)
      try await Self.settle([one, other])
      try Simulation.expect(followed.isCommitted)
      try Simulation.expect(await one.state.entries.sorted() == [1, 3])
      try Simulation.expect(await other.state.entries == [2])
      try Simulation.expect([.committed(1), .committed(2), .deferred].contains(dispatched.output), "\(dispatched)")
    }
  }

  @Test func p8_aCycleThroughAThirdStore() throws {
    try Simulation.explore(schedules: TestSize.count(2_000)) {
      let stores = (0..<3).map { Store(Log(), name: "store \($0)") }
      async let there = Self.follow(stores[1], inside: stores[0])
      async let middle = stores[1].dispatch { log async in
        log.entries.append(2)
        await stores[2].dispatch(SlowAppend(3))
      }
      async let back = stores[2].dispatch { log async in
        log.entries.append(4)
        await stores[0].dispatch(Append(5))
      }
      _ = await (there, middle, back)
      try await Self.settle(stores)
      for (store, expected) in zip(stores, [[1, 5], [2], [3, 4]]) {
        let entries = await store.state.entries.sorted()
        try Simulation.expect(entries == expected, "\(entries)")
      }
    }
  }

  /// A wait for an outcome gives way, too.
  @Test func p8_aWaitForAnOutcomeIsDeferred() throws {
    try Simulation.explore(schedules: TestSize.count(2_000)) {
      let (one, other) = (Store(Log(), name: "one"), Store(Log(), name: "other"))
      async let there = Self.follow(other, inside: one)
      async let back = other.dispatch { log async in
        log.entries.append(2)
        return await one.send(SlowAppend(3)).outcome
      }
      let (followed, awaited) = await (there, back)
      try await Self.settle([one, other])
      try Simulation.expect(followed.isCommitted)
      try Simulation.expect(await one.state.entries.sorted() == [1, 3])
      try Simulation.expect([.committed(1), .committed(2), .deferred].contains(awaited.output), "\(awaited)")
    }
  }

  @Test func p8_aWaitForAStateThrows() throws {
    try Simulation.explore(schedules: TestSize.count(2_000)) {
      let (one, other) = (Store(Log(), name: "one"), Store(Log(), name: "other"))
      async let there = Self.follow(other, inside: one)
      async let back = other.dispatch { (log: inout Log) async -> Bool in
        log.entries.append(2)
        do throws(StateWaitError) {
          _ = try await one.select().first { !$0.entries.isEmpty }
          return true
        } catch {
          return error != .wouldDeadlock
        }
      }
      // Until the wait gives way, no action can commit the state that it waits for.
      let (followed, reached) = await (there, back)
      try await Self.settle([one, other])
      try Simulation.expect(followed.isCommitted && reached == .committed(false), "\(reached)")
    }
  }

  /// If the call that awaits an action gives way, the store reports the action's error.
  @Test func aFailureAfterTheAwaiterGaveWayIsReported() throws {
    try Simulation.explore(schedules: TestSize.count(1_000)) {
      let failures = Witness<String>()
      let one = Store(Log(), name: "one") { failures.saw($0.action) }
      let other = Store(Log(), name: "other")
      async let there = Self.follow(other, inside: one)
      async let back = other.dispatch { (log: inout Log) async -> Bool in
        log.entries.append(2)
        let ticket: Ticket<Void, Boom> = one.send(FailHalfway())
        do throws(Boom) {
          if case .deferred = try await ticket.outcome { return true } else { return false }
        } catch {
          return false
        }
      }
      let (_, gaveWay) = await (there, back)
      try await Self.settle([one, other])
      let expected = gaveWay == .committed(true) ? ["FailHalfway"] : []
      try Simulation.expect(failures.all == expected, "\(gaveWay), \(failures.all)")
    }
  }

  /// A call that is canceled as it gives way is either canceled or deferred, and its action runs accordingly.
  @Test func p9_canceledAsItGivesWay() throws {
    try Simulation.explore(schedules: TestSize.count(3_000)) {
      let (one, other) = (Store(Log(), name: "one"), Store(Log(), name: "other"))
      let outcomes = Witness<Outcome<Int>>()
      async let there = Self.follow(other, inside: one)
      let back = Simulation.task {
        await other.dispatch { log async in
          log.entries.append(2)
          outcomes.saw(await one.dispatch(Append(3)))
        }
      }
      let canceller = Simulation.task { back.cancel() }
      await canceller.value
      let committed = await back.value.isCommitted
      if !committed { await other.dispatch(Append(2)) }
      _ = await there
      try await Self.settle([one, other])
      let hasRun = await one.state.entries.contains(3)
      let isExpected = outcomes.all.first.map { $0 != .cancelled } ?? false
      try Simulation.expect(hasRun == isExpected, "\(outcomes.all), has run: \(hasRun)")
    }
  }

  /// A stream that has its element does not block calls, even before its task has resumed.
  @Test func p8_aStreamThatHasItsElementDoesNotBlockCalls() throws {
    try Simulation.explore(schedules: TestSize.count(1_000)) {
      let (one, other) = (Store(Log(), name: "one"), Store(Log(), name: "other"))
      async let there = Self.follow(other, inside: one)
      while other.hub.states.waitingCount == 0 { await Task.yield() }
      await other.dispatch(Append(2))
      let back = await other.dispatch { _ async in await one.dispatch(Append(3)) }
      _ = await there
      try Simulation.expect(back.output?.isCommitted == true, "\(back)")
      try await Self.settle([one, other])
    }
  }

  /// A stream's wait is not in the wait graph outside of actions, or after it was canceled inside an action.
  @Test func onlyStreamsThatWaitInsideActionsAreInTheWaitGraph() throws {
    try Simulation.explore(schedules: 200) {
      let (one, other) = (Store(Log(), name: "one"), Store(Log(), name: "other"))
      let reader = Simulation.task { for await _ in other.states {} }
      while other.hub.states.waitingCount == 0 { await Task.yield() }
      try Simulation.expect(WaitGraph.count(for: other.queue) == 0)
      reader.cancel()
      await reader.value
      // A child that follows a stream until the action cancels it.
      await one.dispatch { _ async in
        await withTaskGroup { group in
          group.addTask { for await _ in other.states {} }
          while other.hub.states.waitingCount == 0 { await Task.yield() }
          group.cancelAll()
        }
      }
      try await Self.settle([one, other])
    }
  }

  /// The commit of an overlapping action gives way, too, and happens later, once, without its caller.
  ///
  /// On real threads, several searches may ask the same wait to give way, even after it has done so.
  @Test(arguments: [false, true]) func p8_anOverlappingActionsCommitGivesWay(isAskedAgain: Bool) throws {
    try Simulation.explore(schedules: TestSize.count(2_000)) {
      let (one, other) = (Store(Log(), name: "one"), Store(Log(), name: "other"))
      async let there = Self.follow(other, inside: one)
      async let back = other.dispatch { log async in
        log.entries.append(2)
        let outcome = await one.dispatch(SlowAppend(3), policy: .overlapping)
        if isAskedAgain {
          for number in 1...9 { one.queue.revokeWait(for: TicketNumber(number: UInt64(number))) }
        }
        return outcome
      }
      let (followed, dispatched) = await (there, back)
      try await Self.settle([one, other])
      try Simulation.expect(followed.isCommitted && dispatched.isCommitted, "\(followed), \(dispatched)")
      // The last writer wins, because an overlapping action's commit replaces the state.
      let entries = await one.state.entries
      try Simulation.expect([[1, 3], [3, 1], [3], [1]].contains(entries), "\(entries)")
    }
  }

  /// Two actions that wait for each other's streams wait until one of them is canceled, but other calls do not.
  @Test func p8_streamsThatWaitForEachOtherDoNotBlockOtherCalls() throws {
    try Simulation.explore(schedules: TestSize.count(3_000)) {
      let (one, other) = (Store(Log(), name: "one"), Store(Log(), name: "other"))
      let follower = Gate()
      async let there = one.dispatch { log async in
        log.entries.append(1)
        return await withTaskGroup(of: Outcome<Int>?.self) { group in
          group.addTask {
            for await state in other.states where !state.entries.isEmpty { break }
            return nil
          }
          group.addTask { await other.dispatch(Append(3)) }
          group.addTask {
            await follower.wait()
            return nil
          }
          var outcome: Outcome<Int>?
          for await result in group {
            outcome = outcome ?? result
            if outcome != nil { group.cancelAll() }
            follower.open()
          }
          return outcome
        }
      }
      async let back = other.dispatch { log async in
        log.entries.append(2)
        for await state in one.states where !state.entries.isEmpty { break }
      }
      let (followed, waited) = await (there, back)
      try await Self.settle([one, other])
      try Simulation.expect(followed.isCommitted && waited.isCommitted, "\(followed), \(waited)")
    }
  }
}

/// Streams inside actions on real threads.
///
/// The sanitizers run this suite, but not the simulations above, in which they find nothing.
@Suite struct StreamsInsideActionsOnThreadsTests {
  @Test func p8_onRealThreads() async {
    for round in 0..<300 {
      let (one, other) = (Store(Log()), Store(Log()))
      async let there = StreamsInsideActionsTests.follow(other, inside: one, selected: round % 2 == 0)
      async let back = other.dispatch { log async in
        log.entries.append(2)
        return await one.dispatch(Append(3))
      }
      _ = await (there, back)
      await one.dispatch(Append(4))
      #expect(await Set(one.state.entries) == [1, 3, 4])
    }
  }
}
