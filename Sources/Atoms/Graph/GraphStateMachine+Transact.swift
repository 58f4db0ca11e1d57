extension GraphStateMachine {
  /// Whether everything that a transaction has read is still current.
  func isCurrent(_ evaluation: borrowing EvaluationState) -> Bool {
    if has(.commitUnchecked) { return true }
    if lastFormulaStart > evaluation.revision { return false }
    return evaluation.reads.allSatisfy { isCurrent($0) }
  }

  private func isCurrent(_ read: EvaluationState.Tracked) -> Bool {
    self[read.node].version == read.version && revision < self[read.node].dirtyAt
  }

  /// The values that are no longer what a transaction has read, in the order of the reads.
  ///
  /// In place of a derived value that may have changed, the result contains the sources that have, if they are known.
  func changes(after evaluation: borrowing EvaluationState, atMost limit: Int) -> [NodeID] {
    var changes: [NodeID] = []
    var known: Set<NodeID> = []
    for read in evaluation.reads where !isCurrent(read) {
      var next = [read.node]
      while changes.count < limit, let node = next.popLast() {
        if !known.insert(node).inserted { continue }
        let edges = self[node].reads.map { self[node].dependencies[$0] }
        let changed = edges.filter { edge in
          edge.node != .none && (self[edge.node].version != edge.version || self[edge.node].dirtyAt <= revision)
        }
        if changed.isEmpty { changes.append(node) } else { next += changed.map(\.node) }
      }
    }
    return changes
  }

  // MARK: Setters

  /// Notes what the values that setters have read were computed from.
  ///
  /// Called before a change that can give these values other dependencies. Takes one step for each value and dependency
  /// beneath the reads since the last call, without recursion.
  func noteInputs(_ evaluation: inout EvaluationState) {
    for index in evaluation.recordings.indices where !evaluation.recordings[index].newReads.isEmpty {
      var next = evaluation.recordings[index].newReads
      evaluation.recordings[index].newReads = []
      evaluation.recordings[index].reads.formUnion(next)
      var known = Set(next)
      while let node = next.popLast() {
        let dependencies = dependencies(of: node, in: evaluation)
        if dependencies.isEmpty { continue }
        evaluation.recordings[index].inputs[node, default: []].formUnion(dependencies)
        for dependency in dependencies where known.insert(dependency).inserted { next.append(dependency) }
      }
    }
  }

  /// What the value that an evaluation uses was computed from.
  func dependencies(of node: NodeID, in evaluation: borrowing EvaluationState) -> [NodeID] {
    if let own = evaluation.own[node] { return own.dependencies.map(\.node) }
    return self[node].reads.map { self[node].dependencies[$0].node }.filter { $0 != .none }
  }

  /// The values that a setter has read and cannot change itself, in no order.
  ///
  /// In place of a derived value that depends on an atom that the setter has written, they contain what the value was
  /// computed from. In place of a derived value whose atom is gone, they contain its sources, because the derived
  /// values between them may go with it.
  ///
  /// - Parameters:
  ///   - recording: What the setter has read and written. `noteInputs` has been called after the last read.
  ///   - setter: The node of the setter's atom, which does not count.
  func causes(of recording: EvaluationState.Recording, setter: NodeID) -> [NodeID] {
    let affected = recording.nodesAboveWrites
    var causes: [NodeID] = []
    var removed: [NodeID] = []
    var (next, known) = (Array(recording.reads), recording.reads)
    while let node = next.popLast() {
      if node == setter || recording.writes.contains(node) { continue }
      if self[node].isRemoved {
        removed.append(node)
      } else if affected.contains(node) {
        for input in recording.inputs[node] ?? [] where known.insert(input).inserted { next.append(input) }
      } else {
        causes.append(node)
      }
    }
    while let node = removed.popLast() {
      if node == setter || recording.writes.contains(node) { continue }
      if self[node].isSource { causes.append(node) }
      for input in recording.inputs[node] ?? [] where known.insert(input).inserted { removed.append(input) }
    }
    return causes
  }
}

extension EvaluationStateMachine.Recording {
  /// The derived nodes that depend on a written node.
  fileprivate var nodesAboveWrites: Set<NodeID> {
    var dependents: [NodeID: [NodeID]] = [:]
    for (node, inputs) in inputs {
      for input in inputs { dependents[input, default: []].append(node) }
    }
    var above: Set<NodeID> = []
    var next = Array(allWrites)
    while let node = next.popLast() {
      for dependent in dependents[node] ?? [] where above.insert(dependent).inserted { next.append(dependent) }
    }
    return above
  }
}
