import SeededRandom
import Testing

@testable import Atoms

/// The numbers of evaluations, which claims of nodes contain.
@Suite struct EvaluationNumberTests {
  @Test(arguments: 0..<20 as Range<UInt64>) func evaluationsHaveDifferentNumbers(_ seed: UInt64) {
    var random = SplitMix64(seed)
    var logic = GraphStateMachine<Int>()
    var running: [EvaluationStateMachine<Int>] = []
    var spare: [EvaluationStateMachine<Int>] = []
    for _ in 0..<500 {
      if random.below(3) == 0 { logic.advance() }
      switch random.below(6) {
      case 0:
        running.append(logic.begin())
      case 1, 2:
        guard var evaluation = spare.popLast() else { continue }
        logic.restart(&evaluation)
        #expect(evaluation.revision == logic.revision)
        running.append(evaluation)
      case 3 where !spare.isEmpty:
        logic.vacate(spare.removeLast().id)
      default:
        if running.isEmpty { continue }
        let evaluation = running.remove(at: random.below(running.count))
        switch random.below(3) {
        case 0:
          _ = logic.end(evaluation)
        case 1:
          _ = logic.end(evaluation, keepsID: true)
          spare.append(evaluation)
        default:
          let isQuiet = logic.endQuietly(at: evaluation.revision)
          #expect(isQuiet)
          spare.append(evaluation)
        }
      }
      let all = running + spare
      #expect(Set(all.map(\.id)).count == all.count && logic.pins.count == running.count)
    }
    #expect(Set((running + spare).map(\.id.slot)).allSatisfy { $0 < 100 })
  }
}
