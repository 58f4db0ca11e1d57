import ActorStoreTesting
import TestSize
import Testing

@testable import ActorStore

/// Explores every interleaving of the steps of a publisher and of one or two consumers of transitions.
@Suite struct TransitionsExhaustiveTests {
  @Test(arguments: [[false], [true], [false, true], [true, true]], [false, true])
  func p18_everyInterleaving(_ leaves: [Bool], hasOther: Bool) {
    let commits = leaves.count == 1 ? 3 : TestSize.length(2, short: 1)
    let threads = VirtualTransitions(leaves, hasOther: hasOther, commits: commits)
    let exploration = Interleavings(of: threads)
    #expect(exploration.problem?.description == nil)
    #expect(exploration.count > 1)
  }

  @Test(arguments: VirtualTransitions.Flaw.allCases) func p18_everyFlawIsFound(_ flaw: VirtualTransitions.Flaw) {
    let isFound = [[false], [true], [false, true], [true, true]].contains { leaves in
      Interleavings(of: VirtualTransitions(leaves, hasOther: true, commits: 2, flaw: flaw)).problem != nil
    }
    #expect(isFound)
  }
}
