import ActorStore
import ActorStoreHistory
import ActorStoreTesting
import TestSize
import Testing

/// Moves in time while other actions run and wait, under many schedules.
@Suite struct SimulatedHistoryTests {
  private struct Slow: Action {
    let letters: String

    func run(_ state: inout Draft) async {
      await Task.yield()
      state.text += letters
    }
  }

  private static func explore(_ seed: UInt64, _ body: @escaping @Sendable () async throws -> Void) throws {
    try Simulation.explore(.mixed(seed: seed), schedules: TestSize.count(500, few: 60)) { try await body() }
  }

  /// The recorded states explain the state, whatever the order of the actions.
  private static func check(_ store: Store<Draft>, _ history: History<Draft>) async throws {
    let (timeline, state) = (history.timeline, await store.state)
    try Simulation.expect(timeline.entries[timeline.position].state == state, "the history is at another state")
    for (old, new) in zip(timeline.entries, timeline.entries.dropFirst()) {
      try Simulation.expect(new.state.text.hasPrefix(old.state.text), "an entry has the state of another branch")
      try Simulation.expect(old.revision < new.revision, "the revisions do not ascend")
    }
  }

  @Test func h2_undosAreDecidedInTheirTurn() throws {
    try Self.explore(0) {
      let history = History<Draft>()
      let store = Store(Draft(), guards: [history])
      await store.dispatch(Insert("a"))
      await store.dispatch(Insert("b"))
      await withTaskGroup(of: Void.self) { group in
        for letters in ["c", "d"] { group.addTask { _ = await store.dispatch(Slow(letters: letters)) } }
        for _ in 0..<2 { group.addTask { _ = await store.dispatch(history.undo()) } }
      }
      try await Self.check(store, history)
      // Four letters, of which two have been taken back.
      let text = await store.state.text
      try Simulation.expect(text.count == 2, "the text is \(text)")
    }
  }

  /// Two undos that are dispatched at once undo two steps.
  @Test func h2_twoUndosUndoTwoSteps() throws {
    try Self.explore(1) {
      let history = History<Draft>()
      let store = Store(Draft(), guards: [history])
      for letter in ["a", "b", "c"] { await store.dispatch(Insert(letter)) }
      async let one = store.dispatch(history.undo())
      async let other = store.dispatch(history.undo())
      _ = await (one, other)
      let text = await store.state.text
      try Simulation.expect(text == "a", "the text is \(text)")
    }
  }

  @Test func h2_movesBesideOverlappingActionsAndTransactions() throws {
    try Self.explore(2) {
      let history = History<Draft>()
      let store = Store(Draft(), guards: [history])
      await store.dispatch(Insert("a"))
      await withTaskGroup(of: Void.self) { group in
        group.addTask { _ = await store.dispatch(Slow(letters: "b"), policy: .overlapping) }
        group.addTask {
          _ = try? await store.transaction { transaction in
            try await transaction.run(Insert("c"))
            await Task.yield()
            try await transaction.run(Insert("d"))
          }
        }
        group.addTask { _ = await store.dispatch(history.undo()) }
        group.addTask { _ = await store.dispatch(history.redo()) }
      }
      let (timeline, state) = (history.timeline, await store.state)
      try Simulation.expect(timeline.entries[timeline.position].state == state, "the history is at another state")
    }
  }

  @Test func h2_aWaitingUndoIsCanceled() throws {
    try Self.explore(3) {
      let history = History<Draft>()
      let store = Store(Draft(), guards: [history])
      await store.dispatch(Insert("a"))
      let ticket = store.send(Slow(letters: "b"))
      let undo = store.send(history.undo())
      undo.cancel()
      _ = await ticket.outcome
      let outcome = await undo.outcome
      try await Self.check(store, history)
      let text = await store.state.text
      try Simulation.expect(
        outcome.isCommitted ? text == "a" : text == "ab", "the undo ended with \(outcome), and the text is \(text)")
    }
  }

  @Test func h2_aStoreIsClosedWhileUndosWait() throws {
    try Self.explore(4) {
      let history = History<Draft>()
      let store = Store(Draft(), guards: [history])
      await store.dispatch(Insert("a"))
      let tickets = [store.send(history.undo()), store.send(history.redo()), store.send(history.undo())]
      await withTaskGroup(of: Void.self) { group in
        group.addTask { _ = await store.dispatch(Slow(letters: "b")) }
        group.addTask { _ = await store.dispatch(history.undo()) }
        group.addTask { store.close() }
      }
      try await store.closeAndDrain()
      for ticket in tickets { try Simulation.expect(await ticket.outcome.isCommitted, "a move is lost") }
      try await Self.check(store, history)
    }
  }

  /// A restoration takes effect exactly at its commit, whatever actions run before and after it.
  @Test func h8_aRestorationHasItsTurn() throws {
    try Self.explore(6) {
      let old = History<Draft>()
      let source = Store(Draft(), guards: [old])
      for letter in ["x", "y"] { await source.dispatch(Insert(letter)) }
      let timeline = old.timeline
      let history = History<Draft>()
      let store = Store(Draft(), guards: [history])
      await withTaskGroup(of: Void.self) { group in
        group.addTask { _ = await store.dispatch(Slow(letters: "a")) }
        group.addTask { _ = try? await store.dispatch(history.restore(timeline)) }
        group.addTask { _ = await store.dispatch(Slow(letters: "b")) }
        group.addTask { _ = await store.dispatch(history.undo()) }
      }
      try await Self.check(store, history)
      let states = history.timeline.entries.map(\.state.text)
      try Simulation.expect(states[0].isEmpty && states[1] == "x", "the history is not restored: \(states)")
    }
  }

  /// Commits of other callers split a step, and never belong to it.
  @Test func h4_otherCommitsAreNotInAStep() throws {
    try Self.explore(5) {
      let history = History<Draft>()
      let store = Store(Draft(), guards: [history])
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          await history.step { for letter in ["a", "b"] { await store.dispatch(Insert(letter)) } }
        }
        group.addTask { _ = await store.dispatch(Insert("x")) }
      }
      let entries = history.timeline.entries.dropFirst()
      let step = entries.first { $0.action as? Insert == Insert("x") }?.step
      let others = entries.filter { $0.action as? Insert != Insert("x") }
      try Simulation.expect(others.allSatisfy { $0.step != step }, "another commit is in the step")
      try Self.expectSplit(entries.map { ($0.action as? Insert)?.letters ?? "" }, entries.map(\.step))
    }
  }

  private static func expectSplit(_ letters: [String], _ steps: [Int]) throws {
    let expected = letters == ["a", "x", "b"] ? 3 : 2
    try Simulation.expect(Set(steps).count == expected, "\(letters) has the steps \(steps)")
  }

  /// The suite finds an undo that is decided outside of its turn.
  @Test func h2_anUndoThatIsDecidedTooEarlyIsFound() {
    struct EarlyUndo: Mutation {
      let target: Draft
      func run(_ state: inout Draft) { state = target }
    }
    #expect(throws: (any Error).self) {
      try Self.explore(0) {
        let history = History<Draft>()
        let store = Store(Draft(), guards: [history])
        await store.dispatch(Insert("a"))
        await store.dispatch(Insert("b"))
        await withTaskGroup(of: Void.self) { group in
          for letters in ["c", "d"] { group.addTask { _ = await store.dispatch(Slow(letters: letters)) } }
          for _ in 0..<2 {
            group.addTask {
              let timeline = history.timeline
              await store.dispatch(EarlyUndo(target: timeline.entries[max(0, timeline.position - 1)].state))
            }
          }
        }
        try await Self.check(store, history)
      }
    }
  }
}
