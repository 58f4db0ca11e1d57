import ActorStore
import ActorStoreHistory
import Synchronization
import Testing

@Suite struct RestoringTests {
  @Test func h8_aRestoredHistoryGoesOn() async throws {
    let timeline = await makeTimeline()
    let dropped = Mutex<[UInt64]>([])
    let history = History<Draft>(onDrop: { entries in dropped.withLock { $0 += entries.map(\.revision) } })
    let store = Store(Draft(), guards: [history])
    await store.dispatch(Insert("old"))
    var states = store.states().makeAsyncIterator()
    _ = await states.next()
    try await store.dispatch(history.restore(timeline))
    #expect(await states.next() == timeline.entries[timeline.position].state)
    #expect(dropped.withLock { $0 } == [0, 1])
    #expect(history.timeline.text == timeline.text)
    #expect(await store.dispatch(history.redo()).isCommitted)
    #expect(await store.state.text == "c")
    // The revisions continue after those of the file.
    await store.dispatch(Insert("d"))
    #expect(history.timeline.entries.last?.revision == 8)
    #expect(history.timeline.entries.last?.duration != nil)
    #expect(await store.dispatch(history.undo()).isCommitted)
    #expect(await store.dispatch(history.undo()).isCommitted)
    #expect(await store.dispatch(history.undo()).isCommitted)
    #expect(await store.dispatch(history.undo()).reason == "Commit 2 cannot be undone.")
  }

  @Test func h8_limitsAndScopeApplyToRestoredEntries() async throws {
    let timeline = await makeTimeline()
    let history = History<Draft>(maxCount: 3, scope: .part(\.text))
    let store = Store(Draft(text: "", cursor: 7), guards: [history])
    try await store.dispatch(history.restore(timeline))
    #expect(history.timeline.entries.map(\.revision) == [2, 4, 5])
    #expect(await store.state == Draft(text: "", cursor: 7))
    #expect(await history.status.state.position == 1)
  }

  /// In a transaction, only the state is restored.
  @Test func h8_aTransactionCanRestore() async throws {
    let timeline = await makeTimeline()
    let (store, history) = makeHistory()
    try await store.transaction { transaction in
      try transaction.run(history.restore(timeline))
      try transaction.run(Insert("e"))
    }
    #expect(await store.state.text == "e")
    #expect(history.timeline.entries.count == 2)
    // The history keeps the transaction, which captures the history, until it drops the entry.
    try await store.dispatch(history.rollback(to: 0))
  }

  private static func makeLetters() async -> HistoryTimeline<Draft> {
    let (store, history) = makeHistory()
    for letter in ["a", "b", "c"] { await store.dispatch(Insert(letter)) }
    return history.timeline
  }

  @Test func h8_theLimitOfTheCostAppliesToRestoredEntries() async throws {
    let timeline = await Self.makeLetters()
    let history = History<Draft>(maxCost: 5, cost: { $0.text.utf8.count })
    let store = Store(Draft(), guards: [history])
    try await store.dispatch(history.restore(timeline))
    #expect(history.timeline.entries.map(\.state.text) == ["ab", "abc"])
    let whole = History<Draft>(maxCost: 4, cost: { _ in 1 })
    let other = Store(Draft(), guards: [whole])
    try await other.dispatch(whole.restore(timeline))
    #expect(whole.timeline.entries.count == 4)
  }

  @Test func h8_aRestoredHistoryDoesNotBeginAgain() async throws {
    let dropped = Mutex(0)
    let history = History<Draft>(onDrop: { entries in dropped.withLock { $0 += entries.count } })
    let store = Store(Draft(), guards: [history])
    try await store.dispatch(history.restore(Self.makeLetters()))
    await store.dispatch(Insert("d"))
    #expect(history.timeline.entries.map(\.state.text) == ["", "a", "ab", "abc", "abcd"])
    #expect(dropped.withLock { $0 } == 0)
  }

  /// A history that gets its own entries back has not dropped them.
  @Test func h6_itsOwnEntriesAreNotReported() async throws {
    let dropped = Mutex<[UInt64]>([])
    let history = History<Draft>(onDrop: { entries in dropped.withLock { $0 += entries.map(\.revision) } })
    let store = Store(Draft(), guards: [history])
    await store.dispatch(Insert("a"))
    let saved = history.timeline
    await store.dispatch(Insert("b"))
    try await store.dispatch(history.restore(saved))
    #expect(dropped.withLock { $0 } == [2])
    #expect(history.timeline.entries.map(\.revision) == [0, 1])
  }

  /// The limit drops undone entries rather than the state before the step.
  @Test func h6_aStepThatIsHalfUndoneIsRestored() async throws {
    let (one, source) = makeHistory()
    await source.step { for letter in ["a", "b", "c", "d", "e", "f"] { await one.dispatch(Insert(letter)) } }
    try await one.dispatch(source.jump(to: 3))
    let target = History<Draft>(maxCount: 3)
    let two = Store(Draft(), guards: [target])
    try await two.dispatch(target.restore(source.timeline))
    #expect(target.timeline.entries.map(\.revision) == [0, 3, 4])
    #expect(target.canUndo)
  }
}
