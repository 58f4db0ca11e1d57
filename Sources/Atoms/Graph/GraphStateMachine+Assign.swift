/// Values of nodes with runs that code sets.
extension GraphStateMachine {
  /// Ends the newest run of a node, because code sets the value in the newest revision.
  ///
  /// The reads of this run, and those of the run of the last result, count from now on. The caller sets the value, and
  /// then calls `settle`.
  ///
  /// - Returns: The revision that ended the former value, or `nil` if it is valid in the newest one.
  mutating func assign(_ node: NodeID) -> Revision? {
    let end = self[node].dirtyAt
    self[node].dirtyAt = .never
    self[node].edition &+= 1
    for index in self[node].dependencies.indices.reversed() where self[node].dependencies[index].node == .none {
      swapDependencies(index, self[node].dependencies.count - 1, of: node)
      removeLastDependency(of: node)
    }
    var place = 0
    for index in self[node].dependencies.indices where !self[node].dependencies[index].isKept {
      swapDependencies(index, place, of: node)
      let edge = self[node].dependencies[place]
      let isClean = self[edge.node].version != 0 && self[edge.node].dirtyAt == .never
      self[node].dependencies[place].version = isClean ? self[edge.node].version : Dependency.ofAssignment
      if !edge.canUse, self[node].uses > 0 { beginUse(of: edge.node) }
      place += 1
    }
    return end == .never ? nil : end
  }

  /// Whether code has set the value of a node with runs.
  func isAssignedRun(_ node: NodeID) -> Bool { self[node].flags.isSuperset(of: [.run, .assigned]) }

  /// Finds out whether a dependency of a node whose value code has set counts as unchanged.
  ///
  /// If the version at that time is unknown, the dependency is unchanged if its value has been valid since then. This
  /// call then records its version.
  mutating func isUnchanged(
    _ index: Int, of node: NodeID, _ stamp: ValueStamp, for evaluation: borrowing EvaluationState
  ) -> Bool {
    let dependency = self[node].dependencies[index]
    if dependency.version != Dependency.ofAssignment { return stamp.version == dependency.version }
    let start = self[node].validFrom
    if evaluation.hasWritten || evaluation.revision < start || stamp.validFrom > start { return false }
    // A value that only this evaluation sees has its own version.
    if self[dependency.node].version == stamp.version { self[node].dependencies[index].version = stamp.version }
    return true
  }
}
