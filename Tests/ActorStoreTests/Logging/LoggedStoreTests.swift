import Testing

@testable import ActorStore

/// The records of a store's calls.
@Suite struct LoggedStoreTests {
  private let list = RecordList()

  private func store(clock: (any Clock<Duration>)? = nil) -> Store<Log> {
    Store(
      Log(), guards: [RefuseLarge(), ActionLogger(to: LogSink(list.append), showsPayloads: true, clock: clock)],
      name: "log")
  }

  private struct RefuseLarge: Guard {
    typealias State = Log

    func veto<A: Action<Log>>(_ action: A, state: Log) -> Veto? {
      (action as? Append)?.entry == 99 ? Veto("too large") : nil
    }
  }

  private struct Refill: ActionGroup {
    let entry: Int

    func run(with store: Store<Log>) async { await store.dispatch(Append(entry)) }
  }

  @Test func everyCallHasALine() async throws {
    let store = store(clock: ManualClock())
    await store.dispatch(Append(1))
    _ = try? await store.dispatch(FailHalfway())
    await store.dispatch(Append(99))
    _ = try await store.transaction(label: "both") { transaction in
      try transaction.run(Append(2))
      try transaction.run(label: "two") { $0.entries.append(3) }
    }
    _ = await store.dispatch(Refill(entry: 4))
    let times = "waited 0 ns, ran 0 ns, 0 ahead"
    #expect(
      list.lines == [
        "log: Append(entry: 1) committed as revision 1, ticket 1, \(times): Log( entries: [ + [0]: 1 ] )",
        "log: FailHalfway failed after revision 1, ticket 2, \(times): Boom(code: 0)",
        "log: Append(entry: 99) vetoed after revision 1, ticket 3, waited 0 ns, 0 ahead: RefuseLarge: too large",
        "log: Append(entry: 2) committed as revision 2, member 1, ticket 4, \(times)",
        "log: two committed as revision 2, member 2, ticket 4, \(times)",
        "log: both committed as revision 2, ticket 4, \(times): "
          + "Log( entries: [ … (1 unchanged) + [1]: 2, + [2]: 3 ] )",
        "log: Append(entry: 4) committed as revision 3, ticket 6, \(times): "
          + "Log( entries: [ … (3 unchanged) + [3]: 4 ] )",
        "log: Refill(entry: 4) committed, ran 0 ns",
      ])
  }

  @Test func commitsAreWrittenInOrderOfTheirRevisions() {
    explore {
      let list = RecordList()
      let store = Store(Log(), guards: [ActionLogger(to: LogSink(list.append), clock: nil)])
      await withTaskGroup { group in
        group.addTask { _ = await store.dispatch(Append(1)) }
        group.addTask { _ = await store.dispatch(SlowAppend(2)) }
        group.addTask { _ = await store.dispatch(SlowAppend(3), policy: .overlapping) }
        group.addTask {
          await store.dispatch(Append(4))
          await store.dispatch(SlowAppend(5))
        }
      }
      let revisions = list.revisions
      return revisions == [1, 2, 3, 4, 5] ? nil : "the commits are written in the order \(revisions)"
    }
  }
}
