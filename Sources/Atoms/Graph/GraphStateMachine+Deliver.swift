extension GraphStateMachine {
  typealias Deliveries = DeliveryQueue<Value>

  /// Checks a watched derived node in the next round.
  mutating func check(_ node: NodeID) {
    if !self[node].isWatched || self[node].flags.contains(.queued) { return }
    self[node].flags.formUnion(.queued)
    deliveries.add(check: node)
  }

  /// Checks a node again in the next round, because elements of its sequence remain.
  mutating func checkRest(of node: NodeID) {
    check(node)
    deliveries.postpone()
  }

  /// Queues changes of a node that gets its first watcher.
  ///
  /// All watchers of a node are one use.
  mutating func watch(_ node: NodeID) {
    if self[node].isWatched { return }
    self[node].flags.formUnion(.watched)
    beginUse(of: node)
  }

  /// Stops queueing changes of a watched node that has no watchers anymore.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - keepsValues: Whether the nodes that come out of use keep their values.
  /// - Returns: Values to release without the lock.
  mutating func unwatch(_ node: NodeID, keepsValues: Bool = false) -> [Value] {
    self[node].flags.subtract([.watched, .queued])
    let values = deliveries.remove(node)
    if keepsValues { endUseAndKeep(node) } else { endUse(of: node) }
    return values
  }

  /// Ends a change that the delivering thread made in a callback, or that another thread made while it delivers.
  mutating func endChange(isInCallback: Bool) {
    defer { marksMeetDirty = false }
    if !isInCallback { return deliveries.endOtherChange(at: revision) }
    if !deliveries.needsClosing(meetsDirty: marksMeetDirty) { return }
    pins.add(revision)
    for node in deliveries.close(at: revision, meetsDirty: marksMeetDirty) { self[node].flags.remove(.queued) }
  }

  /// Begins the next round, and returns the revision that it has pinned, or `nil` if there is none.
  mutating func beginRound() -> Revision? {
    marksMeetDirty = false
    if !deliveries.beginRound() { return nil }
    if let revision = deliveries.current.revision { return revision }
    for index in deliveries.current.checks.indices { self[deliveries.current.checks[index]].flags.remove(.queued) }
    pins.add(revision)
    return revision
  }

  /// Decides whether a watched derived node must be checked again after a round.
  ///
  /// A clean node whose value was delivered will be marked by a change. Any other node must be checked at the next
  /// revision, whatever is set, because the edge for a mark may not exist yet.
  mutating func delivered(_ node: NodeID, version: Version, at revision: Revision) {
    if !self[node].isWatched || self[node].isSource || has(.deliverOnce) { return }
    if self[node].dirtyAt == .never, self[node].version == version { return }
    if self.revision > revision {
      if !deliveries.checkAgain(node, after: revision) { check(node) }
    } else if self[node].flags.isDisjoint(with: [.queued, .checkedNext]) {
      self[node].flags.formUnion(.checkedNext)
      checkedNext.append(node)
    }
  }
}
