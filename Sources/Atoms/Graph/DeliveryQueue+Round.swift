extension DeliveryQueue {
  /// A new value of a watched source, for one watcher that starts with it, or for all watchers.
  struct Change: Sendable {
    let node: NodeID
    let value: Value
    var starting: Int?
  }

  /// A watcher of a derived node, which starts with the value at the revision of the round.
  struct Join: Hashable, Sendable {
    let node: NodeID
    let watcher: Int
  }

  struct Round: Sendable {
    /// The revision, which is pinned, or `nil` until the round begins at the newest one.
    var revision: Revision?
    var changes: [Change] = []
    /// The watched derived nodes that may have changed.
    var checks: [NodeID] = []
    var joins: [Join] = []
    /// The number of rounds that led to this one, each by a callback of the one before.
    var depth = 0

    @inline(__always)  // HP19
    var isEmpty: Bool { changes.isEmpty && needsNoRevision }
    /// Whether the values of the round do not depend on its revision.
    @inline(__always)  // HP19
    var needsNoRevision: Bool { checks.isEmpty && joins.isEmpty }
  }
}

extension DeliveryQueue.Round {
  /// Forgets the contents, all of whose changes have been taken, but keeps the memory of a few changes and checks.
  mutating func clear() {
    revision = nil
    depth = 0
    if changes.capacity > Self.maxKeptCount { changes = [] }
    if checks.capacity > Self.maxKeptCount { checks = [] }
    // This is faster than `removeAll` for the usual single check.
    while checks.popLast() != nil {}
    if !joins.isEmpty { joins = [] }
  }

  private static var maxKeptCount: Int { 64 }

  /// Resets the depth if the round is empty, so that a later change begins a new series.
  mutating func resetDepthIfEmpty() {
    if isEmpty { depth = 0 }
  }

  mutating func append(_ other: Self) {
    depth = max(depth, other.depth)
    changes += other.changes
    checks += other.checks
    joins += other.joins
  }

  /// Forgets a node, and returns its values.
  mutating func remove(_ node: NodeID) -> [Value] {
    let removed = changes.filter { $0.node == node }.map(\.value)
    if !removed.isEmpty { changes.removeAll { $0.node == node } }
    checks.removeAll { $0 == node }
    joins.removeAll { $0.node == node }
    return removed
  }
}

extension DeliveryQueue.Change: Equatable, Hashable where Value: Hashable {}
extension DeliveryQueue.Round: Equatable, Hashable where Value: Hashable {}
