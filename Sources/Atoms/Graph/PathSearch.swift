/// A search for a path from one node to another, which proceeds from both ends in turn (Pohl, "Bi-directional search").
///
/// It visits one edge at a time, and ends when one side has visited all of its edges. So it takes at most twice as many
/// steps as there are nodes and edges beneath the first node, or above the last one, whichever are fewer. Usually, a
/// run reads atoms with many dependencies, but has few dependents itself.
struct PathSearch {
  /// What the caller does next.
  enum Next: Equatable {
    /// Calls `add` with the node at the end of an edge that begins at this node.
    case beneath(NodeID, index: Int)
    /// Calls `add` with the node at the start of an edge that ends at this node.
    case above(NodeID, index: Int)
    case ended
  }

  private struct Side {
    let goal: NodeID
    var visited: Set<NodeID>
    var nodes: [NodeID]
    /// The index of the next edge of the last node.
    var index = 0

    init(from node: NodeID, to goal: NodeID) {
      self.goal = goal
      visited = [node]
      nodes = [node]
    }

    /// Adds the node at the other end of the next edge, and returns whether it is the goal.
    mutating func add(_ node: NodeID?) -> Bool {
      guard let node else {
        nodes.removeLast()
        index = 0
        return false
      }
      index += 1
      if node != .none, visited.insert(node).inserted { nodes.insert(node, at: nodes.count - 1) }
      return node == goal
    }
  }

  private var (beneath, above): (Side, Side)
  private var isBeneath = true
  private(set) var isFound: Bool
  /// The number of edges and ends of lists of edges that the search has visited.
  private(set) var steps = 0

  init(from first: NodeID, to last: NodeID) {
    beneath = Side(from: first, to: last)
    above = Side(from: last, to: first)
    isFound = first == last
  }

  var next: Next {
    guard !isFound, let first = beneath.nodes.last, let last = above.nodes.last else { return .ended }
    return isBeneath ? .beneath(first, index: beneath.index) : .above(last, index: above.index)
  }

  /// Adds the node at the other end of an edge, `nil` after the last edge of a node, or `NodeID.none` for an edge that
  /// does not count.
  mutating func add(_ node: NodeID?) {
    steps += 1
    isFound = isBeneath ? beneath.add(node) : above.add(node)
    isBeneath.toggle()
  }
}
