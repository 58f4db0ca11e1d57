import ActorStoreTesting
import Testing

@testable import ActorStore

/// A transaction whose body does not suspend keeps the promises of a transaction, and runs like a mutation.
@Suite struct SynchronousTransactionTests {
  @Test func commitsTheWorkOfItsMembersOnce() async throws {
    let store = Store(Log())
    let outcome = try await store.transaction { transaction in
      let first = try transaction.run(Append(1))
      try transaction.run { $0.entries.append(2) }
      let erased: any Mutation<Log> = Append(3)
      let last = try transaction.run(erased)
      return [first, last as? Int, transaction.state.entries.count]
    }
    #expect(outcome == .committed([1, 3, 3]))
    #expect(await store.state.entries == [1, 2, 3])
    #expect(store.diagnostics.revision == 1)
  }

  @Test func p4_anUncaughtErrorUndoesAllMembers() async throws {
    let store = Store(Log(entries: [0]))
    await #expect(throws: Boom()) {
      try await store.transaction { transaction in
        try transaction.run(Append(1))
        try transaction.run(FailingMutation())
      }
    }
    await #expect(throws: Boom(code: 2)) {
      try await store.transaction { transaction throws(Boom) in
        _ = try? transaction.run(Append(1))
        throw Boom(code: 2)
      }
    }
    #expect(await store.state.entries == [0])
    #expect(store.diagnostics.revision == 0)
    #expect(await store.dispatch(Append(1)) == .committed(2))
  }

  @Test func p4_aCaughtErrorUndoesOnlyThatMember() async throws {
    let store = Store(Log(entries: [0]))
    let outcome = await store.transaction { transaction throws(Veto) in
      try transaction.run(Append(1))
      _ = try? transaction.run(FailingMutation())
      _ = try? transaction.run { log throws(Boom) in
        log.entries = []
        throw Boom()
      }
      try transaction.run { $0.entries.append(2) }
    }
    #expect(outcome.isCommitted)
    #expect(await store.state.entries == [0, 1, 2])
  }

  /// Vetoes actions once the log has reached a limit, and records each call.
  private struct Limit: Guard {
    let limit: Int
    let heard = Witness<String>()
    var wantsOldState: Bool { true }

    func veto<A: Action<Log>>(_ action: A, state: Log) -> Veto? {
      heard.saw("should \(state.entries)")
      return state.entries.count < limit ? nil : Veto("full")
    }

    func didUpdate<A: Action<Log>>(_ action: A, old: Log?, new: Log) {
      heard.saw("did \(action) \(old?.entries ?? [-1]) \(new.entries)")
    }

    func didEnd<A: Action<Log>>(_ action: A, report: ActionReport<Log>) {
      heard.saw("\(report.outcome.kind) \(action)")
    }
  }

  @Test func guardsAreAskedAboutEachMemberAndHearOfItsEnd() async throws {
    let limit = Limit(limit: 2)
    let store = Store(Log(), guards: [limit])
    let outcome = try await store.transaction(label: "three") { transaction in
      try transaction.run(Append(1))
      _ = try? transaction.run(FailingMutation())
      try transaction.run(Append(2))
      do {
        try transaction.run(Append(3))
      } catch let veto as Veto {
        return veto.reason
      }
      return ""
    }
    #expect(outcome == .committed("full"))
    #expect(
      limit.heard.all == [
        "should []", "should [1]", "should [1]", "should [1, 2]", "did three [] [1, 2]", "committed Append(entry: 1)",
        "failed FailingMutation()", "committed Append(entry: 2)", "vetoed Append(entry: 3)", "committed three",
      ])
  }

  @Test func anUncaughtVetoUndoesAllMembers() async throws {
    let limit = Limit(limit: 1)
    let store = Store(Log(), guards: [limit])
    let outcome = try await store.transaction(label: "both") { transaction in
      try transaction.run(Append(1))
      try transaction.run(Append(2))
    }
    guard case .vetoed(let veto) = outcome else {
      Issue.record("the transaction was not vetoed")
      return
    }
    #expect(veto == Veto("full", by: Limit.self))
    #expect(await store.state.entries == [])
    #expect(
      limit.heard.all.suffix(4) == [
        "should [1]", "undone Append(entry: 1)", "vetoed Append(entry: 2)", "vetoed both",
      ])
  }

  @Test func runsInsideTheCallIfItIsSentToAnIdleStore() async throws {
    let reported = Witness<String>()
    let store = Store(Log(), guards: [Limit(limit: 1)], onUnhandledFailure: { reported.saw("\($0)") })
    let sent = store.sendTransaction { transaction in try transaction.run(Append(1)) }
    #expect(store.diagnostics.revision == 1)
    #expect(try await sent.outcome == .committed(1))
    let vetoed = store.sendTransaction { transaction in try transaction.run(Append(2)) }
    #expect(try await vetoed.outcome == .vetoed(Veto("full", by: Limit.self)))
    store.sendTransaction { _ throws(Boom) in throw Boom() }
    #expect(reported.all.count == 1)
    #expect(await store.state.entries == [1])
  }

  /// Under any schedule, no transaction commits halfway, and no other action runs in the middle of one.
  @Test func p1_p2_p4_transactionsAreIsolatedAndAtomic() {
    explore {
      let store = Store(Log())
      await withTaskGroup { group in
        for task in 1...3 {
          group.addTask {
            _ = try? await store.transaction { transaction in
              try transaction.run(Append(task))
              try transaction.run(Append(10 * task))
              if task == 3 { throw Boom() }
            }
          }
        }
        group.addTask { await store.dispatch(SlowAppend(4)) }
      }
      let entries = await store.state.entries
      if entries.sorted() != [1, 2, 4, 10, 20] { return "\(entries)" }
      for (first, second) in [(1, 10), (2, 20)] {
        guard let index = entries.firstIndex(of: first), entries.dropFirst(index + 1).first == second else {
          return "\(entries)"
        }
      }
      return nil
    }
  }

  @Test func p7_isDeferredInsideAnAction() async throws {
    let store = Store(Log())
    let outcome = await store.dispatch { log async -> Outcome<Int>? in
      log.entries.append(1)
      return try? await store.transaction { try $0.run(Append(2)) }
    }
    #expect(outcome == .committed(.deferred))
    while store.diagnostics.revision < 2 { await Task.yield() }
    #expect(await store.state.entries == [1, 2])
  }

  @Test func p9_neverRunsIfCanceledBeforeItBegins() async {
    let store = Store(Log())
    let outcome = await Task {
      withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try? await store.transaction { try $0.run(Append(1)) }
    }.value
    #expect(outcome == .cancelled)
    store.close()
    let closed = try? await store.transaction { try $0.run(Append(1)) }
    #expect(closed == .closed)
    #expect(await store.state.entries == [])
  }
}
