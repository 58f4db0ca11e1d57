/// Nodes with runs.
///
/// The closure of such a node only starts a run, which reads other nodes and sets the node's value later. Each read of
/// the newest run becomes a dependency at once. So a change of a dependency makes the node dirty, and the next
/// evaluation starts another run.
extension GraphStateMachine {
  /// Ends the closure of a node, which starts a run.
  ///
  /// The value before the run's first result is valid since the change that made another run necessary.
  ///
  /// - Parameters:
  ///   - isUnchanged: Whether the former value stays.
  ///   - old: The former value, if `mustKeep(node)`.
  /// - Returns: Whether the atom still exists. Otherwise, the caller calls `keep`.
  mutating func publishRun(_ evaluation: inout EvaluationState, isUnchanged: Bool, old: Value?) -> Bool {
    let node = evaluation.frame.node
    if self[node].isRemoved { return false }
    if !isUnchanged {
      let end = self[node].dirtyAt
      if let old, self[node].version != 0 { keep(old, of: node, until: end) }
      if self[node].version != 0 { self[node].validFrom = end }
      self[node].version = newVersion()
    }
    self[node].claim = .none
    self[node].dirtyAt = .never
    self[node].flags.remove(.assigned)
    forgetReads(of: node)
    evaluation.pop()
    return true
  }

  /// Whether a pin sees the node's value from before a change that turned out not to affect it.
  ///
  /// A pin can recompute a derived value, but not the result of a run. Revalidation makes the value valid again, but
  /// not at the revisions in between, so the graph must keep it separately for these pins. A node that another
  /// evaluation has revalidated meanwhile needs nothing.
  func mustKeepBeforeRevalidation(_ node: NodeID) -> Bool {
    let end = self[node].dirtyAt
    return self[node].flags.contains(.run) && end != .never && !has(.loseResult) && mustKeep(node, until: end)
  }

  /// Keeps the value of a node with runs for the pins that see it until the change that made the node dirty.
  ///
  /// - Parameter value: The node's value, for which `mustKeepBeforeRevalidation(node)` is `true`.
  mutating func keepBeforeRevalidation(_ node: NodeID, _ value: Value) {
    let end = self[node].dirtyAt
    keep(value, of: node, until: end)
    self[node].validFrom = end
  }

  /// Begins another run of a node that has a value and no claim.
  ///
  /// Returns the revision that ended the former value, or `nil` if it is valid in the newest one.
  @discardableResult
  mutating func restart(_ node: NodeID) -> Revision? {
    let end = self[node].dirtyAt
    self[node].dirtyAt = .never
    forgetReads(of: node)
    return end == .never ? nil : end
  }

  /// Makes all dependencies those of former runs.
  ///
  /// Their uses end after the new run, because it may read the same atoms. The uses of a successful run last until the
  /// next success, because a failed run may have stopped before its reads.
  private mutating func forgetReads(of node: NodeID) {
    self[node].edition &+= 1
    let (isUsed, hasSucceeded) = (self[node].uses > 0, self[node].flags.contains(.succeeded))
    for index in self[node].reads {
      if hasSucceeded { self[node].dependencies[index].isOfSuccess = true }
      self[node].dependencies[index].becomeFormer(isUsed: isUsed)
    }
    self[node].flags.remove(.succeeded)
  }

  /// The first node that a node has read, if it is still there.
  func firstDependency(of node: NodeID) -> NodeID? {
    self[node].reads.isEmpty ? nil : self[node].dependencies[0].node
  }

  /// Makes a read of the newest run a dependency of its node.
  ///
  /// Searches the edges of the node that has fewer of them.
  ///
  /// - Parameter version: The version that the run has read, or 0 if the atom is gone.
  /// - Returns: Whether the value has changed since, so that the caller calls `change`.
  mutating func addRead(of read: NodeID, _ version: Version, by node: NodeID) -> Bool {
    let reads = self[node].reads
    if let known = indexOfDependency(of: node, on: read) {
      let place = min(known, reads.count)
      swapDependencies(known, place, of: node)
      let edge = self[node].dependencies[place]
      // Reads of two versions are never right, so the next check finds a change.
      self[node].dependencies[place].version = edge.isFormer || edge.version == version ? version : 0
      if !edge.canUse, self[node].uses > 0 { beginUse(of: read) }
    } else {
      var edge = Dependency.different
      if !self[read].isRemoved {
        edge = Dependency(node: read, place: Int32(self[read].dependents.count), version: version)
        self[read].dependents.append(Dependent(node: node, index: Int32(self[node].dependencies.count)))
      }
      self[node].dependencies.append(edge)
      swapDependencies(self[node].dependencies.count - 1, reads.count, of: node)
      if edge.node != .none, self[node].uses > 0 { beginUse(of: read) }
    }
    if self[read].isRemoved || self[read].version != version || self[read].dirtyAt != .never { return true }
    self[read].flags.formUnion(.cleanDependents)
    return false
  }

  /// Makes a node dirty in the newest revision, which the caller has begun.
  mutating func change(_ node: NodeID) {
    if self[node].dirtyAt == .never {
      self[node].dirtyAt = revision
      marked.append(node)
    }
    if self[node].isWatched { check(node) }
    mark(dependentsOf: node)
  }

  /// Whether a run can set the value of its node now.
  ///
  /// Otherwise, an evaluation must find out whether a dependency has changed.
  func canSet(_ node: NodeID) -> Bool { self[node].isValid(at: revision) && self[node].claim == .none }

  /// Whether a change of a node's value will mark its dependents.
  func isClean(_ node: NodeID) -> Bool { canSet(node) && self[node].dirtyAt == .never }

  /// Gives a node the value that its run has set, in the newest revision.
  ///
  /// - Parameters:
  ///   - old: The former value, if `mustKeep(node)`.
  ///   - end: The revision that ended the former value, or `nil` for the newest one.
  ///   - new: The new value, if the node is watched.
  mutating func setResult(of node: NodeID, old: Value?, until end: Revision?, new: Value?) {
    if let old { keep(old, of: node, until: end) }
    replaceValue(of: node, old: nil, new: new)
    self[node].flags.remove(.assigned)
  }

  /// Forgets the reads of former runs, because the newest run has made its own.
  ///
  /// If that run has had no success, the node keeps using what the last successful run has read.
  mutating func endFormerReads(of node: NodeID, isSuccess: Bool) {
    if isSuccess { self[node].flags.formUnion(.succeeded) }
    let hasSucceeded = self[node].flags.contains(.succeeded)
    for index in (self[node].reads.count..<self[node].dependencies.count).reversed() {
      let edge = self[node].dependencies[index]
      if !hasSucceeded, edge.isOfSuccess, edge.node != .none {
        self[node].dependencies[index].becomeKept()
        if !edge.canUse, self[node].uses > 0 { beginUse(of: edge.node) }
        continue
      }
      swapDependencies(index, self[node].dependencies.count - 1, of: node)
      removeLastDependency(of: node)
      if edge.node != .none, edge.canUse, self[node].uses > 0 { endUse(of: edge.node) }
    }
  }

  /// Makes the reads of former runs dependencies again, because the newest run ends without a result of its own.
  ///
  /// Returns whether one of them may have changed, so that the caller calls `change`.
  mutating func restoreFormerReads(of node: NodeID) -> Bool {
    var hasChanged = false
    for index in self[node].reads.count..<self[node].dependencies.count {
      let read = self[node].dependencies[index].node
      // Nothing depends on an atom that is gone, and the last result did not depend on what is only kept.
      if read == .none || self[node].dependencies[index].isKept { continue }
      if addRead(of: read, self[read].version, by: node) { hasChanged = true }
    }
    return hasChanged
  }
}
