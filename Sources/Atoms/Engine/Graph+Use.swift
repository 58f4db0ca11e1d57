import ActorStore

extension Graph {
  // MARK: Uses

  /// Begins a use of an atom.
  func beginUse(of definition: AnyAtomDefinition) {
    point("begins to use \(definition.label)")
    withCell(of: definition) { cell in
      state.withLockBackingOff { state in
        hold(cell, &state)
        state.logic.beginUse(of: cell.node)
      }
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
    var unused = Unused()
    let mustDeliver = state.withLockBackingOff { state in
      endUse(of: definition, &state)
      releaseUnused(to: &unused, &state)
      return beginDelivery(&state)
    }
    unused.release()
    if mustDeliver { deliver() }
  }

  /// Ends a use of an atom, and keeps the values of all atoms that come out of use.
  func endUseAndKeep(_ definition: AnyAtomDefinition) {
    var unused = Unused()
    state.withLockBackingOff { state in
      find(definition)?.with { state.logic.endUseAndKeep($0.node) }
      releaseUnused(to: &unused, &state)
    }
    unused.release()
  }

  /// Ends a use of an atom, which the caller holds.
  func endUse(of definition: AnyAtomDefinition, _ state: inout GraphState) {
    find(definition)?.with { state.logic.endUse(of: $0.node) }
  }

  /// What atoms leave behind that have come out of use, which the caller releases without the lock.
  struct Unused: Sendable {
    fileprivate var values: [AnyPublished] = []
    /// The rare kinds of leftovers, or `nil` if there are none.
    fileprivate var rest: Rest?
    /// Whether releasing them has begun a revision.
    fileprivate var hasAdvanced = false

    fileprivate struct Rest: Sendable {
      var setters: [AnyPublished] = []
      var runs: [AnyRun] = []
      var countdowns: [CountdownExchange] = []
      var resets: [ResetValue] = []

      mutating func release() {
        ReleaseQueue.release(all: &setters)
        for run in runs { run.cancel() }
        ReleaseQueue.release(all: &runs)
        for countdown in countdowns { countdown() }
      }
    }

    fileprivate mutating func add(_ change: (inout Rest) -> Void) {
      var new = rest.take() ?? Rest()
      change(&new)
      rest = new
    }

    /// Releases what atoms leave behind, without recursion.
    mutating func release() {
      var rest = rest.take()
      while let reset = rest?.resets.popLast() { reset.warn() }
      // The queue gets the last references.
      ReleaseQueue.release(all: &values)
      rest?.release()
    }
  }

  /// Releases the values of atoms that have come out of use, which then have their default values.
  ///
  /// Inside an evaluation of this graph, they are released when the evaluation ends.
  ///
  /// - Parameters:
  ///   - unused: Receives the leftovers of the atoms.
  ///   - state: The state of the graph.
  func releaseUnused(to unused: inout Unused, _ state: inout GraphState) {
    if !state.logic.hasUnused || Evaluation.around(self) != nil { return }
    let countdowns = beginCountdowns(&state)
    if !countdowns.isEmpty { unused.add { $0.countdowns = countdowns } }
    var nodes = state.logic.takeUnused()
    for index in nodes.indices {
      if let setter = state.removeSetter(of: nodes[index]) { unused.add { $0.setters.append(setter) } }
      state.unretainedCell(nodes[index]).with { cell in
        restore(cell, visible: cell, &unused, &state)
        if cell.hasHiddenAtoms || !state.injections.isEmpty {
          for source in hiddenCells(of: cell, state) { restore(source, visible: cell, &unused, &state) }
        }
        drop(cell, &unused, &state)
      }
    }
    state.logic.reuse(&nodes)
    if unused.hasAdvanced { publishRevision(&state) }
  }

  /// Begins a revision, unless it has begun.
  private func advance(_ unused: inout Unused, _ state: inout GraphState) {
    if unused.hasAdvanced { return }
    state.logic.advance()
    unused.hasAdvanced = true
  }

  /// Drops a value that a closure has computed, or a run has set.
  private func drop(_ cell: Cell, _ unused: inout Unused, _ state: inout GraphState) {
    let node = cell.node
    if !state.logic.canDrop(node) { return }
    let end = state.logic[node].dirtyAt
    let mustKeep = cell.isRun && state.logic.mustKeep(node, until: end == .never ? nil : end)
    // A value that another evaluation has computed for the newest revision may contain the result.
    if mustKeep || cell.hasResult || state.logic.hasCleanDependent(node) { advance(&unused, &state) }
    state.logic.drop(node, old: mustKeep ? cell.makeBox() : nil)
    if let run = cell.takeRun(), !state.logic.has(.keepTimer) { unused.add { $0.runs.append(run) } }
    if let value = cell.takeValue() { unused.values.append(value) }
  }

  /// Restores the default value of an atom that was set.
  private func restore(_ source: Cell, visible cell: Cell, _ unused: inout Unused, _ state: inout GraphState) {
    if !state.logic.isAssigned(source.node) { return }
    if source.isRun, source !== cell, state.logic[source.node].uses == 0 {
      noteReset(resetValue(of: source, visible: cell, from: nil, to: nil, state), &unused)
      drop(source, &unused, &state)
    }
    guard state.logic[source.node].isSource, let value = source.definition.initialValue else { return }
    advance(&unused, &state)
    let old = state.logic.mustKeep(source.node) ? source.makeBox() : nil
    state.logic.restoreDefault(of: source.node, old: old)
    let validity = state.logic.validity(source.node)
    guard let former = source.replace(validity, with: value) else { return }
    unused.values.append(former)
    noteReset(resetValue(of: source, visible: cell, from: former, to: value, state), &unused)
  }

  private func noteReset(_ reset: ResetValue?, _ unused: inout Unused) {
    if let reset { unused.add { $0.resets.append(reset) } }
  }

  /// The cells of the hidden atoms (reset target, runs, injections) that hold the values assigned to an atom.
  ///
  /// Safe under the lock: definitions exist whose nodes are in the graph.
  func hiddenCells(of cell: Cell, _ state: GraphState) -> [Cell] {
    var hidden = state.injections.isEmpty ? [] : state.injections[cell.node]?.hiddenCells ?? []
    if !cell.definition.hasHiddenAtoms { return hidden }
    let target = cell.definition.resetTarget
    if target !== cell.definition, let target = find(target) { hidden.append(target.retained) }
    if let runs = cell.definition.runs, let runs = find(runs) { hidden.append(runs.retained) }
    return hidden
  }
}
