import ActorStore
import TestSize
import Testing

@testable import Atoms

/// Random graphs beside a plain evaluation.
@Suite struct RandomGraphTests {
  #if DEBUG
    private static let full = 250
  #else
    private static let full = 20_000
  #endif

  @Test func everyReadIsThatOfOneRevision() {
    let count = TestSize.count(Self.full, few: 50)
    var reads = 0
    for seed in 1...UInt64(count) {
      let graph = RandomGraph(seed: seed, in: AtomStore())
      if let problem = graph.run() {
        Issue.record("seed \(seed): \(problem)")
        return
      }
      reads += graph.reads
    }
    #expect(reads > 20 * count)
  }

  #if DEBUG
    /// The same graphs, up to the first one that shows the fault, find these faults.
    ///
    /// `KnownBadThreadsTests` finds `commitUnchecked`, which needs another thread. Only
    /// `GraphExhaustiveTests` finds `markLate`, because `Graph` publishes each revision in one place, after the marks.
    @Test(arguments: [GraphFaults.readNewest, .settleUnchecked, .deliverOnce, .loseMark])
    func plantedFaultsAreFound(_ fault: GraphFaults) {
      let found = (1...UInt64(Self.full)).contains { seed in
        let store = AtomStore()
        store.plant(fault)
        return RandomGraph(seed: seed, in: store).run() != nil
      }
      #expect(found)
    }
  #endif
}
