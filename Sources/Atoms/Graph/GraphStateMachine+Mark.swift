extension GraphStateMachine {
  /// Marks every clean node that depends on a node: O(nodes that become dirty and their edges), without recursion.
  mutating func mark(dependentsOf source: NodeID) {
    let records = nodes.places()
    mark(dependentsOf: records[Int(source.index)], records)
  }

  /// Marks every clean node that depends on a node whose record the caller has found.
  @inline(never)  // HP24
  mutating func mark(
    dependentsOf source: SegmentedArray<NodeRecord>.Place, _ records: SegmentedArray<NodeRecord>.Places
  ) {
    var next = marked.count
    markDirect(dependentsOf: source, records)
    while next < marked.count {
      markDirect(dependentsOf: records[Int(marked[next].index)], records)
      next += 1
    }
  }

  @inline(__always)  // HP23
  private mutating func markDirect(
    dependentsOf record: SegmentedArray<NodeRecord>.Place, _ records: SegmentedArray<NodeRecord>.Places
  ) {
    if !record.value.flags.contains(.cleanDependents) {
      if !record.value.dependents.isEmpty { marksMeetDirty = true }
      return
    }
    record.value.flags.remove(.cleanDependents)
    for index in record.value.dependents.indices {
      let dependent = record.value.dependents[index].node
      guard let flags = records[Int(dependent.index)].value.makeDirty(at: revision) else {
        marksMeetDirty = true
        continue
      }
      if flags.contains(.setter) {
        dirtySetters.insert(dependent)
        continue
      }
      marked.append(dependent)
      if !flags.contains(.watched) { continue }
      if flags.contains(.queued) {
        // Another thread has queued the node, and a read has since cleaned it.
        marksMeetDirty = true
      } else {
        records[Int(dependent.index)].value.flags.formUnion(.queued)
        deliveries.add(check: dependent)
      }
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
