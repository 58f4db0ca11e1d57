import ActorStoreTesting
import SeededRandom
import Testing

/// The check of a history whose order is known.
@Suite struct WitnessedHistoryTests {
  private typealias History = WitnessedHistory<Int>

  /// Returns a history with numbered calls, in which each call overlaps only its neighbors.
  private func history(_ applied: [Int], calls: Int = 4, observations: [[OrderPrefix]] = []) -> History {
    History(
      operations: (0..<calls).map { .init(id: $0, called: 2 * $0, returned: 2 * $0 + 3, effect: .applied) },
      applied: applied,
      observations: observations
    )
  }

  private func prefix(_ ids: [Int]) -> OrderPrefix {
    var prefix = OrderPrefix()
    for id in ids { prefix.append(id) }
    return prefix
  }

  @Test func validHistory() {
    #expect(history([0, 1, 2, 3]).violation() == nil)
    // 0 and 1 overlap.
    #expect(history([1, 0, 2, 3]).violation() == nil)
    #expect(history([], calls: 0).violation() == nil)
  }

  @Test func loss() {
    #expect(history([0, 1, 3]).violation() == .lost(2))
  }

  @Test func duplicate() {
    #expect(history([0, 1, 1, 2, 3]).violation() == .duplicated(1, first: 1, again: 2))
  }

  @Test func phantom() {
    #expect(history([0, 1, 9, 2, 3]).violation() == .neverCalled(9, at: 2))
  }

  @Test func operationReportedAsNotApplied() {
    var history = history([0, 1, 2, 3])
    history.operations[2].effect = .notApplied
    #expect(history.violation() == .appliedAllTheSame(2, at: 2))
    history.applied = [0, 1, 3]
    #expect(history.violation() == nil)
  }

  @Test func unknownOutcomeAllowsBoth() {
    var history = history([0, 1, 2, 3])
    history.operations[1].effect = .unknown
    history.operations[1].returned = nil
    #expect(history.violation() == nil)
    history.applied = [0, 2, 3]
    #expect(history.violation() == nil)
    history.applied = [0, 2, 3, 1]
    #expect(history.violation() == nil)
    // The operation must not take effect before its call.
    history.operations[1] = .init(id: 1, called: 100)
    #expect(history.violation() == nil)
    history.applied = [1, 0, 2, 3]
    #expect(history.violation() == .outOfOrder(first: 0, second: 1))
  }

  @Test func realTimeOrder() {
    #expect(history([0, 2, 1, 3]).violation() == nil)
    #expect(history([0, 3, 1, 2]).violation() == .outOfOrder(first: 1, second: 3))
    #expect(history([2, 0, 1, 3]).violation() == .outOfOrder(first: 0, second: 2))
  }

  @Test func duplicateID() {
    var history = history([0, 1, 2, 3])
    history.operations.append(.init(id: 2, called: 20, returned: 21, effect: .applied))
    #expect(history.violation() == .calledTwice(2))
  }

  @Test func deferredOperationMayTakeEffectAfterItReturns() {
    var history = history([1, 2, 3, 0])
    history.operations[0].effect = .unknown
    #expect(history.violation() == nil)
  }

  @Test func callOrder() {
    #expect(history([0, 1, 2, 3]).violation(order: .calls) == nil)
    #expect(history([1, 0, 2, 3]).violation(order: .calls) == .overtaken(first: 0, by: 1))
    #expect(history([0, 3, 1, 2]).violation(order: .calls) == .outOfOrder(first: 1, second: 3))
  }

  @Test func observations() {
    let right = [prefix([]), prefix([0]), prefix([0]), prefix([0, 1, 2, 3])]
    #expect(history([0, 1, 2, 3], observations: [right, right]).violation() == nil)
    let wrong = [prefix([0]), prefix([1])]
    #expect(
      history([0, 1, 2, 3], observations: [right, wrong]).violation() == .notABeginning(observer: 1, index: 1, count: 1)
    )
    let ahead = [prefix([0, 1, 2, 3, 4])]
    #expect(
      history([0, 1, 2, 3], observations: [ahead]).violation() == .notABeginning(observer: 0, index: 0, count: 5))
    let back = [prefix([0, 1]), prefix([0])]
    #expect(
      history([0, 1, 2, 3], observations: [back]).violation() == .wentBack(observer: 0, index: 1, from: 2, to: 1))
  }

  @Test func descriptionsNameOperationsAndStates() {
    #expect("\(History.Violation.outOfOrder(first: 1, second: 3))".contains("1 returned before 3 was called"))
    #expect("\(History.Violation.wentBack(observer: 0, index: 1, from: 2, to: 1))".contains("saw 2 operations"))
    #expect("\(History.Violation.lost(2))".hasPrefix("2 was lost"))
  }

  @Test func recordedHistory() {
    let recorder = HistoryRecorder<String>()
    let (a, b) = (recorder.called("a"), recorder.called("b"))
    recorder.returned(a, .applied)
    recorder.returned(b, .notApplied)
    let c = recorder.called("c")
    recorder.returned(c, .unknown)
    var log = OrderLog<String>()
    recorder.observed(log.prefix, by: 3)
    for id in ["c", "a"] { log.append(id) }
    recorder.observed(log.prefix, by: 3)
    let history = recorder.history(applied: log.entries)
    #expect(history.violation() == .outOfOrder(first: "a", second: "c"))
    #expect(recorder.history(applied: ["a", "c"]).violation() == .notABeginning(observer: 0, index: 1, count: 2))
    #expect(history.observations.map { $0.map(\.count) } == [[0, 2]])
  }

  /// Every random removal, insertion, or swap in a valid history is detected.
  @Test(arguments: 0..<40) func detectsRandomChanges(_ seed: UInt64) {
    var random = SplitMix64(seed)
    let count = 50
    var history = history(Array(0..<count), calls: count)
    switch random.below(4) {
    case 0: history.applied.remove(at: random.below(count))
    case 1: history.applied.insert(random.below(count), at: random.below(count))
    case 2: history.applied.insert(count + 1, at: random.below(count))
    default:
      let first = random.below(count - 3)
      history.applied.swapAt(first, first + 2 + random.below(count - first - 3) + 1)
    }
    #expect(history.violation() != nil)
  }
}
