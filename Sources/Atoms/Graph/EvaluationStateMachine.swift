/// One read of a value that may have to be computed, or one transaction: the view of one thread at one revision.
///
/// It sees the store at its revision, whatever other threads set meanwhile. It never waits for another evaluation. If
/// another evaluation computes a node, this one computes the node too, and keeps the result to itself.
struct EvaluationStateMachine<Value: Sendable>: Sendable {
  /// What the setter of a `GetSetAtom` has read and written.
  struct Recording: Hashable, Sendable {
    /// What it has read since `inputs` was brought up to date.
    var newReads: [NodeID] = []
    /// What it has read before.
    var reads: Set<NodeID> = []
    /// What each derived value beneath the reads was computed from, whenever the setter has read it.
    var inputs: [NodeID: Set<NodeID>] = [:]
    fileprivate(set) var writes: Set<NodeID> = []
    /// What it has written, including what a nested transaction has undone.
    fileprivate(set) var allWrites: Set<NodeID> = []

    fileprivate mutating func noteWrite(_ node: NodeID) {
      writes.insert(node)
      allWrites.insert(node)
    }
  }

  let id: EvaluationID
  private(set) var revision: Revision
  let isTransaction: Bool
  /// The innermost derivation that runs, or `Frame.none`.
  private(set) var frame = Frame.none
  /// The derivations around it, the innermost last.
  private var outerFrames = Stack<Frame>()
  private(set) var tracked = Stack<Tracked>()
  var visits = Stack<Visit>()
  private var privateFrames = 0
  /// Whether the stack has no room for many nested derivations.
  var isDeep = false
  /// The nodes whose dependencies are brought up to date ahead of their closures.
  var ahead: Set<NodeID> = []

  /// The values that it has written or computed for itself.
  private(set) var own: [NodeID: Own] = [:]
  private(set) var hasOwn = false

  /// The sources that a transaction has written.
  private(set) var written: [NodeID] = []
  private(set) var hasWritten = false
  /// The number of writes, after each of which derived values must be verified again.
  private var writeCount = 0
  /// The derived nodes whose value a transaction that has written may use.
  ///
  /// Marks do not decide this, because the edges of a claimed node belong to another revision. A value is usable if it
  /// was computed from the versions that the transaction sees.
  private var verified: [NodeID: Verified] = [:]
  /// Everything that a transaction has read from the store.
  private(set) var reads: [Tracked] = []
  /// What was read outside derivations, or `nil` if this is not recorded.
  var topReads: [NodeID]?
  /// The setters that run, the innermost last.
  var recordings: [Recording] = []
  /// Whether writes are noted for the setters that they concern.
  var tracksWrites = false
  /// What was written, or undone, since `takeNewWrites`.
  private var newWrites: Set<NodeID> = []
  /// What nested transactions have replaced, in order.
  private var replaced: [Replaced] = []
  private var nesting = 0

  private struct Verified: Hashable, Sendable {
    let version: Version
    let writeCount: Int
  }

  fileprivate struct Replaced: Sendable {
    let node: NodeID
    let former: Own?
  }

  init(_ id: EvaluationID, at revision: Revision, isTransaction: Bool) {
    self.id = id
    self.revision = revision
    self.isTransaction = isTransaction
  }

  // MARK: Reuse

  /// Whether it can be restarted after it ends, and does not hold the excess memory of a long chain.
  var isReusable: Bool {
    !isTransaction && !hasOwn && topReads == nil && visits.capacity <= Self.maxReusableCapacity
      && tracked.capacity <= Self.maxReusableCapacity && outerFrames.capacity <= Self.maxReusableCapacity
  }

  private static var maxReusableCapacity: Int { 256 }

  /// Restarts, and reuses its number and the memory of its stacks.
  mutating func restart(at revision: Revision) { self.revision = revision }

  /// The derivations that run, the innermost last: O(derivations).
  var frames: [Frame] { isDeriving ? outerFrames + [frame] : [] }

  /// Whether it sees only values in the store, and brings no dependencies up to date ahead of closures.
  @inline(__always)  // HP23
  var seesOnlyStore: Bool { !hasOwn && privateFrames == 0 && !isDeep && ahead.isEmpty }

  /// Whether a derivation runs.
  @inline(__always)  // HP19
  var isDeriving: Bool { frame.node != .none }

  // MARK: Reading

  /// Whether the running derivation has already read a node.
  ///
  /// Searches only its first reads, so the cost does not depend on the number of reads. After further reads, asks a
  /// closure, which gets the number of the derivation and returns whether it was asked about the node before.
  ///
  /// It is `mutating` only to keep the compiler from copying the struct.
  @inline(__always)  // HP20
  mutating func repetition(of node: NodeID, _ ask: (UInt64) -> Repetition) -> Repetition {
    if !isDeriving { return .first }
    let end = min(tracked.count, frame.start + Self.searchedReadCount)
    for index in frame.start..<end where tracked[index].node == node { return .repeated }
    return end - frame.start < Self.searchedReadCount ? .first : ask(frame.run)
  }

  private static var searchedReadCount: Int { 8 }

  /// Records a read of the running derivation or transaction.
  @inline(__always)  // HP13
  mutating func track(_ node: NodeID, _ stamp: ValueStamp, isSource: Bool, _ repetition: Repetition = .first) {
    if isTransaction {
      noteRead(node, stamp.version, isSource: isSource)
      if !isDeriving, !recordings.isEmpty { recordings[recordings.count - 1].newReads.append(node) }
    }
    if !isDeriving {
      topReads?.append(node)
      return
    }
    if repetition == .repeated { return }
    if repetition == .unknown { frame.mayRepeat = true }
    tracked.append(Tracked(node: node, version: stamp.version))
    if stamp.validFrom > frame.validFrom { frame.validFrom = stamp.validFrom }
  }

  /// Notes a read that does not become a dependency.
  ///
  /// The result is not valid at revisions before that of the value.
  mutating func capture(_ node: NodeID, _ stamp: ValueStamp, isSource: Bool) {
    if isTransaction { noteRead(node, stamp.version, isSource: isSource) }
    if !isDeriving {
      topReads?.append(node)
      return
    }
    frame.validFrom = max(frame.validFrom, stamp.validFrom)
  }

  /// Removes all but the first read of each node by the running derivation.
  @inline(__always)  // HP23
  mutating func removeRepeatedReads() {
    if frame.mayRepeat { removeRepeatedReads(from: frame.start) }
  }

  private mutating func removeRepeatedReads(from start: Int) {
    var known: Set<NodeID> = []
    let reads = tracked[start...].filter { known.insert($0.node).inserted }
    tracked.removeAll(from: start)
    for read in reads { tracked.append(read) }
  }

  /// Notes what a transaction relies on.
  ///
  /// A value that it has computed relies on sources that are also noted.
  mutating func noteRead(_ node: NodeID, _ version: Version, isSource: Bool) {
    if hasWritten, !isSource { return }
    if own[node] == nil { reads.append(Tracked(node: node, version: version)) }
  }

  func isVerified(_ node: NodeID, _ version: Version) -> Bool {
    version != 0 && verified[node] == Verified(version: version, writeCount: writeCount)
  }

  mutating func verify(_ node: NodeID, _ version: Version) {
    verified[node] = Verified(version: version, writeCount: writeCount)
  }

  // MARK: Setters

  /// Whether there are writes for which no setters were checked.
  @inline(__always)  // HP13
  var hasNewWrites: Bool { tracksWrites && !newWrites.isEmpty }

  mutating func takeNewWrites() -> Set<NodeID> {
    defer { newWrites = [] }
    return newWrites
  }

  /// Notes that a transaction relies on what another evaluation at its revision has read.
  mutating func rely(on others: [Tracked]) { reads += others }

  /// Begins to record what a setter reads and writes.
  mutating func record() { recordings.append(Recording()) }

  /// Ends the recording of the innermost setter.
  ///
  /// Its writes are also writes of the setter around it.
  mutating func endRecording() -> Recording {
    let last = recordings.removeLast()
    if let outer = recordings.indices.last {
      recordings[outer].writes.formUnion(last.writes)
      recordings[outer].allWrites.formUnion(last.allWrites)
    }
    return last
  }

  // MARK: Computing

  @inline(__always)  // HP24
  mutating func push(_ node: NodeID, isPrivate: Bool, run: UInt64) {
    if isPrivate { privateFrames += 1 }
    if isDeriving { pushFrame() }
    frame = Frame(node: node, isPrivate: isPrivate, run: run, start: tracked.count, visits: visits.count)
  }

  @inline(never)  // HP24
  private mutating func pushFrame() { outerFrames.append(frame) }

  @inline(__always)  // HP24
  mutating func pop() {
    if frame.isPrivate { privateFrames -= 1 }
    tracked.removeAll(from: frame.start)
    if outerFrames.isEmpty { frame = .none } else { popFrame() }
  }

  @inline(never)  // HP24
  private mutating func popFrame() { frame = outerFrames.popLast() ?? .none }

  /// Whether a derivation of a node runs that has no claim.
  func isComputedPrivately(_ node: NodeID) -> Bool { privateFrames > 0 && isComputed { $0 == node } }

  /// Whether a derivation runs whose node meets a condition: O(derivations).
  func isComputed(_ condition: (NodeID) -> Bool) -> Bool {
    isDeriving && (condition(frame.node) || outerFrames.contains { condition($0.node) })
  }

  /// Keeps the result of a derivation that has ended, and returns what it no longer needs, as `write` does.
  mutating func keep(_ value: Value, _ stamp: ValueStamp, for node: NodeID, _ dependencies: [Tracked]) -> Own? {
    hasOwn = true
    if hasWritten { verify(node, stamp.version) }
    return own.updateValue(Own(stamp: stamp, value: value, dependencies: dependencies), forKey: node)
  }

  // MARK: Writing

  /// Records a value that a transaction sets.
  ///
  /// Returns what it no longer needs, which the caller releases afterward, because the release of a value may read
  /// atoms.
  mutating func write(_ value: Value, version: Version, to node: NodeID, isDefault: Bool = false) -> Own? {
    let stamp = ValueStamp(version: version, validFrom: revision)
    let new = Own(stamp: stamp, value: value, isWritten: true, isDefault: isDefault)
    let former = own.updateValue(new, forKey: node)
    if former == nil { written.append(node) }
    if tracksWrites { newWrites.insert(node) }
    if nesting > 0 { replaced.append(Replaced(node: node, former: former)) }
    if !recordings.isEmpty { recordings[recordings.count - 1].noteWrite(node) }
    hasOwn = true
    hasWritten = true
    writeCount += 1
    return former
  }

  /// The state to which a nested transaction returns if it throws.
  struct Savepoint: Hashable, Sendable {
    fileprivate let replaced: Int
    fileprivate let newWrites: Set<NodeID>
    fileprivate let recordings: [Recording]
  }

  /// Begins a nested transaction.
  mutating func nest() -> Savepoint {
    nesting += 1
    return Savepoint(replaced: replaced.count, newWrites: newWrites, recordings: recordings)
  }

  /// Ends a nested transaction.
  ///
  /// - Parameter savepoint: The state to return to, or `nil` to keep what it has written.
  /// - Returns: What it no longer needs, as for `write`.
  mutating func unnest(undoingTo savepoint: Savepoint?) -> [Own] {
    var unused: [Own] = []
    if let savepoint {
      while replaced.count > savepoint.replaced {
        let last = replaced.removeLast()
        if let undone = own[last.node] { unused.append(undone) }
        own[last.node] = last.former
        if tracksWrites { newWrites.insert(last.node) }
        // Each write that adds a node is undone after the writes that follow it.
        if last.former == nil { written.removeLast() }
        writeCount += 1
      }
      newWrites.formUnion(savepoint.newWrites)
      for index in recordings.indices { recordings[index].writes = savepoint.recordings[index].writes }
    }
    nesting -= 1
    if nesting == 0 {
      unused += replaced.compactMap(\.former)
      replaced = []
    }
    return unused
  }
}

extension EvaluationStateMachine.Replaced: Equatable, Hashable where Value: Hashable {}
extension EvaluationStateMachine: Equatable, Hashable where Value: Hashable {}
