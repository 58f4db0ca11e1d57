extension GraphStateMachine {
  mutating func replaceDependencies(
    of node: NodeID, with reads: some RandomAccessCollection<EvaluationState.Tracked>
  ) {
    let former = takeUsedDependencies(of: node)
    unlink(node)
    self[node].dependencies.removeAll()
    self[node].dependencies.reserveCapacity(reads.count)
    for read in reads {
      var edge = Dependency(node: .none, place: -1, version: read.version)
      // The atom can be gone since the read. Then the value is valid for one revision.
      if !self[read.node].isRemoved {
        edge.node = read.node
        edge.place = Int32(self[read.node].dependents.count)
        self[read.node].dependents.append(
          Dependent(node: node, index: Int32(self[node].dependencies.count)))
      }
      self[node].dependencies.append(edge)
    }
    if self[node].uses > 0 {
      for index in self[node].dependencies.indices {
        let edge = self[node].dependencies[index]
        if edge.node != .none, edge.canUse { beginUse(of: edge.node) }
      }
    }
    for used in former { endUse(of: used) }
  }

  /// The dependencies that a node uses, because it is in use itself.
  @inline(__always)  // HP22
  private func usedDependencies(of node: NodeID) -> [NodeID] {
    let place = Int(node.index)
    if nodes[place].uses == 0 { return [] }
    var used: [NodeID] = []
    for index in nodes[place].dependencies.indices {
      let edge = nodes[place].dependencies[index]
      if edge.node != .none, edge.canUse { used.append(edge.node) }
    }
    return used
  }

  /// The dependencies that a node uses, and those that it used before it got another closure, whose uses the caller
  /// ends.
  mutating func takeUsedDependencies(of node: NodeID) -> [NodeID] {
    let used = usedDependencies(of: node)
    return formerUses.isEmpty ? used : used + (formerUses.removeValue(forKey: node) ?? [])
  }

  /// Removes the dependencies of a node, and ends their uses by the node.
  mutating func removeEdges(of node: NodeID) {
    let former = takeUsedDependencies(of: node)
    unlink(node)
    self[node].dependencies.removeAll()
    for used in former { endUse(of: used) }
  }

  /// Removes the dependencies of a node that gets another closure.
  ///
  /// Their uses end when that closure has run, because it may read the same atoms.
  mutating func removeEdgesLater(of node: NodeID) {
    let former = takeUsedDependencies(of: node)
    if !former.isEmpty { formerUses[node] = former }
    unlink(node)
    self[node].dependencies.removeAll()
  }

  /// Removes a node from the dependents of its dependencies.
  private mutating func unlink(_ node: NodeID) {
    for index in 0..<self[node].dependencies.count { unlink(self[node].dependencies[index]) }
  }

  private mutating func unlink(_ edge: Dependency) {
    if edge.node == .none { return }
    let last = self[edge.node].dependents.removeLast()
    if Int(edge.place) < self[edge.node].dependents.count {
      self[edge.node].dependents[Int(edge.place)] = last
      self[last.node].dependencies[Int(last.index)].place = edge.place
    }
  }

  /// The index of a node's first dependency on another node: O(dependencies of the node, or dependents of the other
  /// one, whichever are fewer).
  func indexOfDependency(of node: NodeID, on read: NodeID) -> Int? {
    if self[read].dependents.count < self[node].dependencies.count {
      let edges = self[read].dependents
      return edges.indices.lazy.map { edges[$0] }.filter { $0.node == node }.map { Int($0.index) }.min()
    }
    let edges = self[node].dependencies
    return edges.indices.first { edges[$0].node == read }
  }

  /// Removes the last dependency of a node that has one, whose use the caller ends.
  mutating func removeLastDependency(of node: NodeID) {
    // The list still has the edge while its opposite edge moves.
    unlink(self[node].dependencies[self[node].dependencies.count - 1])
    _ = self[node].dependencies.removeLast()
  }

  /// Exchanges two dependencies of a node.
  mutating func swapDependencies(_ one: Int, _ other: Int, of node: NodeID) {
    if one == other { return }
    let edge = self[node].dependencies[one]
    place(self[node].dependencies[other], at: one, of: node)
    place(edge, at: other, of: node)
  }

  private mutating func place(_ edge: Dependency, at index: Int, of node: NodeID) {
    self[node].dependencies[index] = edge
    if edge.node == .none { return }
    self[edge.node].dependents[Int(edge.place)] = Dependent(node: node, index: Int32(index))
  }
}
