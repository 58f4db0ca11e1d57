import ActorStore

extension Graph {
  // MARK: Uses

  /// Begins a use of an atom.
  func beginUse(of definition: AnyAtomDefinition) {
    point("begins to use \(definition.label)")
    let cell = cell(of: definition)
    state.withLockBackingOff { state in
      hold(definition, &state)
      state.logic.beginUse(of: cell.node)
    }
  }

  /// Ends a use of an atom.
  ///
  /// After the last one, the values of the atom, and of atoms that only it used, are released. Inside an evaluation of
  /// this graph, the use ends with the evaluation. Otherwise, another thread could release the values meanwhile, and a
  /// transaction that uses an atom for a moment would repeat without end.
  func endUse(of definition: AnyAtomDefinition) {
    #if DEBUG
      let current = SelectedGraph.selected ?? SelectedGraph.shared
      defer { withExtendedLifetime(current) {} }
      if current.graph !== self, state.withLock({ $0.logic.has(.endElsewhere) }) {
        return current.graph.endUse(of: definition)
      }
    #endif
    if let evaluation = Evaluation.around(self) {
      evaluation.endedUses.append(definition)
      return
    }
    // This is not a point, because the last copy of a wrapper may go while a lock is held.
    touch()
    note("ends the use of \(definition.label)")
    var (unused, mustDeliver) = state.withLockBackingOff { state -> (Unused, Bool) in
      endUse(of: definition, &state)
      return (releaseUnused(&state), beginDelivery(&state))
    }
    unused.release()
    if mustDeliver { deliver() }
  }

  /// Ends a use of an atom, and keeps the values of all atoms that come out of use.
  func endUseAndKeep(_ definition: AnyAtomDefinition) {
    state.withLockBackingOff { state in
      if let cell = find(definition)?.retained { state.logic.endUseAndKeep(cell.node) }
    }
  }

  /// Ends a use of an atom, which the caller holds.
  func endUse(of definition: AnyAtomDefinition, _ state: inout GraphState) {
    if let cell = find(definition)?.retained { state.logic.endUse(of: cell.node) }
  }

  /// What atoms leave behind that have come out of use, which the caller releases without the lock.
  struct Unused: Sendable {
    fileprivate var values: [AnyPublished] = []
    fileprivate var setters: [Appliers.Applier] = []
    fileprivate var runs: [AnyRun] = []

    /// Releases what atoms leave behind, without recursion.
    mutating func release() {
      // The queue gets the last references.
      while !values.isEmpty { ReleaseQueue.release(values.removeLast()) }
      while !setters.isEmpty { ReleaseQueue.release(Published(setters.removeLast())) }
      for run in runs { run.cancel() }
    }
  }

  /// Releases the values of atoms that have come out of use, which then have their default values.
  ///
  /// Inside an evaluation of this graph, they are released when the evaluation ends.
  func releaseUnused(_ state: inout GraphState) -> Unused {
    var unused = Unused()
    if state.logic.unused.isEmpty || Evaluation.around(self) != nil { return unused }
    var revision = state.logic.revision
    let former = revision
    /// Begins a revision, unless it has begun.
    func advance() {
      if revision > former { return }
      state.logic.advance()
      revision = state.logic.revision
    }
    for node in state.logic.takeUnused() {
      let cell = state.cell(node)
      if let setter = state.appliers.removeSetter(node) { unused.setters.append(setter) }
      for source in [cell] + hiddenCells(of: cell, state) where state.logic.isAssigned(source.node) {
        guard state.logic[source.node].isSource, let value = source.definition.initialValue else { continue }
        advance()
        let old = state.logic.mustKeep(source.node) ? source.makeBox() : nil
        unused.values += state.logic.restoreDefault(of: source.node, old: old)
        let validity = state.logic.validity(source.node)
        if let value = source.replace(validity, with: value) { unused.values.append(value) }
      }
      if state.logic.canDrop(node) {
        let mustKeep = cell.isRun && state.logic.mustKeep(node)
        // A value that another evaluation has computed for the newest revision may contain the result.
        if mustKeep || cell.hasResult || state.logic.hasCleanDependent(node) { advance() }
        unused.values += state.logic.drop(node, old: mustKeep ? cell.makeBox() : nil)
        if let run = cell.takeRun(), !state.logic.has(.keepTimer) { unused.runs.append(run) }
        if let value = cell.takeValue() { unused.values.append(value) }
      }
    }
    if revision > former { publishRevision(&state) }
    return unused
  }

  /// The cells of hidden atoms with what was assigned to an atom.
  ///
  /// Safe under the lock: definitions exist whose nodes are in the graph.
  func hiddenCells(of cell: Cell, _ state: GraphState) -> [Cell] {
    var hidden = state.injections[cell.node]?.hiddenCells ?? []
    let target = cell.definition.resetTarget
    if target !== cell.definition, let target = find(target) { hidden.append(target.retained) }
    return hidden
  }
}
