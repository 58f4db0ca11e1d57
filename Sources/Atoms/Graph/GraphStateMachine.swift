import ActorStore

/// The logic of a store of atoms, without values, closures, or a lock.
///
/// `Graph` is its shell. `Value` is the type in which it keeps former values for the pins that see them.
///
/// The algorithm pushes marks and pulls values. A change gives a source a new version and marks its transitive
/// dependents as dirty. A read checks a dirty node's dependencies in the order in which they were read, and runs its
/// closure only if one of them has another version. It takes ideas from Salsa (revisions, claims, and equal results
/// that keep their version) and from Compose's snapshots (old versions and pins).
struct GraphStateMachine<Value: Sendable>: Sendable {
  // What each set touches comes first, because threads that set pass it from core to core.
  private(set) var revision: Revision = 0
  private var lastVersion: Version = 0
  var nodes = SegmentedArray<NodeRecord>()
  var pins = Pins()
  var deliveries = DeliveryQueue<Value>()
  /// The watched nodes whose known value is valid for one revision only.
  ///
  /// Marks do not reach them, so each new revision checks those that still have the flag `checkedNext`.
  var checkedNext: [NodeID] = []
  /// The nodes that the last change made dirty, in the order in which it reached them.
  var marked = Stack<NodeID>()
  /// Whether the current change reached a node that was already dirty, at which marking stops.
  var marksMeetDirty = false
  /// The setters that may not have seen the newest values in the store.
  var dirtySetters: Set<NodeID> = []
  /// The nodes that have come out of use, users first.
  var unused: [NodeID] = []
  /// What nodes used that have got other closures, until these have run.
  var formerUses: [NodeID: [NodeID]] = [:]
  /// The nodes that only a countdown keeps in use, with the numbers of the countdowns.
  var countdowns: [NodeID: UInt64] = [:]
  var lastCountdown: UInt64 = 0
  /// The nodes whose countdowns the caller starts.
  var newCountdowns: [NodeID] = []
  private var vacantNodes = SegmentedArray<NodeID>()
  private var vacantEvaluations: [EvaluationID] = []
  private var evaluationCount: Int32 = 0
  /// The revisions at which nodes got their current closures, if they did not always have them.
  var formulaStarts: [NodeID: Revision] = [:]
  /// The last revision at which a node got another closure.
  var lastFormulaStart: Revision = 0
  /// The parts of changed or removed nodes that pins see.
  private var former = FormerValues<Value>()

  #if DEBUG
    var faults: GraphFaults = []
  #endif

  @inline(__always)  // HP13
  func has(_ fault: GraphFaults) -> Bool {
    #if DEBUG
      return faults.contains(fault)
    #else
      return false
    #endif
  }

  typealias Record = SegmentedArray<NodeRecord>.Place
  typealias Records = SegmentedArray<NodeRecord>.Places

  subscript(node: NodeID) -> NodeRecord {
    @inline(__always)  // HP13
    get { nodes[Int(node.index)] }
    @inline(__always)  // HP13
    _modify { yield &nodes[Int(node.index)] }
  }

  /// The properties that decide how to set a node, without a copy of its record.
  @inline(__always)  // HP22
  func setting(_ node: NodeID) -> (isSource: Bool, version: Version, isUnseen: Bool) {
    let index = Int(node.index)
    let isUnseen = nodes[index].dependents.isEmpty && !nodes[index].isWatched
    return (nodes[index].isSource, nodes[index].version, isUnseen)
  }

  /// The version and the validity of a node's value, without a copy of its edges.
  @inline(__always)  // HP13
  func validity(_ node: NodeID) -> Validity { nodes[Int(node.index)].validity }

  mutating func newVersion() -> Version {
    lastVersion += 1
    return lastVersion
  }

  // MARK: Nodes

  /// Adds a node.
  ///
  /// A source has its default value since the first revision. A node that keeps alive is always in use, and a timed one
  /// stays in use until `endCountdown`.
  mutating func add(isSource: Bool, isRun: Bool = false, keepsAlive: Bool = false, isTimed: Bool = false) -> NodeID {
    var record = NodeRecord(isSource ? .source : isRun ? .run : [])
    if keepsAlive { record.uses = 1 }
    if isTimed { record.flags.formUnion(.timed) }
    if isSource { record.version = newVersion() }
    if let node = vacantNodes.popLast() {
      self[node] = record
      return node
    }
    nodes.append(record)
    return NodeID(index: Int32(nodes.count - 1))
  }

  /// Removes a node whose atom is gone, and marks its dependents in a new revision if one of them is clean.
  ///
  /// Returns whether the caller may release the node's value now, and values of deliveries to release. Otherwise, `end`
  /// returns the node later.
  mutating func remove(_ node: NodeID) -> (isUnseen: Bool, values: [Value]) {
    // A derivation that drops an atom that it has read must not need another run at each revision that this creates.
    let hasCleanDependent = hasCleanDependent(node)
    if hasCleanDependent {
      advance()
      mark(dependentsOf: node)
    }
    let end = hasCleanDependent ? revision : revision + 1
    // No mark reaches the node from now on.
    if !self[node].isSource { self[node].dirtyAt = min(self[node].dirtyAt, end) }
    removeEdges(of: node)
    for index in self[node].dependents.indices {
      let dependent = self[node].dependents[index]
      self[dependent.node].dependencies[Int(dependent.index)].node = .none
    }
    self[node].dependents.removeAll()
    formulaStarts[node] = nil
    self[node].uses = 0
    countdowns[node] = nil
    if !unused.isEmpty { unused.removeAll { $0 == node } }
    for (user, used) in formerUses where used.contains(node) { formerUses[user]?.removeAll { $0 == node } }
    let values = deliveries.remove(node)
    if pins.isEmpty {
      vacate(node)
      return (true, values)
    }
    self[node].flags.formUnion(.removed)
    self[node].flags.subtract([.watched, .queued, .checkedNext])
    former.keepRemoved(node, until: end, for: pins)
    return (false, values)
  }

  mutating func vacate(_ node: NodeID) {
    self[node] = NodeRecord(.vacant)
    vacantNodes.append(node)
  }

  // MARK: Evaluations

  /// Pins the newest revision for a new evaluation.
  mutating func begin(isTransaction: Bool = false) -> EvaluationStateMachine<Value> {
    begin(at: pin(), isTransaction: isTransaction)
  }

  /// Restarts an ended evaluation, which has kept its number, at the newest revision.
  @inline(__always)  // HP24
  mutating func restart(_ evaluation: inout EvaluationStateMachine<Value>) {
    pins.add(revision)
    evaluation.restart(at: revision)
  }

  /// Begins an evaluation at a revision that is already pinned.
  mutating func begin(at revision: Revision, isTransaction: Bool = false) -> EvaluationStateMachine<Value> {
    EvaluationStateMachine(newEvaluation(), at: revision, isTransaction: isTransaction)
  }

  /// Begins another evaluation at a revision that is already pinned, and adds a pin for the evaluation.
  mutating func begin(besidePinOf revision: Revision, isTransaction: Bool = false) -> EvaluationStateMachine<Value> {
    begin(at: pin(revision), isTransaction: isTransaction)
  }

  private mutating func newEvaluation() -> EvaluationID {
    if let id = vacantEvaluations.popLast() { return id }
    evaluationCount += 1
    return EvaluationID(slot: evaluationCount - 1)
  }

  /// Ends an evaluation.
  ///
  /// - Parameters:
  ///   - evaluation: The evaluation.
  ///   - keepsID: Whether it keeps its number, so that it can be restarted.
  /// - Returns: Former values and removed nodes that no pin sees anymore.
  mutating func end(_ evaluation: EvaluationStateMachine<Value>, keepsID: Bool = false) -> Unseen {
    if !keepsID { vacate(evaluation.id) }
    return unpin(evaluation.revision)
  }

  /// Takes back the number of an evaluation that has ended.
  mutating func vacate(_ id: EvaluationID) { vacantEvaluations.append(id) }

  /// Fast path.
  ///
  /// The evaluation keeps its number. Returns `false`, changing nothing, if the graph has former values or unused
  /// nodes.
  @inline(__always)  // HP19
  mutating func endQuietly(at revision: Revision) -> Bool {
    if former.count > 0 || hasUnused { return false }
    _ = pins.remove(revision)
    return true
  }

  typealias Unseen = FormerValues<Value>.Unseen

  /// Adds a pin at the newest revision, or at one that is already pinned, and returns that revision.
  mutating func pin(_ revision: Revision? = nil) -> Revision {
    pins.add(revision ?? self.revision)
    return revision ?? self.revision
  }

  /// Ends a pin, and returns the former values and removed nodes that no pin sees anymore.
  mutating func unpin(_ revision: Revision) -> Unseen {
    guard pins.remove(revision), former.count > 0 else { return Unseen() }
    let unseen = former.unpin(revision, for: pins)
    unseen.nodes.forEach { vacate($0) }
    return unseen
  }

  // MARK: Former values

  /// Whether a pin sees the value of a source, so that a change must keep it.
  @inline(__always)  // HP13
  func mustKeep(_ node: NodeID) -> Bool { pins.see(from: self[node].validFrom) }

  /// Whether a pin sees the value of a node that became invalid at a revision, or becomes invalid now.
  func mustKeep(_ node: NodeID, until end: Revision?) -> Bool {
    guard let end else { return mustKeep(node) }
    return pins.see(from: self[node].validFrom, before: end)
  }

  /// The value of a node that a revision sees, if it is a former one.
  ///
  /// Only sources, nodes that were sources, and nodes with runs have former values.
  @inline(__always)  // HP19
  func old(_ node: NodeID, at revision: Revision) -> OldVersion<Value>? {
    former.count == 0 ? nil : former.value(of: node, at: revision)
  }

  /// Keeps a value for the pins that see it.
  ///
  /// - Parameter end: The revision that ends the value, or `nil` for the newest one.
  mutating func keep(_ old: Value, of node: NodeID, until end: Revision? = nil) {
    former.keep(OldVersion(stamp: self[node].stamp, end: end ?? revision, value: old), of: node, for: pins)
  }

  /// The number of former values and removed nodes that a pin sees.
  var keptCount: Int { former.count }

  // MARK: Changes

  /// Begins a new revision.
  ///
  /// The changes of one transaction follow.
  @inline(__always)  // HP13
  mutating func advance() {
    revision += 1
    if marked.capacity <= 1_024 { marked.removeAll(from: 0) } else { marked = Stack() }
    if !checkedNext.isEmpty { checkNext() }
  }

  private mutating func checkNext() {
    for node in checkedNext where self[node].flags.contains(.checkedNext) {
      self[node].flags.remove(.checkedNext)
      if self[node].isWatched { check(node) }
    }
    checkedNext = []
  }

  /// Gives a source another value in a new revision, if it has no dependents or watchers, and no pin sees the former
  /// value.
  ///
  /// Returns the new validity. Returns `nil`, and changes nothing, if the node has dependents or watchers, if a pin
  /// sees the former value, if nodes must be checked at the next revision, or if the node is unheld or not a source.
  /// Then the caller calls `replaceValue` or `replaceUnkeptValue`.
  @inline(__always)  // HP13
  mutating func replaceUnseenValue(of node: NodeID) -> Validity? {
    let record = nodes.places()[Int(node.index)]
    if !record.value.isSource || !record.value.dependents.isEmpty
      || !record.value.flags.isDisjoint(with: [.watched, .unheld]) || pins.see(from: record.value.validFrom)
      || !checkedNext.isEmpty
    {
      return nil
    }
    revision += 1
    lastVersion += 1
    record.value.set(version: lastVersion, at: revision)
    return Validity(version: lastVersion, validFrom: revision, dirtyAt: .never)
  }

  /// Counts direct sets of a source as revisions, and gives the last value a new version.
  ///
  /// Returns the validity of that value. No pin can see the values that direct sets have replaced. So the last value
  /// can count as valid from the revision of the last set under the lock.
  mutating func noteDirectSets(_ count: UInt64, of node: NodeID) -> Validity {
    revision += count
    self[node].version = newVersion()
    return validity(node)
  }
}

extension GraphStateMachine: Equatable, Hashable where Value: Hashable {}
