/// The bookkeeping of one atom in one store, without its value.
///
/// A value is valid for a revision `r` if `validFrom <= r < dirtyAt`. A source is never dirty; each change gives it a
/// new version.
struct NodeRecord: Hashable, Sendable {
  struct Flags: OptionSet, Hashable, Sendable {
    let rawValue: UInt16

    /// The value is set, not computed.
    static let source = Flags(rawValue: 1)
    /// A dependent may be clean.
    ///
    /// Without this flag, a change does not need to visit the dependents.
    static let cleanDependents = Flags(rawValue: 2)
    /// The node has watchers.
    static let watched = Flags(rawValue: 4)
    /// The open delivery round checks the node.
    static let queued = Flags(rawValue: 8)
    /// The atom is gone.
    ///
    /// The record remains while a pin may see it.
    static let removed = Flags(rawValue: 16)
    /// The number is free.
    static let vacant = Flags(rawValue: 32)
    /// The source was set since it had its default value.
    static let assigned = Flags(rawValue: 64)
    /// A family makes the atom, and the graph does not hold it.
    static let unheld = Flags(rawValue: 128)
    /// A run reads other nodes, and sets the value.
    static let run = Flags(rawValue: 256)
    /// A countdown begins when the last use of the node ends.
    static let timed = Flags(rawValue: 512)
    /// The newest run has had a success.
    static let succeeded = Flags(rawValue: 1024)
    /// The node stands for a setter that runs again when a dependency changes.
    static let setter = Flags(rawValue: 2048)
    /// The next revision checks the node.
    static let checkedNext = Flags(rawValue: 4096)
  }

  /// The version of the value, or 0 if there is no value.
  var version: Version = 0
  var validFrom: Revision = 0
  /// The first revision at which a derived value may differ.
  var dirtyAt: Revision = .never
  /// The evaluation that computes the value and will publish it.
  var claim = EvaluationID.none
  /// The number of times that the dependencies were replaced, which can overflow.
  var edition: UInt32 = 0
  var flags: Flags
  /// The number of wrappers, groups of watchers, and edges from nodes in use.
  var uses: Int32 = 0
  var dependencies = EdgeList<Dependency>()
  var dependents = EdgeList<Dependent>()

  init(_ flags: Flags) { self.flags = flags }

  var isSource: Bool { flags.contains(.source) }
  var isWatched: Bool { flags.contains(.watched) }
  var isRemoved: Bool { flags.contains(.removed) }
  var stamp: ValueStamp { ValueStamp(version: version, validFrom: validFrom) }
  var validity: Validity { Validity(version: version, validFrom: validFrom, dirtyAt: dirtyAt) }

  /// The indices of the dependencies that count: O(log dependencies).
  ///
  /// Those of former runs follow them.
  @inline(__always)  // HP19
  var reads: Range<Int> {
    guard let last = dependencies.last, last.isFormer else { return dependencies.indices }
    return 0..<dependencies.indices.partitioningIndex { dependencies[$0].isFormer }
  }

  /// The place of the dependency at an index, in the current edition.
  @inline(__always)  // HP23
  func place(of index: Int) -> DependencyPlace {
    DependencyPlace(index: Int32(truncatingIfNeeded: index), edition: edition)
  }

  /// The index of the dependency at a place, or 0 if the dependencies have been replaced since.
  @inline(__always)  // HP23
  func index(of place: DependencyPlace) -> Int { place.edition == edition ? Int(place.index) : 0 }

  /// Gives a source a value of a version from a revision on.
  @inline(__always)  // HP19
  mutating func set(version: Version, at revision: Revision) {
    (self.version, validFrom) = (version, revision)
    flags.formUnion(.assigned)
  }

  /// Publishes a computed value, and updates the dependencies.
  ///
  /// Returns `false` if the caller must replace the dependencies.
  @inline(__always)  // HP19
  mutating func publish<Value>(
    version: Version?, validFrom: Revision, _ tracked: Stack<EvaluationStateMachine<Value>.Tracked>,
    from start: Int
  ) -> Bool {
    if let version { self.version = version }
    claim = .none
    edition &+= 1
    self.validFrom = validFrom
    return updateDependencies(tracked, from: start)
  }

  /// Forgets the value as of a revision.
  @inline(__always)  // HP24
  mutating func drop(at revision: Revision) {
    edition &+= 1
    flags.subtract([.succeeded, .assigned])
    version = 0
    // A node with runs is loading from now on. It may have had results at earlier revisions.
    validFrom = flags.contains(.run) ? revision : 0
    dirtyAt = .never
  }

  /// Makes a clean value invalid from a revision on, and returns the flags, or `nil` if it was already dirty.
  @inline(__always)  // HP19
  mutating func makeDirty(at revision: Revision) -> Flags? {
    if dirtyAt != .never { return nil }
    dirtyAt = revision
    return flags
  }

  /// Whether the newest value is valid at a revision.
  @inline(__always)  // HP13
  func isValid(at revision: Revision) -> Bool { validity.isValid(at: revision) }

  /// Whether an evaluation at a revision only needs to compare the versions of the dependencies.
  ///
  /// If one of them has changed, or if there is no value, the evaluation can claim the node and publish the new value.
  /// Otherwise, it can make the value valid again.
  @inline(__always)  // HP23
  func canCompareOnly(at revision: Revision) -> Bool {
    validFrom <= revision && claim == .none && flags.isDisjoint(with: [.run, .removed])
  }

  /// The properties that decide whether the value is usable, which the caller gets with one search for the record.
  @inline(__always)  // HP19
  var status: (validity: Validity, claim: EvaluationID, flags: Flags) { (validity, claim, flags) }

  /// Updates the versions of the dependencies, if the node has read the same nodes in the same order as before.
  @inline(__always)  // HP23
  private mutating func updateDependencies<Value>(
    _ tracked: Stack<EvaluationStateMachine<Value>.Tracked>, from start: Int
  ) -> Bool {
    let count = tracked.count - start
    if dependencies.count != count { return false }
    for index in 0..<count where dependencies[index].node != tracked[start + index].node { return false }
    if count == 0 { return true }
    // The loop over the other dependencies is out of line. Here, the compiler would make their array unique even if
    // there are none.
    dependencies[0].version = tracked[start].version
    if count > 1 { updateFurtherDependencies(tracked, from: start) }
    return true
  }
}

extension NodeRecord {
  @inline(never)  // HP19
  private mutating func updateFurtherDependencies<Value>(
    _ tracked: Stack<EvaluationStateMachine<Value>.Tracked>, from start: Int
  ) {
    for index in 1..<(tracked.count - start) { dependencies[index].version = tracked[start + index].version }
  }
}

/// The index of a dependency, which is invalid after the node's dependencies are replaced.
struct DependencyPlace: Hashable, Sendable {
  var index: Int32 = 0
  /// The edition of the dependencies that `index` belongs to.
  var edition: UInt32 = 0
}

/// The version of a node's value, and the revisions for which it is valid.
struct Validity: Hashable, Sendable {
  let version: Version
  let validFrom: Revision
  let dirtyAt: Revision

  @inline(__always)  // HP19
  func isValid(at revision: Revision) -> Bool { version != 0 && validFrom <= revision && revision < dirtyAt }
}

/// A former value of a source, which a pin can still see.
struct OldVersion<Value: Sendable>: Sendable {
  let stamp: ValueStamp
  /// The revision that replaced the value.
  let end: Revision
  let value: Value
}

extension OldVersion: Equatable, Hashable where Value: Hashable {}
