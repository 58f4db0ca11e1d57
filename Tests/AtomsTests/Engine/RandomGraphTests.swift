import ActorStore
import Testing

@testable import Atoms

/// Random graphs beside a plain evaluation.
@Suite struct RandomGraphTests {
  #if DEBUG
    private static let count = 250
  #else
    private static let count = 20_000
  #endif

  @Test func everyReadIsThatOfOneRevision() {
    var reads = 0
    for seed in 1...UInt64(Self.count) {
      let graph = RandomGraph(seed: seed, in: AtomStore())
      if let problem = graph.run() {
        Issue.record("seed \(seed): \(problem)")
        return
      }
      reads += graph.reads
    }
    #expect(reads > 20 * Self.count)
  }

  #if DEBUG
    /// The same graphs find these faults.
    ///
    /// `KnownBadThreadsTests` finds `commitUnchecked`, which needs another thread. Only
    /// `GraphExhaustiveTests` finds `markLate`, because `Graph` publishes each revision in one place, after the marks.
    @Test(arguments: [GraphFaults.readNewest, .settleUnchecked, .deliverOnce, .loseMark])
    func plantedFaultsAreFound(_ fault: GraphFaults) {
      let found = (1...UInt64(Self.count)).contains { seed in
        let store = AtomStore()
        store.plant(fault)
        return RandomGraph(seed: seed, in: store).run() != nil
      }
      #expect(found)
    }
  #endif
}
