import ActorStore

/// The values and nodes that only pins see, because a later revision has ended them.
struct FormerValues<Value: Sendable>: Sendable {
  /// The former values of nodes, oldest first.
  private var histories: [NodeID: [OldVersion<Value>]] = [:]
  /// The ends of values and nodes, in the order of the revisions that ended them.
  private var ends = Fifo<End>()
  /// The number of ends that triggers the removal of the ends of released values.
  private var endLimit = 64

  private struct End: Hashable, Sendable {
    let node: NodeID
    let revision: Revision
    /// Whether the atom was removed at that revision.
    ///
    /// Former values of the node can end earlier. Their ends must not release the node.
    var isRemoval = false
  }

  /// The values and nodes that no pin sees anymore, which the caller releases without the lock.
  struct Unseen: Sendable {
    var values: [Value] = []
    var nodes: [NodeID] = []
  }

  /// The number of ends, some of which can belong to released values.
  var count: Int { ends.count }

  /// The value of a node that a revision sees, if it is a former one.
  func value(of node: NodeID, at revision: Revision) -> OldVersion<Value>? {
    if histories.isEmpty { return nil }
    return histories[node]?.last { $0.stamp.validFrom <= revision && revision < $0.end }
  }

  /// Keeps a value, and releases those of the same node that no pin sees anymore.
  mutating func keep(_ old: OldVersion<Value>, of node: NodeID, for pins: Pins, into unseen: inout [Value]) {
    trim(node, for: pins, into: &unseen)
    histories[node, default: []].append(old)
    append(End(node: node, revision: old.end))
  }

  /// Keeps a removed node until no pin sees a revision before its end.
  mutating func keepRemoved(_ node: NodeID, until end: Revision) {
    append(End(node: node, revision: end, isRemoval: true))
  }

  /// Takes everything that ended before the oldest pin.
  mutating func takeUnseen(by pins: Pins) -> Unseen {
    var unseen = Unseen()
    let oldest = pins.oldest ?? .never
    while let first = ends.first, first.revision <= oldest {
      _ = ends.popFirst()
      if first.isRemoval {
        if let history = histories.removeValue(forKey: first.node) { unseen.values += history.map(\.value) }
        unseen.nodes.append(first.node)
      } else {
        trim(first.node, for: pins, into: &unseen.values)
      }
    }
    return unseen
  }

  private mutating func trim(_ node: NodeID, for pins: Pins, into unseen: inout [Value]) {
    guard var history = histories[node] else { return }
    history.removeAll { old in
      if pins.see(from: old.stamp.validFrom, before: old.end) { return false }
      unseen.append(old.value)
      return true
    }
    histories[node] = history.isEmpty ? nil : history
  }

  private mutating func append(_ end: End) {
    if ends.count >= endLimit { removeObsoleteEnds() }
    ends.append(end)
  }

  /// Removes the ends of values that `trim` has released.
  ///
  /// Without this, a long pin would collect an end for each short pin that sees a change. The next call follows only
  /// after at least as many new ends as this call keeps.
  private mutating func removeObsoleteEnds() {
    var current = Fifo<End>()
    while let end = ends.popFirst() {
      if end.isRemoval || histories[end.node]?.contains(where: { $0.end == end.revision }) == true {
        current.append(end)
      }
    }
    ends = current
    endLimit = max(64, 2 * current.count)
  }
}

extension FormerValues.Unseen: Equatable, Hashable where Value: Hashable {}
extension FormerValues: Equatable, Hashable where Value: Hashable {}
