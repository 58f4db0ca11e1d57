import ActorStore

/// The setters of `GetSetAtom`s that run again when something they read changes.
struct Appliers: Sendable {
  /// A setter that has run.
  struct Applier: Sendable {
    let node: NodeID
    /// Runs the setter with the value that was set last.
    let apply: @Sendable () -> Void
    /// What it has read and cannot change itself.
    var reads: Set<NodeID>
  }

  /// In the order in which their atoms were set last.
  private(set) var all: [Applier] = []
  /// The number of changes, so that a transaction notices those by others.
  private var changes = 0
  /// Whether the transaction that has this copy has changed it.
  private(set) var isChanged = false

  var isEmpty: Bool { all.isEmpty }

  subscript(node: NodeID) -> Applier? { all.first { $0.node == node } }

  /// Forgets a node that is gone, and returns its setter, which the caller releases without the lock.
  mutating func remove(_ node: NodeID) -> Applier? {
    if !all.contains(where: { $0.node == node || $0.reads.contains(node) }) { return nil }
    changes += 1
    for index in all.indices { all[index].reads.remove(node) }
    return all.firstIndex { $0.node == node }.map { all.remove(at: $0) }
  }

  /// Forgets the setter of an atom, and returns it, which the caller releases without the lock.
  mutating func removeSetter(_ node: NodeID) -> Applier? {
    guard let index = all.firstIndex(where: { $0.node == node }) else { return nil }
    changes += 1
    return all.remove(at: index)
  }

  // MARK: In a transaction
  //
  // The caller releases the results afterward, because the release of a setter may drop atoms.

  /// Notes that an atom was set.
  mutating func set(_ applier: Applier) -> Applier? {
    let former = forget(applier.node)
    if applier.reads.isEmpty { return former }
    all.append(applier)
    isChanged = true
    return former
  }

  /// Notes what a setter has read that ran again.
  mutating func update(_ node: NodeID, reads: Set<NodeID>) -> Applier? {
    guard let index = all.firstIndex(where: { $0.node == node }), all[index].reads != reads else { return nil }
    if reads.isEmpty { return forget(node) }
    all[index].reads = reads
    isChanged = true
    return nil
  }

  mutating func forget(_ node: NodeID) -> Applier? {
    guard let index = all.firstIndex(where: { $0.node == node }) else { return nil }
    isChanged = true
    return all.remove(at: index)
  }

  mutating func forgetAll() -> [Applier] {
    isChanged = true
    defer { all = [] }
    return all
  }

  /// Whether no other transaction has changed the setters.
  func isCurrent(_ newest: Appliers) -> Bool { changes == newest.changes }

  /// Replaces the setters with those of a transaction that commits, except those whose atoms are gone.
  ///
  /// The transaction keeps the former ones until it has unlocked the graph.
  mutating func commit(_ new: inout Appliers, isRemoved: (NodeID) -> Bool) {
    if !new.isChanged { return }
    let gone = new.all.filter { isRemoved($0.node) }
    new.all.removeAll { isRemoved($0.node) }
    for index in new.all.indices { new.all[index].reads = new.all[index].reads.filter { !isRemoved($0) } }
    swap(&all, &new.all)
    new.all += gone
    changes += 1
  }
}

extension Graph {
  /// Runs a setter, and notes what it reads.
  ///
  /// Called in a transaction.
  func apply(_ node: NodeID, _ setter: @escaping @Sendable () -> Void) {
    guard let evaluation = Evaluation.current else { return }
    let reads = evaluation.apply(setter, for: node)
    let former = evaluation.appliers.set(Appliers.Applier(node: node, apply: setter, reads: reads))
    withExtendedLifetime(former) {}
  }

  /// Runs the setters again that have read something that a transaction changes, until none has.
  ///
  /// If they never end, reports them, and keeps the values of the last round.
  func applyAgain(_ evaluation: Evaluation) {
    if evaluation.appliers.isEmpty || !evaluation.logic.hasWritten { return }
    lookBefore(evaluation)
    for _ in 0..<1_000 {
      if !applyOnce(evaluation) { return }
    }
    let nodes = evaluation.appliers.all.filter { evaluation.seesChange(of: $0) }.map(\.node)
    let labels = state.withLockBackingOff { state in nodes.map { state.label(of: $0) } }
    Evaluation.outside { problems.report(.endlessSetters(labels)) }
  }

  /// Runs each setter again that has read something that a transaction changes, and returns whether there is one.
  private func applyOnce(_ evaluation: Evaluation) -> Bool {
    var hasRun = false
    for node in evaluation.appliers.all.map(\.node) {
      guard let applier = evaluation.appliers[node], evaluation.seesChange(of: applier) else { continue }
      let reads = evaluation.apply(applier.apply, for: node)
      let former = evaluation.appliers.update(node, reads: reads)
      withExtendedLifetime(former) {}
      hasRun = true
    }
    return hasRun
  }

  /// Notes what setters that have not run in a transaction would have seen before its sets.
  private func lookBefore(_ evaluation: Evaluation) {
    evaluate(state.withLockBackingOff { $0.logic.begin(beside: evaluation.logic) }) { before in
      for applier in evaluation.appliers.all where evaluation.seen[applier.node] == nil {
        evaluation.note(before.look(at: applier.reads), for: applier.node)
      }
    }
  }
}

extension Evaluation {
  /// A value that a setter has seen.
  struct Seen: Sendable {
    let node: NodeID
    let value: AnyPublished
    let version: Version
  }

  /// Runs a setter, and returns what it has read and cannot change itself.
  fileprivate func apply(_ setter: @Sendable () -> Void, for node: NodeID) -> Set<NodeID> {
    logic.record()
    setter()
    let reads = graph.state.withLockBackingOff { state in
      noteInputs(&state)
      return Set(state.logic.causes(of: logic.endRecording(), setter: node))
    }
    note(look(at: reads), for: node)
    return reads
  }

  /// Notes what a setter has seen.
  fileprivate func note(_ new: [Seen], for node: NodeID) {
    let former = seen.updateValue(new, forKey: node)
    // The release of a value may set atoms.
    withExtendedLifetime(former) {}
  }

  fileprivate func look(at nodes: Set<NodeID>) -> [Seen] {
    // The order is that of the nodes, not that of the hash table, so that a simulated run is reproducible.
    nodes.sorted { $0.index < $1.index }.compactMap { node in cell(node).map { look(at: $0) } }
  }

  /// Notes what setters have read, before a change of it.
  func noteInputs(_ state: inout GraphState) { state.logic.noteInputs(&logic) }

  /// The value that the evaluation sees, as a read that no setter has made.
  func look(at cell: Cell) -> Seen {
    find(cell) { state, found in
      let version = found.stamp.version
      if logic.isTransaction { logic.noteRead(cell.node, version, isSource: state.logic[cell.node].isSource) }
      return Seen(node: cell.node, value: found.box(in: cell), version: version)
    }
  }

  /// Whether a setter would read another value than in its last run.
  fileprivate func seesChange(of applier: Appliers.Applier) -> Bool {
    (seen[applier.node] ?? []).contains { seen in
      guard let cell = cell(seen.node) else { return false }
      let new = look(at: cell)
      if new.version == seen.version { return false }
      guard let equality = cell.equality else { return true }
      return !cell.isEqual(seen.value, new.value, equality)
    }
  }

  /// The cell of a node, unless its atom is gone.
  private func cell(_ node: NodeID) -> Cell? {
    graph.state.withLockBackingOff { $0.logic[node].isRemoved ? nil : $0.cell(node) }
  }
}
