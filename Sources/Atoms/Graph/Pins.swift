/// The revisions at which evaluations run.
struct Pins: Hashable, Sendable {
  private struct Pin: Hashable, Sendable {
    let revision: Revision
    var count: Int
  }

  /// In ascending order.
  ///
  /// Usually, there is at most one for each thread. A callback that sets atoms pins each of its revisions, and so does
  /// each run that reads.
  private var all = BlockList<Pin>()

  var isEmpty: Bool { count == 0 }
  private(set) var count = 0
  var oldest: Revision? { all.first?.revision }

  /// Adds a pin at a revision that is already pinned, or at least as new as all pinned ones: O(log pins).
  mutating func add(_ revision: Revision) {
    count += 1
    if let last = all.last, last.revision >= revision, let index = all.firstIndex(where: { $0.revision >= revision }) {
      all[index].count += 1
    } else {
      all.append(Pin(revision: revision, count: 1))
    }
  }

  /// Removes a pin, and returns whether it was the last one of its revision: O(log pins).
  mutating func remove(_ revision: Revision) -> Bool {
    // Usually, it is the newest pin.
    if let last = all.last, last.revision == revision, last.count == 1 {
      count -= 1
      all.removeLast()
      return true
    }
    guard let index = all.firstIndex(where: { $0.revision >= revision }), all[index].revision == revision else {
      preconditionFailure("Atoms: an evaluation ended twice. This is a bug in Atoms.")
    }
    count -= 1
    if all[index].count == 1 {
      all.remove(at: index)
      return true
    }
    all[index].count -= 1
    return false
  }

  /// Whether a pin sees a value that has been valid since a revision and ends now.
  @inline(__always)  // HP13
  func see(from revision: Revision) -> Bool {
    if count == 0 { return false }
    guard let last = all.last else { return false }
    return last.revision >= revision
  }

  /// Whether a pin sees a value that was valid in a range of revisions: O(log pins).
  func see(from revision: Revision, before end: Revision) -> Bool {
    newest(before: end).map { $0 >= revision } ?? false
  }

  /// The newest pinned revision before another revision: O(log pins).
  func newest(before revision: Revision) -> Revision? {
    if let last = all.last, last.revision < revision { return last.revision }
    return all.last { $0.revision >= revision }?.revision
  }
}
