/// Paths of dependencies and waits, which would become cycles.
extension GraphStateMachine {
  /// Whether a derivation that runs has read a node, or something that depends on it.
  func isUsed(_ node: NodeID, by evaluation: borrowing EvaluationState) -> Bool {
    if evaluation.isComputed({ leads(from: $0, to: node) }) { return true }
    return evaluation.isDeriving && evaluation.tracked.contains { leads(from: $0.node, to: node) }
  }

  /// The nodes on a path of dependencies and waits from one node to another, or `nil` if there is none.
  ///
  /// Without a path, this takes as many steps as `PathSearch`. Otherwise, it takes a step for each node that the first
  /// one depends on, and for each of their dependencies.
  ///
  /// - Parameters:
  ///   - first: The first node.
  ///   - last: The last node.
  ///   - waits: The waits of runs.
  func path(from first: NodeID, to last: NodeID, waits: some WaitEdges = NoWaits()) -> [NodeID]? {
    if !leads(from: first, to: last, waits: waits) { return nil }
    var users: [NodeID: NodeID] = [first: first]
    var next = [first]
    while let node = next.popLast(), node != last {
      var index = 0
      while let read = edge(index, beneath: node, waits) {
        index += 1
        if read == .none || users[read] != nil { continue }
        users[read] = node
        next.append(read)
      }
    }
    var path = [last]
    while let user = users[path[path.count - 1]], user != path[path.count - 1] { path.append(user) }
    return path.reversed()
  }

  /// Whether a path of dependencies and waits leads from one node to another.
  func leads(from first: NodeID, to last: NodeID, waits: some WaitEdges = NoWaits()) -> Bool {
    search(from: first, to: last, waits: waits).isFound
  }

  /// Searches for a path of dependencies and waits from one node to another.
  func search(from first: NodeID, to last: NodeID, waits: some WaitEdges = NoWaits()) -> PathSearch {
    var search = PathSearch(from: first, to: last)
    while true {
      switch search.next {
      case .ended: return search
      case .beneath(let node, let index): search.add(edge(index, beneath: node, waits))
      case .above(let node, let index): search.add(edge(index, above: node, waits))
      }
    }
  }

  /// A node that another node has read, or that its newest run waits for.
  ///
  /// Returns `nil` after the last edge, and `NodeID.none` for an edge that does not count.
  private func edge(_ index: Int, beneath node: NodeID, _ waits: some WaitEdges) -> NodeID? {
    let count = self[node].dependencies.count
    if index >= count { return waits.edge(index - count, beneath: node) }
    let edge = self[node].dependencies[index]
    return edge.isFormer ? NodeID.none : edge.node
  }

  /// A node that has read another node, or whose newest run waits for it.
  private func edge(_ index: Int, above node: NodeID, _ waits: some WaitEdges) -> NodeID? {
    let count = self[node].dependents.count
    if index >= count { return waits.edge(index - count, above: node) }
    let edge = self[node].dependents[index]
    return self[edge.node].dependencies[Int(edge.index)].isFormer ? NodeID.none : edge.node
  }
}

/// The waits of runs for the results of other runs, as edges between their nodes.
protocol WaitEdges {
  /// A node for which the newest run of a node waits, `nil` after the last one, or `NodeID.none`.
  func edge(_ index: Int, beneath node: NodeID) -> NodeID?
  /// A node whose newest run waits for a node, `nil` after the last one, or `NodeID.none`.
  func edge(_ index: Int, above node: NodeID) -> NodeID?
}

struct NoWaits: WaitEdges {
  func edge(_ index: Int, beneath node: NodeID) -> NodeID? { nil }
  func edge(_ index: Int, above node: NodeID) -> NodeID? { nil }
}
