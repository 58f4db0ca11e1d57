/// The revisions at which evaluations run.
struct Pins: Hashable, Sendable {
  private struct Pin: Hashable, Sendable {
    let revision: Revision
    var count: Int
  }

  /// In ascending order.
  ///
  /// There is hardly ever more than one for each thread.
  private var all: [Pin] = []

  var isEmpty: Bool { all.isEmpty }
  var count: Int { all.reduce(0) { $0 + $1.count } }
  var oldest: Revision? { all.first?.revision }

  /// Adds a pin at a revision that is already pinned, or at least as new as all pinned ones.
  mutating func add(_ revision: Revision) {
    if let index = all.lastIndex(where: { $0.revision == revision }) {
      all[index].count += 1
    } else {
      all.append(Pin(revision: revision, count: 1))
    }
  }

  /// Removes a pin, and returns whether the oldest pinned revision changed.
  mutating func remove(_ revision: Revision) -> Bool {
    guard let index = all.firstIndex(where: { $0.revision == revision }) else {
      preconditionFailure("Atoms: an evaluation ended twice. This is a bug in Atoms.")
    }
    all[index].count -= 1
    if all[index].count > 0 { return false }
    all.remove(at: index)
    return index == 0
  }

  /// Whether a pin sees a value that has been valid since a revision and ends now.
  @inline(__always)  // HP13
  func see(from revision: Revision) -> Bool {
    guard let last = all.last else { return false }
    return last.revision >= revision
  }

  /// Whether a pin sees a value that was valid in a range of revisions.
  func see(from revision: Revision, before end: Revision) -> Bool {
    all.contains { revision <= $0.revision && $0.revision < end }
  }
}
