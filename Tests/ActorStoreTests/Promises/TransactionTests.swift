import ActorStoreTesting
import Testing

@testable import ActorStore

/// A transaction runs several actions on one draft, and commits all of them once or none.
@Suite struct TransactionTests {
  @Test func commitsTheWorkOfItsMembersOnce() async throws {
    let store = Store(Log())
    let outcome = try await store.transaction { transaction in
      let first = try await transaction.run(Append(1))
      let second = try await transaction.run(SlowAppend(2))
      try await transaction.run { $0.entries.append(3) }
      try await transaction.run { log async in log.entries.append(4) }
      let erased: any Action<Log> = Append(5)
      let last = try await transaction.run(erased)
      return [first, second, last as? Int, transaction.state.entries.count]
    }
    #expect(outcome == .committed([1, 2, 5, 5]))
    #expect(await store.state.entries == [1, 2, 3, 4, 5])
    #expect(store.diagnostics.revision == 1)
  }

  @Test func p6_theDraftIsInvisible() async throws {
    let store = Store(Log())
    try await store.transaction { transaction in
      try await transaction.run(Append(1))
      let seen = await store.state.entries
      #expect(seen == [])
      #expect(transaction.state.entries == [1])
    }
  }

  @Test func p4_anUncaughtErrorUndoesAllMembers() async throws {
    let store = Store(Log(entries: [0]))
    await #expect(throws: Boom()) {
      try await store.transaction { transaction in
        try await transaction.run(Append(1))
        try await transaction.run(FailHalfway())
      }
    }
    await #expect(throws: Boom(code: 2)) {
      try await store.transaction { transaction async throws(Boom) in
        _ = try? await transaction.run(Append(1))
        throw Boom(code: 2)
      }
    }
    #expect(await store.state.entries == [0])
    #expect(store.diagnostics.revision == 0)
    #expect(await store.dispatch(Append(1)) == .committed(2))
  }

  @Test func p4_aCaughtErrorUndoesOnlyThatMember() async throws {
    let store = Store(Log(entries: [0]))
    let outcome = await store.transaction { transaction async throws(Veto) in
      try await transaction.run(Append(1))
      _ = try? await transaction.run(FailHalfway())
      _ = try? await transaction.run(FailingMutation())
      _ = try? await transaction.run { log throws(Boom) in
        log.entries = []
        throw Boom()
      }
      _ = try? await transaction.run { log async throws(Boom) in
        log.entries = []
        throw Boom()
      }
      try await transaction.run(SlowAppend(2))
      try await transaction.run { $0.entries.append(3) }
      try await transaction.run { log async in log.entries.append(4) }
    }
    #expect(outcome.isCommitted)
    #expect(await store.state.entries == [0, 1, 2, 3, 4])
  }

  /// Vetoes actions once the log has reached a limit, and records each call.
  private struct Limit: Guard {
    typealias State = Log
    let limit: Int
    let heard = Witness<String>()
    var wantsOldState: Bool { true }

    func veto<A: Action<Log>>(_ action: A, state: Log) -> Veto? {
      heard.saw("should \(A.self == Append.self) \(state.entries)")
      return state.entries.count < limit ? nil : Veto("full")
    }

    func willUpdate<A: Action<Log>>(_ action: A, state: Log) {
      heard.saw("will \(state.entries)")
    }

    func didUpdate<A: Action<Log>>(_ action: A, old: Log?, new: Log) {
      heard.saw("did \(action) \(old?.entries ?? [-1]) \(new.entries)")
    }

    func didEnd<A: Action<Log>>(_ action: A, report: ActionReport<Log>) {
      heard.saw("\(report.outcome.kind) \(action)")
    }
  }

  @Test func guardsAreAskedAboutEachMemberAndHearOfItsEnd() async throws {
    let limit = Limit(limit: 9)
    let store = Store(Log(), guards: [limit])
    try await store.transaction(label: "both") { transaction in
      try await transaction.run(Append(1))
      try await transaction.run(SlowAppend(2))
    }
    #expect(
      limit.heard.all == [
        "should true []", "will []", "should false [1]", "will [1]", "did both [] [1, 2]",
        "committed Append(entry: 1)", "committed SlowAppend(entry: 2)", "committed both",
      ])
  }

  @Test func anUncaughtVetoUndoesAllMembers() async throws {
    let limit = Limit(limit: 1)
    let store = Store(Log(), guards: [limit])
    let outcome = try await store.transaction(label: "both") { transaction in
      try await transaction.run(Append(1))
      try await transaction.run(Append(2))
      return 7
    }
    #expect(outcome == .vetoed(Veto("full", by: Limit.self)))
    #expect(await store.state.entries == [])
    #expect(
      limit.heard.all.suffix(4) == [
        "should true [1]", "undone Append(entry: 1)", "vetoed Append(entry: 2)", "vetoed both",
      ])
    let sent = store.sendTransaction { transaction async throws(Veto) in
      try await transaction.run(Append(1))
      throw Veto("after all")
    }
    guard case .vetoed(let veto) = try await sent.outcome else {
      Issue.record("a sent transaction was not vetoed")
      return
    }
    #expect(veto == Veto("after all"))
  }

  @Test func aCaughtVetoUndoesOnlyThatMember() async throws {
    let store = Store(Log(), guards: [Limit(limit: 1)])
    let outcome = try await store.transaction { transaction in
      try await transaction.run(Append(1))
      do {
        try await transaction.run(Append(2))
        return ""
      } catch let veto as Veto {
        return veto.reason
      }
    }
    #expect(outcome == .committed("full"))
    #expect(await store.state.entries == [1])
  }

  @Test func guardsHearOfAMemberThatFails() async throws {
    let limit = Limit(limit: 9)
    let store = Store(Log(), guards: [limit])
    _ = try? await store.transaction(label: "all") { transaction in
      try await transaction.run(Append(1))
      try await transaction.run(FailingMutation())
    }
    #expect(limit.heard.all.suffix(3) == ["undone Append(entry: 1)", "failed FailingMutation()", "failed all"])
  }

  /// Under any schedule, no transaction commits halfway, and no other action runs in the middle of one.
  @Test func p1_p4_transactionsAreIsolatedAndAtomic() {
    explore {
      let store = Store(Log())
      await withTaskGroup { group in
        for task in 1...3 {
          group.addTask {
            _ = try? await store.transaction { transaction in
              try await transaction.run(SlowAppend(task))
              await Task.yield()
              try await transaction.run(Append(10 * task))
              if task == 3 { throw Boom() }
            }
          }
        }
        group.addTask { await store.dispatch(SlowAppend(4)) }
      }
      let entries = await store.state.entries
      let whole = entries.sorted() == [1, 2, 4, 10, 20]
      for (first, second) in [(1, 10), (2, 20)] {
        guard let index = entries.firstIndex(of: first), entries.dropFirst(index + 1).first == second else {
          return "\(entries)"
        }
      }
      return whole ? nil : "\(entries)"
    }
  }

  @Test func p7_aTransactionInsideAnActionIsDeferred() async throws {
    let store = Store(Log())
    let outcome = await store.dispatch { log async -> Outcome<Int>? in
      log.entries.append(1)
      return try? await store.transaction { try await $0.run(Append(2)) }
    }
    #expect(outcome == .committed(.deferred))
    let inside = try await store.transaction { transaction in
      try await transaction.run(Append(3))
      return await store.dispatch(Append(4))
    }
    #expect(inside == .committed(.deferred))
    while store.diagnostics.revision < 4 { await Task.yield() }
    #expect(await store.state.entries == [1, 2, 3, 4])
  }

  @Test func p9_neverRunsIfCanceledBeforeItBegins() async {
    let store = Store(Log())
    let outcome = await Task {
      withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try? await store.transaction { try await $0.run(Append(1)) }
    }.value
    #expect(outcome == .cancelled)
    store.close()
    let closed = try? await store.transaction { try await $0.run(Append(1)) }
    #expect(closed == .closed)
    #expect(await store.state.entries == [])
  }

  @Test func p9_commitsIfCanceledWhileItRuns() async {
    let store = Store(Log())
    let begun = Gate()
    let end = Gate()
    let task = Task {
      await store.transaction { transaction async throws(Veto) in
        try await transaction.run(Append(1))
        begun.open()
        await end.wait()
        try await transaction.run(Append(2))
        return Task.isCancelled
      }
    }
    await begun.wait()
    task.cancel()
    end.open()
    #expect(await task.value == .committed(true))
    #expect(await store.state.entries == [1, 2])
  }

  @Test func aDeferredTransactionThatIsVetoedIsAnUnhandledFailure() async {
    let reported = Witness<UnhandledFailure>()
    let store = Store(Log(), onUnhandledFailure: { reported.saw($0) })
    await store.dispatch { _ async in
      _ = await store.transaction { _ async throws(Veto) in throw Veto("no") }
    }
    while reported.all.isEmpty { await Task.yield() }
    guard case .vetoed = reported.all[0].error as? NotCommitted else {
      return #expect(Bool(false), "\(reported.all[0])")
    }
    #expect(reported.all[0].description.contains("was not committed"))
  }
}
