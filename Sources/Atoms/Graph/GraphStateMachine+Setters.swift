/// Nodes for the setters of `GetSetAtom`s that run again when something they have read changes.
///
/// Such a node depends on the atoms that the setter has read. It has no value, so nothing evaluates it. It is clean if
/// the setter has seen the newest values in the store.
extension GraphStateMachine {
  /// Adds a node for a setter.
  mutating func addSetter() -> NodeID {
    let node = add(isSource: false)
    self[node].flags = [.setter]
    return node
  }

  /// Removes the node of a setter.
  mutating func removeSetter(_ node: NodeID) {
    removeEdges(of: node)
    dirtySetters.remove(node)
    vacate(node)
  }

  /// What a setter depends on and still exists.
  func reads(of setter: NodeID) -> Set<NodeID> {
    var reads: Set<NodeID> = []
    for index in self[setter].dependencies.indices {
      let node = self[setter].dependencies[index].node
      if node != .none { reads.insert(node) }
    }
    return reads
  }

  /// Notes that a setter has seen the newest revision.
  ///
  /// It becomes clean if all its dependencies are.
  ///
  /// - Parameters:
  ///   - setter: The node of the setter.
  ///   - reads: What the setter depends on from now on.
  /// - Returns: Whether any of the reads exists.
  mutating func settleSetter(_ setter: NodeID, reads: Set<NodeID>) -> Bool {
    // The order is that of the nodes, not that of the hash table, so that a simulated run is reproducible.
    let reads = reads.filter { !self[$0].isRemoved }.sorted { $0.index < $1.index }
    let tracked = reads.map { EvaluationState.Tracked(node: $0, version: self[$0].version) }
    replaceDependencies(of: setter, with: tracked, from: 0)
    settle(setter, after: revision)
    // No mark reaches a setter through a derived value that only transactions have computed.
    if reads.contains(where: { self[$0].version == 0 }) { self[setter].dirtyAt = revision }
    if self[setter].dirtyAt == .never { dirtySetters.remove(setter) } else { dirtySetters.insert(setter) }
    return !reads.isEmpty
  }

  /// The clean setters that a change of nodes would make dirty: O(nodes that the change would make dirty).
  ///
  /// - Parameters:
  ///   - nodes: The nodes.
  ///   - known: The nodes above which the search ends, to which it adds those that it visits.
  func cleanSetters(above nodes: [NodeID], except known: inout Set<NodeID>) -> [NodeID] {
    var setters: [NodeID] = []
    var next = nodes
    while let node = next.popLast() {
      if !self[node].flags.contains(.cleanDependents) { continue }
      for index in self[node].dependents.indices {
        let dependent = self[node].dependents[index].node
        if self[dependent].dirtyAt != .never || !known.insert(dependent).inserted { continue }
        if self[dependent].flags.contains(.setter) { setters.append(dependent) } else { next.append(dependent) }
      }
    }
    return setters
  }

  /// Whether a change of nodes may make setters run again.
  func mayConcernSetters(_ nodes: [NodeID]) -> Bool {
    if !dirtySetters.isEmpty { return true }
    var known = Set(nodes)
    return !cleanSetters(above: nodes, except: &known).isEmpty
  }

  /// Nodes, and what the values that an evaluation uses for them were computed from, directly or indirectly.
  func inputs(of nodes: Set<NodeID>, in evaluation: borrowing EvaluationState) -> Set<NodeID> {
    var (next, known) = (Array(nodes), nodes)
    while let node = next.popLast() {
      for dependency in dependencies(of: node, in: evaluation) where known.insert(dependency).inserted {
        next.append(dependency)
      }
    }
    return known
  }
}
