import ActorStoreTesting
import Testing

@testable import ActorStore

/// P7, P8: A deferred action belongs to the action that made it.
@Suite struct DeferredTests {
  private struct Refused: Error {}

  private struct Purse: Sendable, Equatable {
    var coins = 100
  }

  /// Withdraws a coin, and fails unless the deposit into another purse commits immediately.
  private static func transfer(_ from: Store<Purse>, _ to: Store<Purse>, policy: DispatchPolicy = .serial) async -> Bool
  {
    let outcome = try? await from.dispatch(policy: policy) { (purse: inout Purse) async throws in
      purse.coins -= 1
      guard await to.dispatch({ $0.coins += 1 }).isCommitted else { throw Refused() }
    }
    return outcome?.isCommitted ?? false
  }

  private static func total(_ purses: [Store<Purse>]) async throws -> Int {
    var total = 0
    for purse in purses {
      try await purse.closeAndDrain()
      total += await purse.state.coins
    }
    return total
  }

  /// Dispatches an action that dispatches to its own store and may then fail, and then an action to another store.
  private static func outer(_ own: Store<Log>, _ other: Store<Log>, fails: Bool) async {
    _ = try? await own.dispatch { (log: inout Log) async throws in
      log.entries.append(1)
      _ = await own.dispatch(Append(2))
      if fails { throw Refused() }
    }
    await other.dispatch(Append(9))
  }

  // MARK: The same store

  @Test(arguments: [true, false]) func p7_aDeferredActionRunsOnlyIfItsOwnerCommits(fails: Bool) throws {
    try Simulation.explore(.exhaustive(), schedules: 20_000) {
      let (store, other) = (Store(Log()), Store(Log()))
      await Self.outer(store, other, fails: fails)
      try await store.closeAndDrain()
      let entries = await store.state.entries
      try Simulation.expect(entries == (fails ? [] : [1, 2]), "\(entries)")
    }
  }

  /// The deferred action keeps the queue position of the call.
  @Test func p7_aDeferredActionKeepsItsPosition() {
    explore {
      let store = Store(Log())
      await store.dispatch { (_: inout Log) async in
        await store.dispatch(Append(1))
        store.send(Append(2))
        await store.dispatch(SlowAppend(3))
      }
      await store.dispatch(Append(4))
      let entries = await store.state.entries
      return entries == [1, 2, 3, 4] ? nil : "\(entries)"
    }
  }

  @Test func p7_aSentActionIsIndependentOfItsSender() async {
    let store = Store(Log())
    _ = try? await store.dispatch { (_: inout Log) async throws in
      store.send(Append(1))
      _ = await store.dispatch(Append(2))
      throw Refused()
    }
    await store.dispatch(Append(3))
    #expect(await store.state.entries == [1, 3])
  }

  // MARK: Transactions

  @Test func p7_aMembersDeferredActionsAreGivenUpWithTheMember() {
    explore {
      let store = Store(Log())
      _ = try? await store.transaction { transaction in
        _ = try? await transaction.run { (log: inout Log) async throws in
          log.entries.append(1)
          _ = await store.dispatch(Append(2))
          throw Refused()
        }
        try await transaction.run { (log: inout Log) async throws in
          log.entries.append(3)
          _ = await store.dispatch(Append(4))
        }
        _ = await store.dispatch(Append(5))
      }
      await store.dispatch(Append(6))
      let entries = await store.state.entries
      return entries == [3, 4, 5, 6] ? nil : "\(entries)"
    }
  }

  @Test func p7_allAreGivenUpWithTheTransaction() {
    explore {
      let store = Store(Log())
      await store.transaction { transaction async throws(Veto) in
        try await transaction.run { (log: inout Log) async in
          log.entries.append(1)
          _ = await store.dispatch(Append(2))
        }
        throw Veto("no")
      }
      await store.dispatch(Append(3))
      let entries = await store.state.entries
      return entries == [3] ? nil : "\(entries)"
    }
  }

  /// A group inside a member belongs to the member.
  @Test func p7_aGroupInAMember() async {
    struct Pair: ActionGroup {
      func run(with store: Store<Log>) async { for entry in 1...2 { await store.dispatch(Append(entry)) } }
    }
    let store = Store(Log())
    _ = await store.transaction { transaction in
      for fails in [true, false] {
        _ = try? await transaction.run { (log: inout Log) async throws in
          _ = await store.dispatch(Pair())
          if fails { throw Refused() }
        }
      }
    }
    await store.dispatch(Append(3))
    #expect(await store.state.entries == [1, 2, 3])
  }

  // MARK: Across stores

  @Test(arguments: [DispatchPolicy.serial, .overlapping])
  func p8_oppositeTransfersNeverMakeCoins(policy: DispatchPolicy) throws {
    let deferred = Witness<Void>()
    try Simulation.explore(schedules: 2_000) {
      let (a, b) = (Store(Purse()), Store(Purse()))
      await withTaskGroup { group in
        for _ in 0..<2 {
          group.addTask { if await !Self.transfer(a, b) { deferred.saw(()) } }
          group.addTask { if await !Self.transfer(b, a) { deferred.saw(()) } }
        }
      }
      let total = try await Self.total([a, b])
      try Simulation.expect(total == 200, "\(total)")
    }
    #expect(!deferred.all.isEmpty, "no schedule has deferred a deposit")
  }

  @Test func p8_oppositeTransfersOnRealThreads() async throws {
    let (a, b) = (Store(Purse()), Store(Purse()))
    await withTaskGroup { group in
      for index in 0..<2_000 {
        group.addTask { _ = index.isMultiple(of: 2) ? await Self.transfer(a, b) : await Self.transfer(b, a) }
      }
    }
    #expect(try await Self.total([a, b]) == 200)
  }

  /// Canceled callers, a group, and a ring of three stores.
  @Test func p8_canceledAndGroupedTransfers() throws {
    struct Move: ActionGroup {
      let to: Store<Purse>
      func run(with store: Store<Purse>) async { _ = await DeferredTests.transfer(store, to) }
    }
    try Simulation.explore(schedules: 1_000) {
      let purses = (0..<3).map { _ in Store(Purse()) }
      await withTaskGroup { group in
        for (index, from) in purses.enumerated() {
          let to = purses[(index + 1) % 3]
          group.addTask { _ = await from.dispatch(Move(to: to)) }
        }
        group.addTask { _ = await Self.transfer(purses[1], purses[0]) }
        group.cancelAll()
        group.addTask { _ = await Self.transfer(purses[2], purses[0]) }
      }
      let total = try await Self.total(purses)
      try Simulation.expect(total == 300, "\(total)")
    }
  }

  /// Stores and gates in which an action of `inner`, nested in an action of `outer`, dispatches to `outer`.
  private struct Nested: Sendable {
    let outer = Store(Log())
    let inner = Store(Log())

    /// Returns the entries of the outer store after everything has ended.
    func run(
      outerFails: Bool = false, innerFails: Bool = false,
      _ inside: @escaping @Sendable (Nested) async -> Void = { _ in }
    )
      async throws -> [Int]
    {
      _ = try? await outer.dispatch { (log: inout Log) async throws in
        log.entries.append(1)
        _ = try? await inner.dispatch { (_: inout Log) async throws in
          let outcome = await outer.dispatch(Append(2))
          if outcome != .deferred { outer.send(Append(-1)) }
          await inside(self)
          if innerFails { throw Refused() }
        }
        if outerFails { throw Refused() }
      }
      try await outer.closeAndDrain()
      return await outer.state.entries
    }
  }

  @Test func p8_theOwnerIsTheInnermostAction() throws {
    try Simulation.explore(schedules: 300) {
      for (outerFails, innerFails, expected) in [
        (false, false, [1, 2]), (true, false, [2]), (false, true, [1]), (true, true, []),
      ] {
        let entries = try await Nested().run(outerFails: outerFails, innerFails: innerFails)
        try Simulation.expect(entries == expected, "\(outerFails) \(innerFails) \(entries)")
      }
    }
  }

  /// The store accepts the deferred action at the call.
  ///
  /// Closing the store does not refuse it afterward, and a drain waits.
  @Test func p8_aDeferredActionIsAcceptedAtTheCall() throws {
    try Simulation.explore(schedules: 300) {
      let entries = try await Nested().run { nested in
        nested.outer.close()
        let after = await nested.outer.dispatch(Append(3))
        if after != .closed { nested.outer.send(Append(-1)) }
        do throws(StateWaitError) {
          // The drain would wait for the deferred action, which waits for this action.
          try await nested.outer.closeAndDrain()
        } catch {
          if error == .wouldDeadlock { return }
        }
        await nested.inner.dispatch(Append(-1))
      }
      try Simulation.expect(entries == [1, 2], "\(entries)")
    }
  }

  /// Later calls of the owner to the same store do not overtake a deferred call, even if that store is idle by then.
  @Test func p8_laterCallsOfTheOwnerAreDeferred() {
    explore {
      let (a, b) = (Store(Log()), Store(Log()))
      let outcomes = await a.dispatch { (_: inout Log) async -> [Outcome<Int>] in
        let crossing = inheritingTask {
          await CallChain.cleared {
            await b.dispatch { (_: inout Log) async in await a.dispatch(Append(3)) }
          }
        }
        await a.waitUntilQueued(1)
        let first = await b.dispatch(Append(1))
        crossing.cancel()
        _ = await crossing.value
        if b.diagnostics.isBusy { return [] }
        return [first, await b.dispatch(Append(2))]
      }
      let early = await b.state.entries
      try? await b.closeAndDrain()
      let entries = await b.state.entries
      return outcomes == .committed([.deferred, .deferred]) && entries == [1, 2]
        ? nil : "\(outcomes) \(early) \(entries)"
    }
  }

  /// A task that outlives the innermost action belongs to the next one.
  @Test func p8_aTaskThatOutlivesItsActionBelongsToTheOuterOne() {
    explore {
      let (outer, inner) = (Store(Log()), Store(Log()))
      _ = try? await outer.dispatch { (_: inout Log) async throws in
        let over = Gate()
        let left = await inner.dispatch { _ async in
          inheritingTask {
            await over.wait()
            return await outer.dispatch(Append(1))
          }
        }
        over.open()
        if await left.output?.value != .deferred { _ = inner.send(Append(-1)) }
        throw Refused()
      }
      await outer.dispatch(Append(2))
      let entries = await outer.state.entries + inner.state.entries
      return entries == [2] ? nil : "\(entries)"
    }
  }

  // MARK: Overlapping actions

  /// The deferred commit of an overlapping action belongs to the action that dispatched the overlapping action.
  @Test(arguments: [true, false]) func p8_aDeferredCommitBelongsToItsCaller(fails: Bool) throws {
    let deferred = Witness<Void>()
    try Simulation.explore(schedules: 2_000) {
      let (a, b) = (Store(Log()), Store(Log()))
      let wasDeferred = Witness<Bool>()
      await withTaskGroup { group in
        group.addTask {
          _ = try? await a.dispatch { (_: inout Log) async throws in
            let outcome = await b.dispatch(SlowAppend(1), policy: .overlapping)
            wasDeferred.saw(outcome == .deferred)
            if fails { throw Refused() }
          }
        }
        group.addTask { await b.dispatch { (_: inout Log) async in await a.dispatch(Append(2)) } }
      }
      try await a.closeAndDrain()
      try await b.closeAndDrain()
      if wasDeferred.all == [true] { deferred.saw(()) }
      let entries = await b.state.entries
      let expected = fails && wasDeferred.all == [true] ? [] : [1]
      try Simulation.expect(entries == expected, "\(entries) \(wasDeferred.all)")
    }
    #expect(!deferred.all.isEmpty, "no schedule has deferred the commit")
  }

  /// Calls of an overlapping action run after its commit, even those to its own store.
  @Test(arguments: [true, false], [true, false]) func p8_anOverlappingOwner(fails: Bool, isSent: Bool) throws {
    let deferred = Witness<Void>()
    try Simulation.explore(schedules: 2_000) {
      let (store, other) = (Store(Log()), Store(Log()))
      let outcomes = Witness<Outcome<Int>>()
      @Sendable func overlapping(_ log: inout Log) async throws {
        log.entries.append(1)
        await Task.yield()
        outcomes.saw(await other.dispatch(Append(2)))
        if fails { throw Refused() }
      }
      await withTaskGroup { group in
        group.addTask {
          if isSent {
            _ = try? await store.send(policy: .overlapping, overlapping).outcome
          } else {
            _ = try? await store.dispatch(policy: .overlapping, overlapping)
          }
        }
        group.addTask {
          // Waits for the end of the overlapping action while it has the turn of the other store.
          _ = await other.dispatch { (_: inout Log) async in try? await store.closeAndDrain() }
        }
      }
      try await other.closeAndDrain()
      try await store.closeAndDrain()
      guard outcomes.all == [.deferred] else { return }
      deferred.saw(())
      let entries = await other.state.entries
      try Simulation.expect(entries == (fails ? [] : [2]), "\(entries)")
    }
    #expect(!deferred.all.isEmpty, "no schedule has deferred the call")
  }
}
