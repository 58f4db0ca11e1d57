import SeededRandom
import Testing

@testable import Atoms

@Suite struct RunWaitsTests {
  private struct Waiter: WaitingRun, Equatable {
    let number: Int
    let node: NodeID
    let isReplaced: Bool

    func isNewest() -> Bool { !isReplaced }
  }

  private typealias Wait = (number: UInt64, run: Waiter, awaited: NodeID)

  @Test(arguments: 0..<20) func equalsAListOfWaits(seed: UInt64) {
    var (random, waits, all) = (SplitMix64(seed), RunWaits<Waiter>(), [Wait]())
    let nodes = (0..<3).map { NodeID(index: Int32($0)) }
    for step in 0..<300 {
      if random.below(10) < (step / 100 % 2 == 0 ? 8 : 2) {
        let run = Waiter(number: step, node: nodes[random.below(3)], isReplaced: random.below(4) == 0)
        let awaited = nodes[random.below(3)]
        all.append((waits.add(run, for: awaited), run, awaited))
      } else if !all.isEmpty {
        let former = all.remove(at: random.below(all.count))
        #expect(waits.remove(former.number) == former.run)
        #expect(waits.remove(former.number) == nil)
      }
      for node in nodes {
        let beneath = all.filter { $0.run.node == node }.map { $0.run.isReplaced ? .none : $0.awaited }
        let above = all.filter { $0.awaited == node }.map { $0.run.isReplaced ? .none : $0.run.node }
        #expect(sorted { waits.edge($0, beneath: node) } == beneath.map(\.index).sorted())
        #expect(sorted { waits.edge($0, above: node) } == above.map(\.index).sorted())
      }
      #expect(waits.isEmpty == all.isEmpty)
    }
  }

  private func sorted(_ edge: (Int) -> NodeID?) -> [Int32] {
    var nodes: [Int32] = []
    while let node = edge(nodes.count) { nodes.append(node.index) }
    return nodes.sorted()
  }
}
