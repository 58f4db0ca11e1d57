import ActorStore
import SeededRandom
import Testing

@testable import Atoms

/// Searches for paths of dependencies and waits.
@Suite struct PathSearchTests {
  private struct Edges {
    var beneath: [NodeID: [NodeID]] = [:]
    var above: [NodeID: [NodeID]] = [:]

    func reach(_ node: NodeID, _ edges: [NodeID: [NodeID]]) -> Set<NodeID> {
      var (reached, next): (Set<NodeID>, [NodeID]) = ([node], [node])
      while let node = next.popLast() {
        for other in edges[node] ?? [] where other != .none && reached.insert(other).inserted { next.append(other) }
      }
      return reached
    }

    /// The number of steps for all nodes, one for each edge and one for each end of the edges.
    func steps(_ nodes: Set<NodeID>, _ edges: [NodeID: [NodeID]]) -> Int {
      nodes.reduce(0) { $0 + 1 + (edges[$1]?.count ?? 0) }
    }

    func search(from first: NodeID, to last: NodeID) -> PathSearch {
      var search = PathSearch(from: first, to: last)
      while true {
        let edges: [NodeID]
        switch search.next {
        case .ended: return search
        case .beneath(let node, let index): edges = Array((beneath[node] ?? []).dropFirst(index))
        case .above(let node, let index): edges = Array((above[node] ?? []).dropFirst(index))
        }
        search.add(edges.first)
      }
    }
  }

  @Test(arguments: 0..<50) func findsAPathFromBothEnds(seed: UInt64) {
    var (random, edges) = (SplitMix64(seed), Edges())
    let nodes = (0..<10).map { NodeID(index: Int32($0)) }
    for _ in 0..<random.below(20) {
      let (user, used) = (nodes[random.below(10)], nodes[random.below(10)])
      edges.beneath[user, default: []].append(used)
      edges.above[used, default: []].append(user)
      // Edges that do not count.
      if random.below(4) == 0 { edges.beneath[user, default: []].append(.none) }
    }
    for first in nodes {
      for last in nodes {
        let search = edges.search(from: first, to: last)
        let (beneath, above) = (edges.reach(first, edges.beneath), edges.reach(last, edges.above))
        #expect(search.isFound == beneath.contains(last))
        let most = min(edges.steps(beneath, edges.beneath), edges.steps(above, edges.above))
        #expect(search.steps <= 2 * most)
      }
    }
  }

  /// A run reads a derived atom, which is up to date, with many atoms beneath it.
  @Test(arguments: [10, 10_000], [false, true])
  func aReadOfARunSearchesAboveTheRun(_ count: Int, isChain: Bool) async throws {
    let (store, gate) = (AtomStore(), Gate())
    let sources = (0..<(isChain ? 1 : count)).map { Atom($0, keepAlive: true) }
    var top = DerivedAtom(keepAlive: true) { sources.reduce(0) { $0 + $1.value } }
    #expect(store.get(top) == sources.count * (sources.count - 1) / 2)
    for _ in 0..<(isChain ? count : 1) {
      top = DerivedAtom(keepAlive: true) { [top] in top.value }
      _ = store.get(top)
    }
    let (derived, atom) = (top, AsyncAtom(keepAlive: true) { await gate.pass() })
    let user = DerivedAtom(keepAlive: true) { atom.value.loading }
    #expect(store.get(user))
    let (run, node) = (
      RunDefinition.of(atom.definition).cell(in: store.core).node, store.core.cell(of: derived.definition).node
    )
    let (search, other) = store.core.state.withLock { state in
      (state.logic.search(from: node, to: run), state.logic.search(from: node, to: node))
    }
    #expect(!search.isFound && search.steps <= 20 && other.isFound)
    gate.open()
    _ = try await store.result(of: atom)
  }
}
