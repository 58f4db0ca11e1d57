import Synchronization

/// The version of a cell's value, and the revisions at which it is valid, for readers without the graph's lock.
///
/// Each stamp is a separate atomic, so a reader must check that the stamps it read belong together (see `Cell`).
struct ValueStamps: ~Copyable, Sendable {
  private let version = Atomic<Version>(0)
  private let validFrom = Atomic<Revision>(0)
  private let dirtyAt = Atomic<Revision>(0)

  /// The stamp of the value, or `nil` if the value is not valid at a revision.
  @inline(__always)  // HP20
  borrowing func stamp(at revision: Revision) -> ValueStamp? {
    let from = firstRevision
    if from > revision || isDirty(at: revision) { return nil }
    return ValueStamp(version: version.load(ordering: .relaxed), validFrom: from)
  }

  /// Whether the value is no longer valid at a revision.
  ///
  /// Either a dependency has changed, or the cell has no value for readers without the graph's lock.
  @inline(__always)  // HP13
  borrowing func isDirty(at revision: Revision) -> Bool { revision >= dirtyAt.load(ordering: .relaxed) }

  /// The revision from which the value is valid.
  var firstRevision: Revision {
    @inline(__always)  // HP20
    borrowing get { validFrom.load(ordering: .relaxed) }
  }

  // MARK: Writing, under the graph's lock

  @inline(__always)  // HP20
  borrowing func set(_ validity: Validity) {
    version.store(validity.version, ordering: .relaxed)
    validFrom.store(validity.validFrom, ordering: .relaxed)
    dirtyAt.store(validity.dirtyAt, ordering: .relaxed)
  }

  /// Makes the value invalid from a revision that is not visible yet.
  ///
  /// If the value is already invalid, its end stays, because nothing has verified the value since.
  @inline(__always)  // HP13
  borrowing func invalidate(at revision: Revision) {
    if dirtyAt.load(ordering: .relaxed) == .never { dirtyAt.store(revision, ordering: .relaxed) }
  }

  /// Makes the value invalid for readers without the graph's lock.
  borrowing func refuseReaders() { dirtyAt.store(0, ordering: .relaxed) }
}
