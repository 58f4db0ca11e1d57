/// The values and nodes that only pins see, because a later revision has ended them.
///
/// The newest pin that sees an item holds it. When that pin ends, the next older pin takes over what it sees. So an
/// item is released as soon as no pin sees it. Ending a pin visits the items that it releases and few others, because
/// the rest is merged with the items of the next older pin.
struct FormerValues<Value: Sendable>: Sendable {
  /// The former values of each node, in the order of their revisions.
  private var histories: [NodeID: BlockList<OldVersion<Value>>] = [:]
  /// What each pinned revision holds, the newest items first.
  private var holdings: [Revision: MergeableHeap<Holding>] = [:]

  /// A former value, or a removed node.
  private struct Holding: Hashable, Comparable, Sendable {
    let node: NodeID
    let isRemoval: Bool
    /// The first revision that sees the item.
    let start: Revision

    static func < (one: Holding, other: Holding) -> Bool { one.start < other.start }
  }

  /// The values and nodes that no pin sees anymore, which the caller releases without the lock.
  struct Unseen: Sendable {
    var values: [Value] = []
    var nodes: [NodeID] = []

    var isEmpty: Bool { values.isEmpty && nodes.isEmpty }
  }

  /// The number of former values and removed nodes.
  private(set) var count = 0

  /// The value of a node that a revision sees, if it is a former one: O(log former values of the node).
  func value(of node: NodeID, at revision: Revision) -> OldVersion<Value>? {
    if histories.isEmpty { return nil }
    guard let history = histories[node], let index = history.firstIndex(where: { $0.end > revision }) else {
      return nil
    }
    let old = history[index]
    return old.stamp.validFrom <= revision ? old : nil
  }

  /// Keeps a value that a pin sees.
  mutating func keep(_ old: OldVersion<Value>, of node: NodeID, for pins: Pins) {
    guard let pin = pins.newest(before: old.end) else {
      preconditionFailure("Atoms: a value that no pin sees was kept. This is a bug in Atoms.")
    }
    histories[node, default: BlockList()].append(old)
    hold(Holding(node: node, isRemoval: false, start: old.stamp.validFrom), at: pin)
  }

  /// Keeps a removed node that a pin sees.
  mutating func keepRemoved(_ node: NodeID, until end: Revision, for pins: Pins) {
    guard let pin = pins.newest(before: end) else {
      preconditionFailure("Atoms: an atom that no pin sees was kept. This is a bug in Atoms.")
    }
    // All older pins see the node, too.
    hold(Holding(node: node, isRemoval: true, start: 0), at: pin)
  }

  private mutating func hold(_ item: Holding, at pin: Revision) {
    holdings[pin, default: MergeableHeap()].insert(item)
    count += 1
  }

  /// Ends a pin, and returns the items that no other pin sees.
  ///
  /// This takes one search in the pins, and two for each of these items: in the items of the pin, and in the history of
  /// the node.
  ///
  /// - Parameters:
  ///   - revision: The revision, which is no longer pinned.
  ///   - pins: The other pins.
  mutating func unpin(_ revision: Revision, for pins: Pins) -> Unseen {
    var unseen = Unseen()
    guard var held = holdings.removeValue(forKey: revision) else { return unseen }
    if let older = pins.newest(before: revision) {
      while let item = held.greatest, item.start > older {
        held.removeGreatest()
        release(item, seenAt: revision, to: &unseen)
      }
      if !held.isEmpty { holdings[older, default: MergeableHeap()].merge(consume held) }
    } else {
      for item in held.elements { release(item, seenAt: revision, to: &unseen) }
    }
    count -= unseen.values.count + unseen.nodes.count
    return unseen
  }

  private mutating func release(_ item: Holding, seenAt revision: Revision, to unseen: inout Unseen) {
    if item.isRemoval { return unseen.nodes.append(item.node) }
    guard let index = histories[item.node]?.firstIndex(where: { $0.end > revision }),
      let old = histories[item.node]?[index]
    else { preconditionFailure("Atoms: a former value is missing. This is a bug in Atoms.") }
    histories[item.node]?.remove(at: index)
    if histories[item.node]?.isEmpty == true { histories[item.node] = nil }
    unseen.values.append(old.value)
  }
}

extension FormerValues.Unseen: Equatable, Hashable where Value: Hashable {}
extension FormerValues: Equatable, Hashable where Value: Hashable {}
