extension GraphStateMachine {
  /// Begins a use of a node: O(nodes that come into use and their dependencies), without recursion.
  ///
  /// A node that is in use uses the nodes that it depends on, one use for each edge.
  mutating func beginUse(of node: NodeID) {
    if !addUse(of: node) || self[node].dependencies.isEmpty { return }
    var next = [node]
    while let user = next.popLast() {
      for index in self[user].dependencies.indices {
        let used = self[user].dependencies[index].node
        if used == .none || !self[user].dependencies[index].canUse { continue }
        if addUse(of: used) { next.append(used) }
      }
    }
  }

  /// Ends a use of a node: O(nodes that are no longer in use and their dependencies), without recursion.
  ///
  /// These nodes wait in `unused`, users first. A node with a countdown stays in use until `endCountdown`.
  mutating func endUse(of node: NodeID) {
    let records = nodes.places()
    // Usually, no other node waits, and no array is needed.
    var next: [NodeID] = []
    var current: NodeID? = node
    while let used = current.take() ?? next.popLast() {
      let record = records[Int(used.index)]
      if record.value.uses == 1, beginCountdown(of: used) { continue }
      record.value.uses -= 1
      if record.value.uses > 0 { continue }
      unused.append(used)
      for index in record.value.dependencies.indices {
        let dependency = record.value.dependencies[index]
        if dependency.node != .none, dependency.canUse {
          if current == nil { current = dependency.node } else { next.append(dependency.node) }
        }
        if dependency.isFormer { record.value.dependencies[index].endUse() }
      }
      if !formerUses.isEmpty { next += formerUses.removeValue(forKey: used) ?? [] }
    }
  }

  /// Ends a use of a node, and keeps the values of all nodes that come out of use, as if they had never been in use.
  mutating func endUseAndKeep(_ node: NodeID) {
    let count = unused.count
    endUse(of: node)
    unused.removeSubrange(count...)
  }

  /// Whether nodes may have come out of use, or have countdowns to start.
  var hasUnused: Bool { !unused.isEmpty || !newCountdowns.isEmpty }

  /// The nodes that have come out of use and have not come into use again, users first.
  ///
  /// The caller can then pass the array to `reuse`.
  mutating func takeUnused() -> [NodeID] {
    var taken: [NodeID] = []
    swap(&taken, &unused)
    // Even if nothing is removed, `removeAll` takes longer than this check.
    if taken.contains(where: { self[$0].uses > 0 }) { taken.removeAll { self[$0].uses > 0 } }
    return taken
  }

  /// Reuses the memory of an array from `takeUnused`, unless it is large or other nodes have come out of use since.
  mutating func reuse(_ nodes: inout [NodeID]) {
    if !unused.isEmpty || nodes.capacity > 64 { return }
    swap(&nodes, &unused)
    // This is faster than `removeAll` for the usual single node.
    while unused.popLast() != nil {}
  }

  /// Whether a node has a flag, without a copy of its record.
  @inline(__always)  // HP22
  func has(_ flag: NodeRecord.Flags, _ node: NodeID) -> Bool { nodes[Int(node.index)].flags.contains(flag) }

  /// Whether a source has another value than its default value, as far as the graph knows.
  @inline(__always)  // HP22
  func isAssigned(_ node: NodeID) -> Bool { has(.assigned, node) }

  /// Gives a source its default value in the newest revision, without a delivery.
  ///
  /// - Parameters:
  ///   - node: A source that nothing watches.
  ///   - old: The former value, if `mustKeep(node)`.
  mutating func restoreDefault(of node: NodeID, old: Value?) {
    replaceValue(of: node, old: old, new: nil)
    self[node].flags.remove(.assigned)
  }

  /// Whether the value of a derived node can be dropped.
  ///
  /// The evaluation that has claimed a node may compare its value.
  @inline(__always)  // HP22
  func canDrop(_ node: NodeID) -> Bool {
    let place = Int(node.index)
    return !nodes[place].isSource && nodes[place].version != 0
      && (nodes[place].claim == .none || has(.dropClaimed))
  }

  /// Forgets the value of a derived node, as if it had never been computed.
  ///
  /// If `hasCleanDependent(node)`, or if the value is the result of a run, the caller has begun a new revision. In that
  /// revision, the dependents are marked, because no later change can reach them through this node.
  ///
  /// - Parameter old: The value of a node with runs, if `mustKeep(node)`. The caller has begun a new revision then.
  mutating func drop(_ node: NodeID, old: Value? = nil) {
    let records = nodes.places()
    let record = records[Int(node.index)]
    let end = record.value.dirtyAt
    if let old { keep(old, of: node, until: end == .never ? nil : end) }
    mark(dependentsOf: record, records)
    removeEdges(of: node)
    record.value.drop(at: revision)
  }
}
