import ActorStoreTesting
import Testing

@testable import ActorStore

/// The graph of waits across stores, against a plain search for circles (P8).
@Suite struct WaitGraphTests {
  private let stores = (0..<5).map { _ in StoreID.next() }

  @Test func twoThatWaitForEachOther() {
    let (a, b) = (TurnID(stores[0], 1), TurnID(stores[1], 1))
    var graph = WaitGraph<Int>()
    let holders = [0: a, 1: b]
    let first = graph.begin(.outcome(1), below: [a], for: 1) { [holders[$0]].compactMap(\.self) }
    let second = graph.begin(.outcome(2), below: [b], for: 0) { [holders[$0]].compactMap(\.self) }
    #expect(first && !second)
    let ended = [graph.end(.outcome(1)), graph.end(.outcome(2))]
    #expect(ended == [1, nil])
    #expect(graph.isEmpty)
  }

  @Test func anEndedWaitIsForgotten() {
    let (a, b) = (TurnID(stores[0], 1), TurnID(stores[1], 1))
    var graph = WaitGraph<Int>()
    let there = graph.begin(.outcome(1), below: [a], for: 1) { [[0: a, 1: b][$0]].compactMap(\.self) }
    _ = graph.end(.outcome(1))
    let back = graph.begin(.outcome(2), below: [b], for: 0) { [[0: a, 1: b][$0]].compactMap(\.self) }
    #expect(there && back)
  }

  /// A ticket that does not wait any more holds nobody up, though nobody has said so yet.
  @Test func aWaitThatIsOverCountsNoMore() {
    let (a, b) = (TurnID(stores[0], 1), TurnID(stores[1], 1))
    var graph = WaitGraph<Int>()
    let there = graph.begin(.outcome(1), below: [a], for: 1) { [[0: a, 1: b][$0]].compactMap(\.self) }
    let back = graph.begin(.outcome(2), below: [b], for: 0) { $0 == 0 ? [a] : [] }
    #expect(there && back)
  }

  /// A turn handed on leads the waits to who has it now.
  @Test func handingOnChangesWhereAWaitLeads() {
    let (a, b, later) = (TurnID(stores[0], 1), TurnID(stores[1], 1), TurnID(stores[1], 2))
    var graph = WaitGraph<Int>()
    var holders = [0: a, 1: b]
    let there = graph.begin(.outcome(1), below: [a], for: 1) { [holders[$0]].compactMap(\.self) }
    holders[1] = later
    let back = graph.begin(.outcome(2), below: [later], for: 0) { [holders[$0]].compactMap(\.self) }
    #expect(there && !back)
    // And while the graph is walked.
    holders = [0: a, 1: b]
    let walked = graph.begin(.outcome(3), below: [later], for: 0) { target in
      defer { holders[1] = later }
      return [holders[target]].compactMap(\.self)
    }
    #expect(!walked)
  }

  /// Random waits of five stores: a wait is refused exactly if the holders would be in a circle with it.
  @Test(arguments: 0..<200) func refusesExactlyWhatClosesACircle(_ seed: UInt64) {
    var random = SplitMix64(seed)
    var graph = WaitGraph<Int>()
    let holders = stores.map { TurnID($0, 1) }
    var edges: [(id: WaitID, from: Set<Int>, to: Int)] = []
    func reaches(_ from: Int, _ goals: Set<Int>, _ seen: Set<Int> = []) -> Bool {
      if goals.contains(from) { return true }
      if seen.contains(from) { return false }
      return edges.contains { $0.from.contains(from) && reaches($0.to, goals, seen.union([from])) }
    }
    for step in 0..<40 as Range<UInt64> {
      if !edges.isEmpty, random.below(4) == 0 {
        let edge = edges.remove(at: random.below(edges.count))
        #expect(graph.end(edge.id) == edge.to)
        continue
      }
      let from = Set((0...random.below(2)).map { _ in random.below(5) })
      let to = random.below(5)
      let begins = graph.begin(.outcome(step), below: from.map { holders[$0] }, for: to) { [holders[$0]] }
      #expect(begins != reaches(to, from))
      if begins { edges.append((.outcome(step), from, to)) }
    }
    for edge in edges { _ = graph.end(edge.id) }
    #expect(graph.isEmpty)
  }
}
