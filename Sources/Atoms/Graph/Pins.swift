import ActorStore

/// The revisions at which evaluations run.
struct Pins: Hashable, Sendable {
  private struct Pin: Hashable, Sendable {
    let revision: Revision
    var count: Int
  }

  /// In ascending order.
  ///
  /// Usually, there is at most one for each thread. A callback that sets atoms pins each of its revisions.
  private var all = Fifo<Pin>()

  var isEmpty: Bool { all.isEmpty }
  private(set) var count = 0
  var oldest: Revision? { all.first?.revision }

  /// Adds a pin at a revision that is already pinned, or at least as new as all pinned ones.
  mutating func add(_ revision: Revision) {
    count += 1
    let index = index(of: revision)
    if index < all.count { all[index].count += 1 } else { all.append(Pin(revision: revision, count: 1)) }
  }

  /// Removes a pin, and returns whether it was the last one of its revision: O(log pins), but O(newer pins) if it was
  /// the last one and an older revision is pinned.
  mutating func remove(_ revision: Revision) -> Bool {
    let index = index(of: revision)
    guard index < all.count, all[index].revision == revision else {
      preconditionFailure("Atoms: an evaluation ended twice. This is a bug in Atoms.")
    }
    count -= 1
    all[index].count -= 1
    if all[index].count > 0 { return false }
    all.remove(at: index)
    return true
  }

  /// Whether a pin sees a value that has been valid since a revision and ends now.
  @inline(__always)  // HP13
  func see(from revision: Revision) -> Bool {
    guard let last = all.last else { return false }
    return last.revision >= revision
  }

  /// Whether a pin sees a value that was valid in a range of revisions.
  func see(from revision: Revision, before end: Revision) -> Bool {
    let index = index(of: revision)
    return index < all.count && all[index].revision < end
  }

  /// The newest pinned revision before another revision.
  func newest(before revision: Revision) -> Revision? {
    if let last = all.last, last.revision < revision { return last.revision }
    let index = index(of: revision)
    return index == 0 ? nil : all[index - 1].revision
  }

  /// The index of the first pin at a revision or after it.
  private func index(of revision: Revision) -> Int {
    if let last = all.last, last.revision < revision { return all.count }
    return all.firstIndex { $0.revision >= revision }
  }
}
