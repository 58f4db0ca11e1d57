import SeededRandom
import Testing

@testable import Atoms

/// A list that stores its first edge inline.
@Suite struct EdgeListTests {
  @Test(arguments: 0..<20 as Range<UInt64>) func matchesAnArray(_ seed: UInt64) {
    var random = SplitMix64(seed)
    var list = EdgeList<Dependency>()
    var model: [Dependency] = []
    for _ in 0..<1_000 {
      switch random.below(7) {
      case 0, 1, 2:
        let edge = edge(&random)
        list.append(edge)
        model.append(edge)
      case 3, 4:
        if model.isEmpty { continue }
        #expect(list.removeLast() == model.removeLast())
      case 5 where random.below(20) == 0:
        list.removeAll()
        model.removeAll()
      default:
        if model.isEmpty { continue }
        let (index, edge) = (random.below(model.count), edge(&random))
        list[index] = edge
        model[index] = edge
      }
      #expect(list.count == model.count && list.isEmpty == model.isEmpty && list.last == model.last)
      for index in model.indices { #expect(list[index] == model[index] && list.edge(at: index) == model[index]) }
      #expect(list.edge(at: model.count) == nil)
    }
  }

  /// An edge to a node that may be gone, or one of the special edges.
  private func edge(_ random: inout SplitMix64) -> Dependency {
    let node = random.below(3) == 0 ? NodeID.none : NodeID(index: Int32(random.below(5)))
    var edge = Dependency(node: node, place: Int32(random.below(3)) - 1, version: Version(random.below(3)))
    switch random.below(6) {
    case 0: edge = .different
    case 1: edge.becomeFormer(isUsed: random.below(2) == 0)
    case 2: edge.becomeKept()
    case 3: edge.version = Dependency.ofAssignment
    default: break
    }
    return edge
  }
}
