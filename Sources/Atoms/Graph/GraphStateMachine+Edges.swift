extension GraphStateMachine {
  /// Replaces the dependencies of a node with the reads that begin at an index.
  mutating func replaceDependencies<Reads: RandomAccessCollection<EvaluationState.Tracked>>(
    of node: NodeID, with reads: Reads, from start: Int
  ) where Reads.Index == Int {
    let former = takeUsedDependencies(of: node)
    let records = nodes.places()
    let record = records[Int(node.index)]
    removeDependencies(of: record, records)
    record.value.dependencies.reserveCapacity(reads.count - start)
    for index in start..<reads.endIndex {
      let read = reads[index]
      var edge = Dependency(node: .none, place: -1, version: read.version)
      let other = records[Int(read.node.index)]
      // The atom can be gone since the read. Then the value is valid for one revision.
      if !other.value.isRemoved {
        edge.node = read.node
        edge.place = Int32(other.value.dependents.count)
        other.value.dependents.append(Dependent(node: node, index: Int32(record.value.dependencies.count)))
      }
      record.value.dependencies.append(edge)
    }
    if record.value.uses > 0 {
      for index in record.value.dependencies.indices {
        let edge = record.value.dependencies[index]
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
    let records = nodes.places()
    removeDependencies(of: records[Int(node.index)], records)
    for used in former { endUse(of: used) }
  }

  /// Removes the dependencies of a node that gets another closure.
  ///
  /// Their uses end when that closure has run, because it may read the same atoms.
  mutating func removeEdgesLater(of node: NodeID) {
    let former = takeUsedDependencies(of: node)
    if !former.isEmpty { formerUses[node] = former }
    let records = nodes.places()
    removeDependencies(of: records[Int(node.index)], records)
  }

  /// Removes the dependencies of a node, and removes the node from their dependents.
  ///
  /// The caller ends the uses.
  @inline(__always)  // HP24
  private mutating func removeDependencies(of record: Record, _ records: Records) {
    for index in record.value.dependencies.indices { Self.unlink(record.value.dependencies[index], records) }
    record.value.dependencies.removeAll()
  }

  /// Removes the opposite of an edge, which is in the dependents of the node that was read.
  private static func unlink(_ edge: Dependency, _ records: Records) {
    if edge.node == .none { return }
    let other = records[Int(edge.node.index)]
    let last = other.value.dependents.removeLast()
    if Int(edge.place) < other.value.dependents.count {
      other.value.dependents[Int(edge.place)] = last
      records[Int(last.node.index)].value.dependencies[Int(last.index)].place = edge.place
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
    Self.unlink(self[node].dependencies[self[node].dependencies.count - 1], nodes.places())
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
