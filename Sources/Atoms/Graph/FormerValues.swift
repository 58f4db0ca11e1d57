import ActorStore

/// The values and nodes that only pins see, because a later revision has ended them.
///
/// The newest pin that sees an item holds it. When that pin ends, the next older pin that sees the item takes over. So
/// an item is released as soon as no pin sees it, and the end of a pin visits only the items that it holds.
struct FormerValues<Value: Sendable>: Sendable {
  /// The former values of each node, in the order of their revisions.
  private var histories: [NodeID: Fifo<OldVersion<Value>>] = [:]
  /// The removed nodes, with the revisions at which they were removed.
  private var removals: [NodeID: Revision] = [:]
  /// What each pinned revision holds.
  private var holdings: [Revision: Holdings] = [:]

  private struct Holdings: Hashable, Sendable {
    /// The nodes that have a former value at the revision.
    var valued: [NodeID] = []
    /// The nodes that were removed later.
    var removed: [NodeID] = []
  }

  /// The values and nodes that no pin sees anymore, which the caller releases without the lock.
  struct Unseen: Sendable {
    var values: [Value] = []
    var nodes: [NodeID] = []
  }

  /// The number of former values and removed nodes.
  private(set) var count = 0

  /// The value of a node that a revision sees, if it is a former one: O(log former values of the node).
  func value(of node: NodeID, at revision: Revision) -> OldVersion<Value>? {
    if histories.isEmpty { return nil }
    guard let history = histories[node], let index = history.firstIndex(endingAfter: revision) else { return nil }
    let old = history[index]
    return old.stamp.validFrom <= revision ? old : nil
  }

  /// Keeps a value that a pin sees.
  mutating func keep(_ old: OldVersion<Value>, of node: NodeID, for pins: Pins) {
    guard let pin = pins.newest(before: old.end) else {
      preconditionFailure("Atoms: a value that no pin sees was kept. This is a bug in Atoms.")
    }
    histories[node, default: Fifo()].append(old)
    holdings[pin, default: Holdings()].valued.append(node)
    count += 1
  }

  /// Keeps a removed node that a pin sees.
  mutating func keepRemoved(_ node: NodeID, until end: Revision, for pins: Pins) {
    guard let pin = pins.newest(before: end) else {
      preconditionFailure("Atoms: an atom that no pin sees was kept. This is a bug in Atoms.")
    }
    removals[node] = end
    holdings[pin, default: Holdings()].removed.append(node)
    count += 1
  }

  /// Takes the holdings of a revision that is no longer pinned.
  ///
  /// This takes one search in the pins, and for each held value, a search in the history of its node.
  ///
  /// - Parameters:
  ///   - revision: The revision.
  ///   - pins: The other pins.
  mutating func unpin(_ revision: Revision, for pins: Pins) -> Unseen {
    var unseen = Unseen()
    if holdings.isEmpty { return unseen }
    guard let held = holdings.removeValue(forKey: revision) else { return unseen }
    let older = pins.newest(before: revision)
    for node in held.valued {
      guard let index = histories[node]?.firstIndex(endingAfter: revision), let old = histories[node]?[index] else {
        continue
      }
      if let older, older >= old.stamp.validFrom {
        holdings[older, default: Holdings()].valued.append(node)
      } else {
        histories[node]?.remove(at: index)
        if histories[node]?.isEmpty == true { histories[node] = nil }
        unseen.values.append(old.value)
      }
    }
    for node in held.removed {
      if let older {
        holdings[older, default: Holdings()].removed.append(node)
      } else {
        removals[node] = nil
        unseen.nodes.append(node)
      }
    }
    count -= unseen.values.count + unseen.nodes.count
    return unseen
  }
}

extension Fifo {
  /// The index of the first former value that was still valid after a revision: O(log values).
  fileprivate func firstIndex<Value>(endingAfter revision: Revision) -> Int? where Element == OldVersion<Value> {
    let index = firstIndex { $0.end > revision }
    return index < count ? index : nil
  }
}

extension FormerValues.Unseen: Equatable, Hashable where Value: Hashable {}
extension FormerValues: Equatable, Hashable where Value: Hashable {}
