import ActorStore
import ActorStoreEvents
import ActorStoreHistory
import ActorStoreTesting
import Foundation
import Synchronization
import Testing

@Suite struct HistoryTests {
  private static func make(_ history: History<Draft>) -> (Store<Draft>, History<Draft>) {
    (Store(Draft(), guards: [history]), history)
  }

  @Test func h1_commitsAreRecorded() async throws {
    let dates = Mutex(0.0)
    let (store, history) = Self.make(
      History(date: {
        Date(
          timeIntervalSinceReferenceDate: dates.withLock { date in
            date += 1
            return date
          })
      }))
    #expect(history.timeline.entries.isEmpty)
    await store.dispatch(Insert("a"))
    await store.dispatch(label: "b") { $0.text += "b" }
    try await store.transaction(label: "both") { transaction in
      try transaction.run(Insert("c"))
      try transaction.run(Insert("d"))
    }
    let entries = history.timeline.entries
    #expect(entries.map(\.revision) == [0, 1, 2, 3])
    #expect(entries.map(\.state.text) == ["", "a", "ab", "abcd"])
    #expect(entries.map(\.label) == ["initial state", #"Insert(letters: "a")"#, "b", "both"])
    #expect(entries[1].action as? Insert == Insert("a"))
    #expect(entries.map(\.date.timeIntervalSinceReferenceDate) == [1, 2, 3, 4])
    #expect(entries.dropFirst().allSatisfy { $0.duration != nil })
    #expect(try history.difference(from: 1, to: 2)?.contains("ab") == true)
    #expect(try history.difference(from: 1, to: 1) == nil)
    #expect(throws: HistoryError.unknown(9)) { try history.difference(from: 1, to: 9) }
  }

  @Test func h2_stepsAreUndoneAndRedone() async {
    let (store, history) = Self.make(History())
    #expect(await store.dispatch(history.undo()).reason == "There is nothing to undo.")
    for letter in ["a", "b", "c"] { await store.dispatch(Insert(letter)) }
    #expect((history.canUndo, history.canRedo) == (true, false))
    for expected in ["ab", "a", ""] {
      #expect(await store.dispatch(history.undo()).isCommitted)
      #expect(await store.state.text == expected)
    }
    #expect(await store.dispatch(history.undo()).reason == "There is nothing to undo.")
    #expect((history.canUndo, history.canRedo) == (false, true))
    await store.dispatch(history.redo())
    #expect(await store.state.text == "a")
    await store.dispatch(Insert("x"))
    #expect(await store.dispatch(history.redo()).reason == "There is nothing to redo.")
    #expect(history.timeline.entries.map(\.state.text) == ["", "a", "ax"])
  }

  @Test func h2_movesAreCommitsThatRunNoAction() async {
    let ran = Mutex(0)
    let (store, history) = Self.make(History())
    var transitions = store.transitions().makeAsyncIterator()
    _ = await transitions.next()
    await store.dispatch(label: "count") { draft in
      ran.withLock { $0 += 1 }
      draft.text = "a"
    }
    await store.dispatch(history.undo())
    await store.dispatch(history.redo())
    var seen: [String] = []
    for _ in 0..<3 {
      if let transition = await transitions.next(), let action = transition.action {
        seen.append("\(action) \(transition.new.text)")
      }
    }
    #expect(seen == ["count a", "undo ", "redo a"])
    #expect(ran.withLock { $0 } == 1)
  }

  @Test func h3_jumpsAndRollbacks() async throws {
    let (store, history) = Self.make(History(maxCount: 4))
    await #expect(throws: HistoryError.unknown(0)) { try await store.dispatch(history.jump(to: 0)) }
    for letter in ["a", "b", "c", "d"] { await store.dispatch(Insert(letter)) }
    await #expect(throws: HistoryError.dropped(0)) { try await store.dispatch(history.jump(to: 0)) }
    await #expect(throws: HistoryError.unknown(9)) { try await store.dispatch(history.jump(to: 9)) }
    #expect(await store.state.text == "abcd")
    try await store.dispatch(history.jump(to: 2))
    #expect(await store.state.text == "ab")
    try await store.dispatch(history.jump(to: 3))
    #expect(await store.state.text == "abc")
    try await store.dispatch(history.rollback(to: 2))
    #expect(history.timeline.entries.map(\.revision) == [1, 2])
    #expect(!history.canRedo)
    // The revisions of moves are not those of entries.
    await store.dispatch(Insert("x"))
    #expect(history.timeline.entries.map(\.revision) == [1, 2, 8])
    await #expect(throws: HistoryError.dropped(6)) { try await store.dispatch(history.jump(to: 6)) }
  }

  @Test func h4_aStepIsUndoneAsAWhole() async {
    let (store, history) = Self.make(History())
    await store.dispatch(Insert("a"))
    await history.step {
      await store.dispatch(Insert("b"))
      await Task { _ = await store.dispatch(Insert("c")) }.value
      await history.step { _ = await store.dispatch(Insert("d")) }
    }
    await history.step { _ = await store.dispatch(Insert("e")) }
    await store.dispatch(history.undo())
    #expect(await store.state.text == "abcd")
    await store.dispatch(history.undo())
    #expect(await store.state.text == "a")
    await store.dispatch(history.redo())
    #expect(await store.state.text == "abcd")
    history.step {
      store.send(Insert("x"))
      store.send(Insert("y"))
    }
    #expect(await store.state.text == "abcdxy")
    await store.dispatch(history.undo())
    #expect(await store.state.text == "abcd")
  }

  /// Undoing the step of one caller must not undo the commit of another one.
  @Test func h4_anotherCommitSplitsAStep() async {
    let (store, history) = Self.make(History())
    let other = Task { await store.dispatch(Insert("x")) }
    await history.step {
      await store.dispatch(Insert("a"))
      await store.dispatch(Insert("b"))
      _ = await other.value
    }
    // The other task is not in the step, wherever its commit came.
    let steps = history.timeline.entries.map(\.step)
    let index = history.timeline.entries.firstIndex { $0.action as? Insert == Insert("x") }
    #expect(index.map { index in steps.indices.allSatisfy { $0 == index || steps[$0] != steps[index] } } == true)
    // A commit in between, in a fixed order.
    await history.step {
      await store.dispatch(Insert("c"))
      await Task.detached { _ = await store.dispatch(Insert("y")) }.value
      await store.dispatch(Insert("d"))
    }
    let last = history.timeline.entries.suffix(3).map(\.step)
    #expect(Set(last).count == 3)
  }

  @Test func h4_similarCommitsCoalesce() async {
    let (store, history) = Self.make(
      History(coalescing: { last, new in last.action is Insert && (new.action as? Insert)?.letters != " " }))
    for letter in ["a", "b", " ", "c", "d"] { await store.dispatch(Insert(letter)) }
    await store.dispatch(history.undo())
    #expect(await store.state.text == "ab")
    await store.dispatch(history.undo())
    #expect(await store.state.text == "")
  }

  /// A step can begin with commits that are no step by themselves.
  @Test func h5_aStepBeginsWithCommitsOfOtherParts() async {
    let (store, history) = Self.make(History(scope: .part(\.text)))
    await history.step {
      await store.dispatch(MoveCursor(position: 1))
      await store.dispatch(Insert("a"))
      await store.dispatch(MoveCursor(position: 2))
      await store.dispatch(Insert("b"))
    }
    #expect(history.canUndo)
    await store.dispatch(Insert("c"))
    await store.dispatch(history.undo())
    #expect(await store.state.text == "ab")
    await store.dispatch(history.undo())
    #expect(await store.state == Draft(text: "", cursor: 2))
  }

  /// A commit that joins the oldest entry could not be undone.
  @Test func h4_theOldestEntryIsNotJoined() async {
    let revisions = Mutex<[UInt64]>([])
    let (store, history) = Self.make(
      History(
        maxCount: 3, scope: .part(\.text),
        coalescing: { _, new in
          revisions.withLock { $0.append(new.revision) }
          return true
        }))
    await store.dispatch(MoveCursor(position: 1))
    await store.dispatch(Insert("a"))
    #expect(history.canUndo)
    await store.dispatch(Insert("b"))
    await store.dispatch(history.undo())
    #expect(await store.state.text == "")
    // After a move, a new step begins.
    await store.dispatch(Insert("x"))
    await store.dispatch(Insert("y"))
    #expect(history.timeline.entries.map(\.state.text) == ["", "x", "xy"])
    // The limit keeps the entry before the step, however long the step is.
    await store.dispatch(Insert("z"))
    await store.dispatch(Insert("w"))
    #expect(history.timeline.entries.map(\.state.text) == ["", "xyz", "xyzw"])
    #expect(history.canUndo)
    #expect(revisions.withLock { $0 } == [3, 6, 7, 8])
  }

  @Test func h4_irreversibleActionsAreBarriers() async throws {
    let (store, history) = Self.make(History())
    await store.dispatch(Insert("a"))
    await store.dispatch(Print())
    await store.dispatch(Insert("b"))
    #expect(await store.dispatch(history.undo()).isCommitted)
    #expect(await store.dispatch(history.undo()).reason == "Commit 2 cannot be undone.")
    #expect(await !((try? store.dispatch(history.jump(to: 0)))?.isCommitted ?? false))
    #expect(!history.canUndo)
    #expect(await store.dispatch(history.redo()).isCommitted)
    try await store.transaction { transaction in
      try transaction.run(Insert("c"))
      try transaction.run(Print())
    }
    #expect(await store.dispatch(history.undo()).reason?.contains("cannot be undone") == true)
  }

  @Test func h5_aPartIsUndone() async {
    let (store, history) = Self.make(History(scope: .part(\.text)))
    await store.dispatch(Insert("a"))
    await store.dispatch(MoveCursor(position: 1))
    await store.dispatch(Insert("b"))
    await store.dispatch(MoveCursor(position: 2))
    await store.dispatch(history.undo())
    #expect(await store.state == Draft(text: "a", cursor: 2))
    await store.dispatch(MoveCursor(position: 0))
    #expect(history.canRedo)
    await store.dispatch(history.redo())
    #expect(await store.state == Draft(text: "ab", cursor: 0))
    await store.dispatch(history.undo())
    await store.dispatch(history.undo())
    #expect(await store.state == Draft(text: "", cursor: 0))
    #expect(!history.canUndo)
  }

  @Test func h6_droppedEntriesAreReported() async {
    let dropped = Mutex<[UInt64]>([])
    let (store, history) = Self.make(
      History(maxCount: 3, onDrop: { entries in dropped.withLock { $0 += entries.map(\.revision) } }))
    for letter in ["a", "b", "c", "d"] { await store.dispatch(Insert(letter)) }
    #expect(dropped.withLock { $0 } == [0, 1])
    await store.dispatch(history.undo())
    await store.dispatch(Insert("x"))
    #expect(dropped.withLock { $0 } == [0, 1, 4])
    #expect(history.timeline.entries.map(\.revision) == [2, 3, 6])
  }

  @Test func h6_theCostOfStatesIsLimited() async {
    let (store, history) = Self.make(History(maxCost: 6, cost: { $0.text.utf8.count }))
    for letter in ["a", "b", "c", "d"] { await store.dispatch(Insert(letter)) }
    #expect(history.timeline.entries.map(\.state.text) == ["abcd"])
    #expect(!history.canUndo)
  }

  @MainActor @Test func h7_theStatusIsObservable() async throws {
    let (store, history) = Self.make(History())
    let canUndo = await history.status.select(\.canUndo).observable
    #expect(!canUndo.value)
    await store.dispatch(Insert("a"))
    _ = try await history.status.select(\.canUndo).first { $0 }
    var timelines = history.timelines.makeAsyncIterator()
    #expect(try await timelines.next()?.entries.count == 2)
    await store.dispatch(history.undo())
    #expect(try await timelines.next()?.position == 0)
  }

  private struct Counter: EventDriven {
    var count = 0
    mutating func react(to event: Int) { count += event }
  }

  @Test func h2_movesPassAGuardThatAdmitsOnlyEvents() async {
    let history = History<Counter>()
    let store = Store(Counter(), guards: [EventsOnly(), history])
    await store.dispatch(5)
    #expect(await store.dispatch(history.undo()).isCommitted)
    #expect(await store.state.count == 0)
  }

  /// Another guard can recognize and refuse a move, and the history stays where it is.
  @Test func h2_anotherGuardRefusesAMove() async {
    struct NoMoves: Guard {
      func veto<A: Action<Draft>>(_ action: A, state: Draft) -> Veto? {
        action is any TimeMove ? Veto("no time travel") : nil
      }
    }
    let history = History<Draft>()
    let store = Store(Draft(), guards: [history, NoMoves()])
    await store.dispatch(Insert("a"))
    #expect(await store.dispatch(history.undo()).reason == "no time travel")
    await store.dispatch(Insert("b"))
    #expect(history.timeline.position == 2)
    #expect(history.timeline.entries.map(\.state.text) == ["", "a", "ab"])
  }

  @Test func h2_aMoveInAnotherStoreStopsTheProgram() async {
    await #expect(processExitsWith: .failure) {
      let history = History<Draft>()
      _ = Store(Draft(), guards: [history])
      await Store(Draft()).dispatch(history.undo())
    }
  }

  /// A long step drops the entry of an irreversible action, but not the barrier.
  @Test func h4_aLongStepKeepsItsBarrier() async {
    let (store, history) = Self.make(History(maxCount: 3))
    await history.step {
      await store.dispatch(Print())
      for letter in ["a", "b", "c"] { await store.dispatch(Insert(letter)) }
    }
    #expect(history.timeline.entries.map(\.state.text) == ["", "!ab", "!abc"])
    #expect(!history.canUndo)
    #expect(await store.dispatch(history.undo()).reason?.contains("cannot be undone") == true)
  }

  /// Another caller's commit splits a step, even if it changes no part that an undo restores.
  @Test func h4_aCommitOfAnotherPartSplitsAStep() async {
    let (store, history) = Self.make(History(scope: .part(\.text)))
    await history.step {
      await store.dispatch(Insert("a"))
      await Task.detached { _ = await store.dispatch(MoveCursor(position: 1)) }.value
      await store.dispatch(Insert("b"))
    }
    await store.dispatch(history.undo())
    #expect(await store.state.text == "a")
  }

  @Test func h4_aMoveSplitsAStep() async {
    let (store, history) = Self.make(History())
    await history.step {
      await store.dispatch(Insert("a"))
      await store.dispatch(history.undo())
      await store.dispatch(history.redo())
      await store.dispatch(Insert("b"))
    }
    await store.dispatch(history.undo())
    #expect(await store.state.text == "a")
  }

  /// A task of a step can outlive its history, and another history can reuse the memory.
  @Test func h4_aStepDoesNotContinueInAnotherHistory() async {
    let (states, continuation) = AsyncStream.makeStream(of: (Store<Draft>, History<Draft>).self)
    func begin() -> Task<Void, Never> {
      let old = History<Draft>()
      return old.step {
        Task {
          for await (store, history) in states {
            for letter in ["a", "b"] { await store.dispatch(Insert(letter)) }
            #expect(Set(history.timeline.entries.map(\.step)).count == 3)
          }
        }
      }
    }
    let task = begin()
    for _ in 0..<20 { continuation.yield(Self.make(History())) }
    continuation.finish()
    await task.value
  }

  /// A move is over after its commit, so it does not run in another store.
  @Test func h2_aMoveThatHasEndedDoesNotRunElsewhere() async {
    await #expect(processExitsWith: .failure) {
      let history = History<Draft>()
      let store = Store(Draft(), guards: [history])
      await store.dispatch(Insert("a"))
      await store.dispatch(history.undo())
      await Store(Draft()).dispatch(history.redo())
    }
  }

  /// A middleware that replaces a move does not move the history.
  @Test func h2_aMoveThatDoesNotRunIsAnOrdinaryCommit() async {
    struct Replace: Middleware {
      typealias State = Draft

      func run<A: Action<Draft>>(
        _ action: A, on state: inout Draft, next: inout Next<A>
      ) async throws(Stop<A.Failure>) -> A.Output {
        if action is any TimeMove, let nothing = () as? A.Output { return nothing }
        return try await next(action, &state)
      }
    }
    let history = History<Draft>()
    let store = Store(Draft(), guards: [history], middleware: [Replace()])
    await store.dispatch(Insert("a"))
    await store.dispatch(history.undo())
    #expect(await store.state.text == "a")
    let current = history.timeline.current
    #expect(current?.state.text == "a" && current?.revision == 2 && current?.label == "undo")
  }

  @Test func h6_aRollbackReportsDroppedEntriesAndCosts() async throws {
    let dropped = Mutex<[UInt64]>([])
    let (store, history) = Self.make(
      History(maxCost: 4, cost: { _ in 1 }, onDrop: { entries in dropped.withLock { $0 += entries.map(\.revision) } }))
    for letter in ["a", "b", "c"] { await store.dispatch(Insert(letter)) }
    try await store.dispatch(history.rollback(to: 0))
    #expect(dropped.withLock { $0 } == [1, 2, 3])
    for letter in ["x", "y", "z"] { await store.dispatch(Insert(letter)) }
    #expect(history.timeline.entries.count == 4)
  }

  @Test func h6_theLargestCostsAreAdded() async {
    let (store, history) = Self.make(History(maxCost: 10, cost: { _ in .max }))
    for letter in ["a", "b"] { await store.dispatch(Insert(letter)) }
    #expect(history.timeline.entries.map(\.state.text) == ["ab"])
  }

  @Test func h7_theStatusKnowsIrreversibleMembers() async throws {
    let (store, history) = Self.make(History())
    let status = history.status
    try await store.transaction { transaction in try transaction.run(Print()) }
    #expect(!history.canUndo)
    // The update of the status has its turn before this action.
    let outcome = await status.dispatch { $0.canUndo }
    #expect(outcome.output == false)
  }
}
