extension GraphStateMachine {
  /// Whether everything that a transaction has read is still current.
  func isCurrent(_ evaluation: borrowing EvaluationState) -> Bool {
    if has(.commitUnchecked) { return true }
    return evaluation.reads.allSatisfy { read in
      self[read.node].version == read.version && revision < self[read.node].dirtyAt
    }
  }

  // MARK: Setters

  /// The values that a setter has read and cannot change itself, in no order.
  ///
  /// A derived value that depends on an atom that the setter has written stands for the other values that it was
  /// computed from. Takes one step for each value and dependency beneath the reads, without recursion.
  ///
  /// - Parameter setter: The node of the setter's atom, which does not count.
  func causes(
    of recording: EvaluationState.Recording, setter: NodeID, in evaluation: borrowing EvaluationState
  ) -> [NodeID] {
    let reads = Set(recording.reads)
    let written = nodes(above: recording.writes, beneath: reads, in: evaluation)
    var causes: [NodeID] = []
    var (next, known) = (Array(reads), reads)
    while let node = next.popLast() {
      if node == setter || recording.writes.contains(node) { continue }
      if !written.contains(node) {
        causes.append(node)
        continue
      }
      for dependency in dependencies(of: node, in: evaluation) where known.insert(dependency).inserted {
        next.append(dependency)
      }
    }
    return causes
  }

  /// The nodes that depend on a written node, among those that some nodes depend on.
  private func nodes(
    above written: Set<NodeID>, beneath tops: Set<NodeID>, in evaluation: borrowing EvaluationState
  ) -> Set<NodeID> {
    var dependents: [NodeID: [NodeID]] = [:]
    var (next, known) = (Array(tops), tops)
    while let node = next.popLast() {
      for dependency in dependencies(of: node, in: evaluation) {
        dependents[dependency, default: []].append(node)
        if known.insert(dependency).inserted { next.append(dependency) }
      }
    }
    var above: Set<NodeID> = []
    next = Array(written)
    while let node = next.popLast() {
      for dependent in dependents[node] ?? [] where above.insert(dependent).inserted { next.append(dependent) }
    }
    return above
  }

  /// What the value that an evaluation has used was computed from.
  private func dependencies(of node: NodeID, in evaluation: borrowing EvaluationState) -> [NodeID] {
    if let own = evaluation.own[node] { return own.dependencies.map(\.node) }
    return self[node].dependencies.indices.map { self[node].dependencies[$0].node }.filter { $0 != .none }
  }
}
