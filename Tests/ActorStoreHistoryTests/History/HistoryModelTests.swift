import ActorStore
import ActorStoreHistory
import SeededRandom
import TestSize
import Testing

/// Random operations on a store with a history, compared with a list of all states.
@Suite struct HistoryModelTests {
  /// A history without limits, which searches the whole list for each move.
  private struct Model {
    struct Entry: Equatable {
      let revision: UInt64
      let step: Int
      var state: Draft
    }

    var entries = [Entry(revision: 0, step: 0, state: Draft())]
    var position = 0
    var revision: UInt64 = 0
    var state = Draft()

    mutating func commit(_ new: Draft, joins: Bool = false) {
      revision += 1
      let step = entries[position].step
      if new.text == state.text {
        entries.insert(Entry(revision: revision, step: step, state: new), at: position + 1)
      } else {
        entries.removeSubrange((position + 1)...)
        entries.append(Entry(revision: revision, step: joins ? step : step + 1, state: new))
      }
      position += 1
      state = new
    }

    var undoTarget: UInt64? { entries.last { $0.step < entries[position].step }?.revision }

    var redoTarget: UInt64? {
      guard position + 1 < entries.count else { return nil }
      let step = entries[position + 1].step
      return entries[(position + 1)...].last { $0.step == step }?.revision
    }

    mutating func move(to target: UInt64, rollsBack: Bool = false) -> Bool {
      guard let index = entries.firstIndex(where: { $0.revision == target }) else { return false }
      revision += 1
      position = index
      state.text = entries[index].state.text
      if rollsBack { entries.removeSubrange((index + 1)...) }
      return true
    }
  }

  /// The text is the part that is undone.
  @Test(arguments: [0, 1, 2]) func h2_aStoreGoesWhereTheListSays(_ seed: UInt64) async throws {
    let history = History<Draft>(maxCount: .max, scope: .part(\.text))
    let store = Store(Draft(), guards: [history])
    var (model, random) = (Model(), SplitMix64(seed))
    await store.dispatch(Insert("a"))
    model.commit(Draft(text: "a"))
    for number in 0..<TestSize.count(10_000, few: 1_500) {
      let (letter, other) = (String(number % 10), UInt64(random.below(Int(model.revision) + 3)))
      switch random.below(10) {
      case 0, 1:
        await store.dispatch(Insert(letter))
        model.commit(Draft(text: model.state.text + letter, cursor: model.state.cursor))
      case 2:
        await store.dispatch(MoveCursor(position: number))
        model.commit(Draft(text: model.state.text, cursor: number))
      case 3:
        await history.step {
          await store.dispatch(Insert(letter))
          await store.dispatch(Insert("."))
        }
        model.commit(Draft(text: model.state.text + letter, cursor: model.state.cursor))
        model.commit(Draft(text: model.state.text + ".", cursor: model.state.cursor), joins: true)
      case 4:
        try await store.transaction { transaction in
          try transaction.run(Insert(letter))
          try transaction.run(MoveCursor(position: number))
        }
        model.commit(Draft(text: model.state.text + letter, cursor: number))
      case 5, 6:
        let isDone = await store.dispatch(history.undo()).isCommitted
        let isExpected = model.undoTarget.map { model.move(to: $0) } ?? false
        #expect(isDone == isExpected)
      case 7:
        let isDone = await store.dispatch(history.redo()).isCommitted
        let isExpected = model.redoTarget.map { model.move(to: $0) } ?? false
        #expect(isDone == isExpected)
      default:
        let rollsBack = random.below(4) == 0
        let jump = rollsBack ? history.rollback(to: other) : history.jump(to: other)
        let isDone = (try? await store.dispatch(jump))?.isCommitted ?? false
        let isExpected = model.move(to: other, rollsBack: rollsBack)
        #expect(isDone == isExpected)
      }
      let timeline = history.timeline
      let entries = timeline.entries.map { Model.Entry(revision: $0.revision, step: $0.step, state: $0.state) }
      guard entries == model.entries, timeline.position == model.position, await store.state == model.state,
        history.canUndo == (model.undoTarget != nil), history.canRedo == (model.redoTarget != nil)
      else {
        Issue.record("operation \(number): \(timeline.text), expected \(model)")
        return
      }
      // Keep the list short enough to compare it after each operation.
      if model.entries.count > 60 {
        try await store.dispatch(history.rollback(to: 0))
        _ = model.move(to: 0, rollsBack: true)
      }
    }
  }
}
