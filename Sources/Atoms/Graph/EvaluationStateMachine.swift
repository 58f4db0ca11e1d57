/// One read of a value that may have to be computed, or one transaction: the view of one thread at one revision.
///
/// It sees the store at its revision, whatever other threads set meanwhile. It never waits for another evaluation. If
/// another evaluation computes a node, this one computes the node too, and keeps the result to itself.
struct EvaluationStateMachine<Value: Sendable>: Sendable {
  /// A derivation that runs.
  struct Frame: Hashable, Sendable {
    let node: NodeID
    let isPrivate: Bool
    /// The index in `tracked` of its first read.
    let start: Int
    /// The index in `visits` of the first node that is visited because of it.
    let visits: Int
    /// The first revision at which everything it has read was valid.
    var validFrom: Revision = 0
  }

  /// A read, with the version that was read.
  struct Tracked: Hashable, Sendable {
    let node: NodeID
    let version: Version
  }

  /// A node that is being brought up to date.
  struct Visit: Hashable, Sendable {
    let node: NodeID
    /// The index of the dependency to check next.
    var index: Int
  }

  /// A value that only this evaluation sees.
  struct Own: Sendable {
    let stamp: ValueStamp
    let value: Value
  }

  let id: EvaluationID
  let revision: Revision
  let isTransaction: Bool
  private(set) var frames: ContiguousArray<Frame> = []
  private(set) var tracked: ContiguousArray<Tracked> = []
  var visits: ContiguousArray<Visit> = []
  private var privateFrames = 0

  /// The values that it has written or computed for itself.
  private(set) var own: [NodeID: Own] = [:]
  private(set) var hasOwn = false

  /// The sources that a transaction has written.
  private(set) var written: [NodeID] = []
  private(set) var hasWritten = false
  /// The derived nodes whose published value a transaction that has written may use.
  ///
  /// Marks do not decide this, because the edges of a claimed node belong to another revision. The published value is
  /// usable if it was computed from the versions that the transaction sees.
  private var verified: [NodeID: Version] = [:]
  /// Everything that a transaction has read from the store.
  private(set) var reads: [Tracked] = []

  /// Everything that the running setter of a `GetSetAtom` has read, including what the transaction has written.
  private var recorded: [NodeID] = []
  private var isRecording = false

  init(_ id: EvaluationID, at revision: Revision, isTransaction: Bool) {
    self.id = id
    self.revision = revision
    self.isTransaction = isTransaction
  }

  /// Whether a derivation runs.
  var isDeriving: Bool { !frames.isEmpty }

  // MARK: Reading

  /// Records a read of the running derivation or transaction.
  ///
  /// - Parameter isRepeated: Whether the running derivation has already read the node.
  @inline(__always)  // HP13
  mutating func track(_ node: NodeID, _ stamp: ValueStamp, isSource: Bool, isRepeated: Bool = false) {
    if isTransaction {
      noteRead(node, stamp.version, isSource: isSource)
      if isRecording, isSource || frames.isEmpty { recorded.append(node) }
    }
    if frames.isEmpty || isRepeated { return }
    let top = frames.count - 1
    tracked.append(Tracked(node: node, version: stamp.version))
    if stamp.validFrom > frames[top].validFrom { frames[top].validFrom = stamp.validFrom }
  }

  /// Notes what a transaction relies on.
  ///
  /// A value that it has computed relies on sources that are also noted.
  mutating func noteRead(_ node: NodeID, _ version: Version, isSource: Bool) {
    if hasWritten, !isSource { return }
    if own[node] == nil { reads.append(Tracked(node: node, version: version)) }
  }

  func isVerified(_ node: NodeID, _ version: Version) -> Bool { version != 0 && verified[node] == version }

  mutating func verify(_ node: NodeID, _ version: Version) { verified[node] = version }

  // MARK: Setters

  /// Begins to record the reads of a setter.
  mutating func record() {
    recorded = []
    isRecording = true
  }

  /// Ends the recording, and returns the nodes that the setter has read.
  ///
  /// Derived values that the transaction has computed for itself are not among them, but their sources are.
  mutating func endRecording() -> [NodeID] {
    isRecording = false
    defer { recorded = [] }
    return recorded.filter { node in own[node] == nil || written.contains(node) }
  }

  // MARK: Computing

  mutating func push(_ node: NodeID, isPrivate: Bool) {
    if isPrivate { privateFrames += 1 }
    frames.append(Frame(node: node, isPrivate: isPrivate, start: tracked.count, visits: visits.count))
  }

  mutating func pop() -> Frame {
    let frame = frames.removeLast()
    if frame.isPrivate { privateFrames -= 1 }
    while tracked.count > frame.start { _ = tracked.popLast() }
    return frame
  }

  /// Whether a derivation of a node runs that has no claim.
  func isComputedPrivately(_ node: NodeID) -> Bool { privateFrames > 0 && frames.contains { $0.node == node } }

  mutating func keep(_ value: Value, _ stamp: ValueStamp, for node: NodeID) {
    own[node] = Own(stamp: stamp, value: value)
    hasOwn = true
  }

  /// The nodes of a cycle, in the order in which they were read.
  func path(to node: NodeID) -> [NodeID] {
    let first = frames.firstIndex { $0.node == node } ?? 0
    var path: [NodeID] = []
    for index in frames.indices[first...] {
      // A frame, and the nodes visited between it and the next one.
      let end = index + 1 < frames.count ? frames[index + 1].visits : visits.count
      path.append(frames[index].node)
      path += visits[frames[index].visits..<max(frames[index].visits, end - 1)].map(\.node)
    }
    return path + [node]
  }

  // MARK: Writing

  /// Records a value that a transaction sets.
  ///
  /// Values that the transaction computed before may no longer be right. Returns what it no longer needs, which the
  /// caller releases afterward, because the release of a value may read atoms.
  mutating func write(_ value: Value, version: Version, to node: NodeID) -> [Own] {
    var former = own[node].map { [$0] } ?? []
    if own.count > written.count {
      former += own.values
      own = own.filter { written.contains($0.key) }
    }
    if !written.contains(node) { written.append(node) }
    keep(value, ValueStamp(version: version, validFrom: revision), for: node)
    hasWritten = true
    verified = [:]
    return former
  }
}

extension EvaluationStateMachine.Own: Equatable, Hashable where Value: Hashable {}
extension EvaluationStateMachine: Equatable, Hashable where Value: Hashable {}
