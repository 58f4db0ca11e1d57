/// The revisions at which evaluations and runs read.
///
/// Usually, there is at most one pin for each thread. A callback that sets atoms pins each of its revisions, and so
/// does each run that reads.
struct Pins: Hashable, Sendable {
  private struct Pin: Hashable, Sendable {
    let revision: Revision
    var count: Int
  }

  /// The pin at the newest pinned revision, which is usually the only pin.
  private var newest: Pin?
  /// The other pins, in ascending order.
  private var older = BlockList<Pin>()

  var isEmpty: Bool { newest == nil }
  private(set) var count = 0
  var oldest: Revision? { older.first?.revision ?? newest?.revision }

  /// Adds a pin at a revision that is already pinned, or at least as new as all pinned ones: O(log pins).
  @inline(__always)  // HP24
  mutating func add(_ revision: Revision) {
    count += 1
    if let newest { return add(revision, beside: newest) }
    newest = Pin(revision: revision, count: 1)
  }

  @inline(never)  // HP24
  private mutating func add(_ revision: Revision, beside last: Pin) {
    if last.revision < revision {
      older.append(last)
      newest = Pin(revision: revision, count: 1)
    } else if last.revision == revision {
      newest = Pin(revision: revision, count: last.count + 1)
    } else {
      older[indexOfOlder(revision)].count += 1
    }
  }

  /// Removes a pin, and returns whether it was the last one of its revision: O(log pins).
  @inline(__always)  // HP24
  mutating func remove(_ revision: Revision) -> Bool {
    guard count == 1, newest?.revision == revision else { return removeOneOfSeveral(revision) }
    count = 0
    newest = nil
    return true
  }

  @inline(never)  // HP24
  private mutating func removeOneOfSeveral(_ revision: Revision) -> Bool {
    count -= 1
    guard let last = newest, last.revision == revision else { return removeOlder(revision) }
    if last.count > 1 {
      newest = Pin(revision: revision, count: last.count - 1)
      return false
    }
    newest = older.last
    if newest != nil { older.removeLast() }
    return true
  }

  private mutating func removeOlder(_ revision: Revision) -> Bool {
    let index = indexOfOlder(revision)
    if older[index].count == 1 {
      older.remove(at: index)
      return true
    }
    older[index].count -= 1
    return false
  }

  private func indexOfOlder(_ revision: Revision) -> BlockList<Pin>.Index {
    guard let index = older.firstIndex(where: { $0.revision >= revision }), older[index].revision == revision else {
      preconditionFailure("Atoms: a revision is not pinned. This is a bug in Atoms.")
    }
    return index
  }

  /// Whether a pin sees a value that has been valid since a revision and ends now.
  @inline(__always)  // HP13
  func see(from revision: Revision) -> Bool {
    newest.map { $0.revision >= revision } ?? false
  }

  /// Whether a pin sees a value that was valid in a range of revisions: O(log pins).
  func see(from revision: Revision, before end: Revision) -> Bool {
    newest(before: end).map { $0 >= revision } ?? false
  }

  /// The newest pinned revision before another revision: O(log pins).
  func newest(before revision: Revision) -> Revision? {
    if let newest, newest.revision < revision { return newest.revision }
    return older.last { $0.revision >= revision }?.revision
  }
}
