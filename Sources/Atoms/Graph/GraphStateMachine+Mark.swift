extension GraphStateMachine {
  /// Marks every clean node that depends on a node: O(nodes that become dirty and their edges), without recursion.
  mutating func mark(dependentsOf source: NodeID) {
    if !self[source].flags.contains(.cleanDependents) {
      if !self[source].dependents.isEmpty { marksMeetDirty = true }
      return
    }
    var next = marked.count
    mark(neighborsOf: source)
    while next < marked.count {
      let node = marked[next]
      next += 1
      if self[node].flags.contains(.cleanDependents) {
        mark(neighborsOf: node)
      } else if !self[node].dependents.isEmpty {
        marksMeetDirty = true
      }
    }
  }

  private mutating func mark(neighborsOf node: NodeID) {
    self[node].flags.remove(.cleanDependents)
    for index in 0..<self[node].dependents.count {
      let dependent = self[node].dependents[index].node
      guard let flags = self[dependent].makeDirty(at: revision) else {
        marksMeetDirty = true
        continue
      }
      if flags.contains(.setter) {
        dirtySetters.insert(dependent)
        continue
      }
      marked.append(dependent)
      if !flags.contains(.watched) { continue }
      // Another thread has queued the node, and a read has cleaned it since.
      if flags.contains(.queued) { marksMeetDirty = true }
      check(dependent)
    }
  }

  /// Whether a change of a node would mark a dependent.
  @inline(__always)  // HP22
  func hasCleanDependent(_ node: NodeID) -> Bool {
    let place = Int(node.index)
    if !nodes[place].flags.contains(.cleanDependents) { return false }
    for index in nodes[place].dependents.indices
    where nodes[Int(nodes[place].dependents[index].node.index)].dirtyAt == .never {
      return true
    }
    return false
  }
}
