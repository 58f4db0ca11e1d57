/// Changes of sources, and the marks of the nodes that depend on them.
extension GraphStateMachine {
  /// Gives a source another value in the newest revision, and marks its dependents.
  ///
  /// - Parameters:
  ///   - old: The former value, if `mustKeep(node)`.
  ///   - new: The new value, if the node is watched.
  mutating func replaceValue(of node: NodeID, old: Value?, new: Value?) {
    if let old { keep(old, of: node) }
    if let new { deliveries.add(DeliveryQueue.Change(node: node, value: new)) }
    replaceUnkeptValue(of: node)
  }

  /// Gives a source another version in the newest revision, and marks its dependents.
  ///
  /// If a pin sees the former value, or something watches the source, `replaceValue` first keeps the former value and
  /// queues the new one for delivery.
  @inline(__always)  // HP24
  mutating func replaceUnkeptValue(of node: NodeID) {
    let records = nodes.places()
    let record = records[Int(node.index)]
    record.value.set(version: newVersion(), at: revision)
    mark(dependentsOf: record, records)
  }

  /// Marks every clean node that depends on a node: O(nodes that become dirty and their edges), without recursion.
  mutating func mark(dependentsOf source: NodeID) {
    let records = nodes.places()
    mark(dependentsOf: records[Int(source.index)], records)
  }

  /// Marks every clean node that depends on a node whose record the caller has found.
  @inline(never)  // HP24
  mutating func mark(
    dependentsOf source: Record, _ records: Records
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
    dependentsOf record: Record, _ records: Records
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
