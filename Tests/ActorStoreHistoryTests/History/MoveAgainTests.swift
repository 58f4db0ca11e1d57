import ActorStore
import ActorStoreHistory
import TestSize
import Testing

/// Moves and the actions in entries keep nothing from a run, so they can run again.
@Suite struct MoveAgainTests {
  /// Refuses moves after the history has admitted them.
  private struct Door: Guard {
    func veto<A: Action<Draft>>(_ action: A, state: Draft) -> Veto? { action is any TimeMove ? Veto("closed") : nil }
  }

  /// Skips each move.
  private struct Skip: SynchronousMiddleware {
    typealias State = Draft

    func run<A: Action<Draft>>(
      _ action: A, on state: inout Draft, next: inout Next<A>
    ) async throws(Stop<A.Failure>) -> A.Output {
      if action is any TimeMove { throw .vetoed(Veto("skipped")) }
      return try await next(action, &state)
    }

    func run<A: Action<Draft>>(
      _ action: A, on state: inout Draft, next: inout SynchronousNext<A>
    ) throws(Stop<A.Failure>) -> A.Output {
      if action is any TimeMove { throw .vetoed(Veto("skipped")) }
      return try next(action, &state)
    }
  }

  @Test func h2_theSameMoveFindsItsTargetEachTime() async throws {
    let history = History<Draft>()
    let store = Store(Draft(), guards: [history])
    for letter in ["a", "b", "c"] { await store.dispatch(Insert(letter)) }
    let undo = history.undo()
    await store.dispatch(undo)
    await store.dispatch(undo)
    #expect(await store.state.text == "a")
    let outcome = try await store.transaction { transaction in
      try transaction.run(undo)
      try transaction.run(Insert("x"))
    }
    #expect(outcome.isCommitted)
    #expect(await store.state.text == "x")
    await store.dispatch(undo)
    #expect(await store.state.text == "a")
    // Drops the entry whose action holds the history.
    await store.dispatch(Insert("y"))
  }

  /// The target of a refused move must not become the target of a later one.
  @Test(arguments: [0, 1]) func h2_aRefusedMoveLeavesNoTarget(_ refuser: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [refuser] in
      let history = History<Draft>()
      let store = Store(
        Draft(), guards: refuser == 0 ? [history, Door()] : [history], middleware: refuser == 0 ? [] : [Skip()])
      for letter in ["a", "b"] { await store.dispatch(Insert(letter)) }
      guard case .vetoed = await store.dispatch(history.undo()) else { return }
      await store.dispatch { draft in history.undo().run(&draft) }
    }
    #expect(
      errorText(of: result).contains("a move of a history ran in a store without this history, or as a call of `run`"))
  }

  @Test func h2_aMoveInAStoreWithoutItsHistoryStopsTheProgram() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let history = History<Draft>()
      let store = Store(Draft(), guards: [history, Door()])
      for letter in ["a", "b"] { await store.dispatch(Insert(letter)) }
      guard case .vetoed = await store.dispatch(history.undo()) else { return }
      await Store(Draft()).dispatch(history.undo())
    }
    #expect(errorText(of: result).contains("Pass the history to the initializer of the store"))
  }

  /// An entry's transaction runs again in its own store and, even after that store is gone, in another one.
  @Test func h1_aTransactionOfAnEntryRunsAgain() async throws {
    let history = History<Draft>()
    var store: Store<Draft>? = Store(Draft(), guards: [history])
    try await store?.transaction { transaction in
      try transaction.run(Insert("a"))
      try transaction.run(Insert("b"))
    }
    let action = try #require(history.timeline.current?.action)
    _ = try await store?.dispatch(action)
    #expect(await store?.state.text == "abab")
    #expect(history.timeline.entries.map(\.label) == ["initial state", "transaction", "transaction"])
    store = nil
    let refusing = Store(Draft(), guards: [Refusing()])
    #expect(try await refusing.dispatch(action).reason == "no")
    #expect(await refusing.state == Draft())
    let replay = try await history.timeline.replayed(with: draftActions)
    #expect(replay.adopted == [1, 2])
    #expect(replay.difference == nil)
  }

  // MARK: Misuse

  @Test func aHistoryThatCannotUndoStopsTheProgram() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = History<Draft>(maxCount: 1)
    }
    #expect(errorText(of: result).contains("a history of 1 entries cannot undo anything. Pass at least two."))
  }

  @Test func aRegistryWithARepeatedNameOrTypeStopsTheProgram() async {
    let name = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ["insert": Insert.self, "insert": MoveCursor.self] as ActionRegistry<Draft>
    }
    #expect(errorText(of: name).contains(#"two actions are registered as "insert""#))
    let type = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ["insert": Insert.self, "add": Insert.self] as ActionRegistry<Draft>
    }
    #expect(errorText(of: type).contains("Insert is registered twice. Register each type under one name."))
  }

  private struct Refusing: Guard {
    func veto<A: Action<Draft>>(_ action: A, state: Draft) -> Veto? { Veto("no") }
  }
}
