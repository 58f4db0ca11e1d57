import ActorStore

extension Graph {
  /// Runs the setter of an atom, and notes what it reads.
  ///
  /// Called in a transaction.
  func apply(_ atom: NodeID, _ setter: @escaping @Sendable () -> Void) {
    guard let evaluation = Evaluation.current else { return }
    evaluation.repeatSetters()
    evaluation.logic.tracksWrites = true
    let edition = state.withLockBackingOff { $0.setters[atom]?.edition }
    let reads = evaluation.record(setter, for: atom)
    if reads.isEmpty { return evaluation.forgetSetter(of: atom, edition: edition) }
    let former = evaluation.setters.set(atom, setter, edition: edition)
    withExtendedLifetime(former) {}
    evaluation.noteRun(atom, reads)
  }

  /// Forgets the value that was last passed to the setter of an atom.
  func forgetSetter(of atom: NodeID) {
    guard let evaluation = Evaluation.current else { return }
    evaluation.forgetSetter(of: atom, edition: state.withLockBackingOff { $0.setters[atom]?.edition })
  }

  /// Forgets the values that were last passed to all setters.
  func forgetSetters() {
    guard let evaluation = Evaluation.current else { return }
    let edition = state.withLockBackingOff { $0.setters.edition }
    let former = evaluation.setters.forgetAll(edition: edition)
    withExtendedLifetime(former) {}
  }
}

extension Evaluation {
  /// A value that a setter has seen.
  struct Seen: Sendable {
    let node: NodeID
    let value: AnyPublished
    let version: Version
  }

  // MARK: Running again

  /// Reruns the setters whose reads the transaction has changed, until no setter would read a different value.
  ///
  /// A read outside of setters and derivations calls this first, so that it sees their sets. If the setters keep
  /// triggering each other, reports them, and keeps the values of the last round.
  @inline(__always)  // HP13
  func repeatSetters() {
    if logic.hasNewWrites { checkSetters() }
  }

  @inline(never)  // HP13
  private func checkSetters() {
    if !logic.recordings.isEmpty || logic.isDeriving || isInSnapshot || isCheckingSetters { return }
    isCheckingSetters = true
    defer { isCheckingSetters = false }
    // A snapshot of another store may surround the read.
    runAlone {
      var rounds = SetterRounds()
      addConcernedSetters(to: &rounds)
      while let atom = rounds.next() {
        if rounds.count > 1_000 { return reportEndless([atom] + rounds.rest) }
        if check(atom) { addConcernedSetters(to: &rounds) }
      }
    }
  }

  private func reportEndless(_ atoms: [NodeID]) {
    let labels = graph.state.withLockBackingOff { state in atoms.map { state.label(of: $0) } }
    Self.outside { graph.problems.report(.endlessSetters(labels)) }
  }

  /// Adds the setters that the newest writes concern.
  private func addConcernedSetters(to rounds: inout SetterRounds) {
    let written = logic.takeNewWrites()
    let known = written.flatMap { setters.readers(of: $0) }.map { SetterRounds.Place(order: $0.order, atom: $0.atom) }
    let new = graph.state.withLockBackingOff { state in
      setters.search(above: written, state).map { ($0, state.logic.reads(of: $0.node)) }
    }
    if !new.isEmpty { lookBefore(new) }
    rounds.add(known + new.map { SetterRounds.Place(order: $0.0.order, atom: $0.0.atom) })
  }

  /// Notes what setters saw before the transaction, which the commit verifies.
  private func lookBefore(_ new: [(setter: Setters.Setter, reads: Set<NodeID>)]) {
    let before = graph.state.withLockBackingOff { state in
      state.logic.begin(besidePinOf: logic.revision, isTransaction: true)
    }
    graph.evaluate(before) { before in
      for (setter, reads) in new {
        setters.add(setter, reads: reads)
        note(before.look(at: reads), for: setter.atom)
      }
      logic.rely(on: before.logic.reads)
    }
  }

  /// Reruns a setter if it would read a different value, and returns whether it has run.
  private func check(_ atom: NodeID) -> Bool {
    guard let entry = setters[atom], let apply = entry.apply else { return false }
    if !seesChange(of: entry) {
      setters.setInputs(inputs(of: entry.reads), for: atom)
      return false
    }
    let reads = record(apply, for: atom)
    if reads.isEmpty {
      forgetSetter(of: atom, edition: entry.edition)
    } else {
      noteRun(atom, reads)
    }
    return true
  }

  /// Whether a setter would read another value than in its last run.
  private func seesChange(of setter: OwnSetters.Entry) -> Bool {
    setter.seen.contains { seen in
      guard let cell = cell(seen.node) else { return false }
      let new = look(at: cell)
      if new.version == seen.version { return false }
      return !cell.isEqual(seen.value, new.value)
    }
  }

  // MARK: Recording

  /// Runs a setter, and returns its reads that count: those that it cannot change itself.
  fileprivate func record(_ setter: @Sendable () -> Void, for atom: NodeID) -> Set<NodeID> {
    logic.record()
    setter()
    return graph.state.withLockBackingOff { state in
      noteInputs(&state)
      return Set(state.logic.causes(of: logic.endRecording(), setter: atom))
    }
  }

  /// Records the reads of a setter that has run.
  fileprivate func noteRun(_ atom: NodeID, _ reads: Set<NodeID>) {
    setters.ran(atom, reads: reads)
    note(look(at: reads), for: atom)
  }

  private func note(_ new: [Seen], for atom: NodeID) {
    let former = setters.note(new, inputs: inputs(of: Set(new.map(\.node))), for: atom)
    // The release of a value may set atoms.
    withExtendedLifetime(former) {}
  }

  fileprivate func forgetSetter(of atom: NodeID, edition: UInt64?) {
    let former = setters.forget(atom, edition: edition)
    withExtendedLifetime(former) {}
  }

  // MARK: Looking

  private func look(at nodes: Set<NodeID>) -> [Seen] {
    // The order is that of the nodes, not that of the hash table, so that a simulated run is reproducible.
    nodes.sorted { $0.index < $1.index }.compactMap { node in cell(node).map { look(at: $0) } }
  }

  private func inputs(of nodes: Set<NodeID>) -> Set<NodeID> {
    graph.state.withLockBackingOff { $0.logic.inputs(of: nodes, in: logic) }
  }

  /// Records the inputs of the values that setters have read, before a change replaces them.
  func noteInputs(_ state: inout GraphState) { state.logic.noteInputs(&logic) }

  /// The value that the evaluation sees, as a read that no setter has made.
  func look(at cell: Cell) -> Seen {
    find(cell) { evaluation, cell, state, found in
      let version = found.stamp.version
      if evaluation.logic.isTransaction {
        evaluation.logic.noteRead(cell.node, version, isSource: state.logic[cell.node].isSource)
      }
      return Seen(node: cell.node, value: found.box(in: cell), version: version)
    }
  }

  /// The cell of a node, unless its atom is gone.
  private func cell(_ node: NodeID) -> Cell? {
    graph.state.withLockBackingOff { $0.logic[node].isRemoved ? nil : $0.cell(node) }
  }
}
