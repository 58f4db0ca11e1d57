import ActorStore

/// The setters of `GetSetAtom`s that run again when something they read changes.
struct Appliers: Sendable {
  /// A setter that has run.
  struct Applier: Sendable {
    /// Runs the setter with the value that was set last.
    let apply: @Sendable () -> Void
    /// The nodes that it read and did not set, with their versions.
    var reads: [NodeID: Version]
  }

  private(set) var all: [NodeID: Applier] = [:]
  /// The number of changes, so that a transaction notices those by others.
  private var changes = 0

  init() {}

  /// Forgets all setters in a transaction.
  init(empty former: Appliers) { changes = former.changes }

  var isEmpty: Bool { all.isEmpty }

  /// Forgets a node that is gone, and returns its setter, which the caller releases without the lock.
  mutating func remove(_ node: NodeID) -> Applier? {
    if all.isEmpty { return nil }
    changes += 1
    for id in all.keys { all[id]?.reads[node] = nil }
    return all.removeValue(forKey: node)
  }

  // MARK: In a transaction

  /// Replaces a setter that has run in a transaction, or forgets it.
  mutating func set(_ node: NodeID, _ applier: Applier?) { all[node] = applier }

  /// Whether no other transaction has changed the setters.
  func isCurrent(_ newest: Appliers) -> Bool { changes == newest.changes }

  /// Replaces the setters with those of a transaction that commits.
  ///
  /// The transaction keeps the former ones until it has unlocked the graph.
  mutating func commit(_ new: inout Appliers, _ logic: borrowing GraphStateMachine<AnyPublished>) {
    if all.isEmpty && new.all.isEmpty { return }
    swap(&all, &new.all)
    changes += 1
    for (id, applier) in all {
      for node in applier.reads.keys { all[id]?.reads[node] = logic[node].version }
    }
  }
}

extension Graph {
  /// Runs a setter, and notes what it reads.
  ///
  /// Called in a transaction.
  func apply(_ definition: AnyAtomDefinition, _ setter: @escaping @Sendable () -> Void) {
    guard let evaluation = Evaluation.current else { return }
    let node = cell(of: definition).node
    evaluation.apply(setter, for: node)
  }

  /// Forgets the value that was set last, so that the setter no longer runs again.
  ///
  /// Called in a transaction.
  func forgetSetter(of definition: AnyAtomDefinition) {
    Evaluation.current?.appliers.set(cell(of: definition).node, nil)
  }

  /// Runs the setters again that have read something that a transaction changes, until none has.
  ///
  /// Returns `false` if they never end. Then they were reported, and the values of the last round stay.
  func applyAgain(_ evaluation: Evaluation) -> Bool {
    if evaluation.appliers.isEmpty || !evaluation.logic.hasWritten { return true }
    for _ in 0..<1_000 {
      let changed = evaluation.appliers.all.filter { evaluation.hasChanged($0.value) }
      if changed.isEmpty { return true }
      for (node, applier) in changed { evaluation.apply(applier.apply, for: node) }
    }
    let nodes = evaluation.appliers.all.filter { evaluation.hasChanged($0.value) }.keys
    problems.report(
      .endlessSetters(state.withLockBackingOff { state in nodes.map { state.label(of: $0) } }))
    return true
  }
}

extension Evaluation {
  fileprivate func apply(_ setter: @escaping @Sendable () -> Void, for node: NodeID) {
    let written = logic.written.count
    logic.record()
    setter()
    let own = Set(logic.written[written...])
    var reads: [NodeID: Version] = [:]
    for read in logic.endRecording() where read != node && !own.contains(read) { reads[read] = version(of: read) }
    appliers.set(node, reads.isEmpty ? nil : Appliers.Applier(apply: setter, reads: reads))
  }

  fileprivate func hasChanged(_ applier: Appliers.Applier) -> Bool {
    applier.reads.contains { version(of: $0.key) != $0.value }
  }

  /// The version of a node as the transaction sees it.
  private func version(of node: NodeID) -> Version {
    box(graph.state.withLockBackingOff { $0.cell(node) }).version
  }
}
