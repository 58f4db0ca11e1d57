import Foundation
import SeededRandom
import TestSize
import Testing

@testable import ActorStoreHistory

/// The logic of a history, compared with stacks of steps.
@Suite struct HistoryStateMachineTests {
  /// Steps to undo and to redo, each with the revisions of its commits.
  private struct Model {
    /// The first has the state before the oldest step.
    var past: [[UInt64]] = [[0]]
    /// The last is redone first.
    var future: [[UInt64]] = []
    let maxCount: Int

    mutating func record(_ revision: UInt64, continues: Bool) {
      future = []
      if continues { past[past.count - 1].append(revision) } else { past.append([revision]) }
      while past.joined().count > maxCount {
        // The state before a long step is kept.
        let index = past.count == 2 && past[0].count == 1 && past[1].count > 1 ? 1 : 0
        past[index].removeFirst()
        if past[index].isEmpty { past.remove(at: index) }
      }
    }

    mutating func undo() -> UInt64? {
      guard past.count > 1, let step = past.popLast() else { return nil }
      future.append(step)
      return past.last?.last
    }

    mutating func redo() -> UInt64? {
      guard let step = future.popLast() else { return nil }
      past.append(step)
      return step.last
    }

    var all: [UInt64] { Array(past.joined()) + future.reversed().joined() }
  }

  private static let entry = HistoryRecord(date: .distantPast, cost: 1, content: HistoryContent<Int>(nil, 0))

  @Test(arguments: [2, 3, 7, 50, 10_000]) func h2_movesAreThoseOfStacksOfSteps(_ maxCount: Int) {
    var random = SplitMix64(UInt64(maxCount))
    var history = HistoryStateMachine(maxCount: maxCount, maxCost: .max)
    history.begin(Self.entry)
    var model = Model(maxCount: maxCount)
    for _ in 0..<TestSize.count(10_000, few: 2_000) {
      switch random.below(8) {
      case 0..<2:
        let target = try? history.target(of: .undo).get().revision
        #expect(target == model.undo())
        if let target { #expect(history.move(to: target, dropsLater: false)?.isEmpty == true) }
      case 2..<4:
        let target = try? history.target(of: .redo).get().revision
        #expect(target == model.redo())
        if let target { _ = history.move(to: target, dropsLater: false) }
      default:
        let continues = random.below(3) == 0
        let before = Set(history.entries.all.map(\.revision))
        let dropped = history.record(continues ? .ofTheLastStep : .ofItsOwn, stepID: nil, Self.entry)
        model.record(history.revision, continues: continues)
        // Nothing is lost silently.
        let after = Set(history.entries.all.map(\.revision))
        #expect(Set(dropped.all.map(\.revision)) == before.subtracting(after))
      }
      guard history.entries.all.map(\.revision) == model.all, history.current?.revision == model.past.last?.last,
        history.status.canUndo == (model.past.count > 1), history.status.canRedo == !model.future.isEmpty
      else {
        Issue.record("\(history.entries.all.map(\.revision)) at \(history.position) is not \(model)")
        return
      }
    }
  }

  /// A step with more commits than the history has entries is undone as a whole, and redone.
  @Test func h4_aStepCanBeLongerThanTheHistory() throws {
    var history = HistoryStateMachine(maxCount: 4, maxCost: .max)
    history.begin(Self.entry)
    _ = history.record(.ofItsOwn, stepID: nil, Self.entry)
    for number in 0..<10 {
      let dropped = history.record(number == 0 ? .ofItsOwn : .ofTheLastStep, stepID: nil, Self.entry)
      #expect(dropped.all.count == (number < 2 ? 0 : 1))
    }
    #expect(history.entries.all.map(\.revision) == [1, 9, 10, 11])
    #expect(try history.target(of: .undo).get().revision == 1)
    _ = history.move(to: 1, dropsLater: false)
    #expect(try history.target(of: .redo).get().revision == 11)
    // Another step drops the state before it.
    _ = history.move(to: 11, dropsLater: false)
    _ = history.record(.ofItsOwn, stepID: nil, Self.entry)
    #expect(history.entries.all.map(\.revision) == [9, 10, 11, 14])
  }

  /// Commits that change nothing to undo neither are steps nor drop undone ones.
  @Test func h5_commitsOfNoStepKeepUndoneSteps() throws {
    var history = HistoryStateMachine(maxCount: 100, maxCost: .max)
    history.begin(Self.entry)
    for part: HistoryStateMachine.Part in [.ofNoStep, .ofItsOwn, .ofNoStep, .ofItsOwn, .ofNoStep] {
      _ = history.record(part, stepID: nil, Self.entry)
    }
    #expect(history.entries.all.map(\.step) == [0, 0, 1, 1, 2, 2])
    #expect(try history.target(of: .undo).get().revision == 3)
    _ = history.move(to: 3, dropsLater: false)
    _ = history.record(.ofNoStep, stepID: nil, Self.entry)
    #expect(history.entries.all.map(\.revision) == [0, 1, 2, 3, 7, 4, 5])
    #expect(history.position == 4)
    #expect(try history.target(of: .redo).get().revision == 5)
    for revision: UInt64 in [0, 1, 2, 3, 7, 4, 5] {
      #expect(try history.entry(of: revision).get().revision == revision)
    }
    #expect(throws: HistoryStateMachine.Refusal.missing(.dropped(6))) { try history.target(of: .jump(6)).get() }
    #expect(throws: HistoryStateMachine.Refusal.missing(.unknown(8))) { try history.target(of: .jump(8)).get() }
    _ = history.move(to: 0, dropsLater: false)
    #expect(history.status == HistoryStatus(canUndo: false, canRedo: true, count: 7, position: 0, revision: 0))
  }

  @Test func h4_anIrreversibleCommitIsABarrier() throws {
    var history = HistoryStateMachine(maxCount: 100, maxCost: .max)
    history.begin(Self.entry)
    for _ in 0..<3 { _ = history.record(.ofItsOwn, stepID: nil, Self.entry) }
    history.setIrreversible(commit: 2)
    #expect(try history.target(of: .undo).get().revision == 2)
    _ = history.move(to: 2, dropsLater: false)
    #expect(throws: HistoryStateMachine.Refusal.irreversible(revision: 2)) { try history.target(of: .undo).get() }
    #expect(throws: HistoryStateMachine.Refusal.irreversible(revision: 2)) { try history.target(of: .jump(0)).get() }
    #expect(try history.target(of: .redo).get().revision == 3)
  }

  @Test func h6_theCostIsLimited() {
    var history = HistoryStateMachine(maxCount: 100, maxCost: 5)
    history.begin(Self.entry)
    for _ in 0..<20 { _ = history.record(.ofItsOwn, stepID: nil, Self.entry) }
    #expect(history.entries.all.map(\.revision) == [16, 17, 18, 19, 20])
    // The current state is always kept.
    let large = HistoryRecord(date: .distantPast, cost: 9, content: HistoryContent<Int>(nil, 0))
    _ = history.record(.ofItsOwn, stepID: nil, large)
    #expect(history.entries.all.map(\.revision) == [21])
  }

  /// The late duration of a commit before a restoration is not assigned to a restored entry.
  @Test func h8_lateDurationsReachNoRestoredEntry() {
    var history = HistoryStateMachine(maxCount: 9, maxCost: .max)
    history.begin(Self.entry)
    for _ in 0..<3 { _ = history.record(.ofItsOwn, stepID: nil, Self.entry) }
    let records = history.entries.all
    #expect(history.restore(records, position: 3).isEmpty)
    history.setDuration(.seconds(1), ofCommit: 2)
    #expect(history.entries.all.allSatisfy { $0.duration == nil })
    _ = history.record(.ofItsOwn, stepID: nil, Self.entry)
    history.setDuration(.seconds(1), ofCommit: 5)
    #expect(history.entries.all.map { $0.duration != nil } == [false, false, false, false, true])
  }

  @Test func h3_theRevisionsOfMovesAreKnown() {
    var history = HistoryStateMachine(maxCount: 9, maxCost: .max)
    history.begin(Self.entry)
    _ = history.record(.ofItsOwn, stepID: nil, Self.entry)
    _ = history.move(to: 0, dropsLater: false)
    #expect(throws: HistoryStateMachine.Refusal.missing(.dropped(2))) { try history.target(of: .jump(2)).get() }
    #expect(throws: HistoryStateMachine.Refusal.missing(.unknown(3))) { try history.target(of: .jump(3)).get() }
  }
}
