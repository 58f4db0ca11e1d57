import ActorStore

/// A source of values for hidden atoms: for example, the commits of a store.
protocol SelectionSource: AnyObject, Sendable {
  /// The values that have changed after a step, and the newest step.
  ///
  /// Called under a graph's lock. The caller releases the result without it. A graph that asks for the first time
  /// follows the source, which then calls `update(from:)` after each step.
  ///
  /// - Parameters:
  ///   - step: The step that the graph has seen, or `nil` if it has seen none.
  ///   - graph: The graph.
  func values(after step: UInt64?, for graph: GraphReference) -> Selections
}

/// Values of hidden atoms that have changed after one step and up to another.
struct Selections: Sendable {
  /// The values with their readers, which may be the last to hold the value of an atom that is gone.
  ///
  /// So a graph releases them without its lock.
  let origin: SelectionStep
  /// The values of the atoms that still exist.
  let values: [(definition: AnyAtomDefinition, value: AnyPublished)]

  var since: UInt64 { origin.since }
  var step: UInt64 { origin.step }

  /// Whether a graph that has a step gets all later values from these.
  func isNext(after known: UInt64) -> Bool { since <= known && known < step }
}

/// The steps that a graph has seen of its sources.
struct SourceSteps: Sendable {
  /// There is hardly ever more than one.
  private var all: [(source: ObjectIdentifier, step: UInt64)] = []

  var count: Int { all.count }

  /// The step that the graph has of a source, or `nil` if it does not follow it.
  subscript(source: ObjectIdentifier) -> UInt64? {
    get { all.first { $0.source == source }?.step }
    set {
      let index = all.firstIndex { $0.source == source }
      switch (index, newValue) {
      case (let index?, let step?): all[index].step = step
      case (let index?, nil): all.remove(at: index)
      case (nil, let step?): all.append((source, step))
      case (nil, nil): break
      }
    }
  }
}

/// An update of a graph from a source, made in a transaction because setters may have to run again.
struct SourceUpdate: Equatable, Sendable {
  private let graph: ObjectIdentifier
  private let source: ObjectIdentifier

  init(of graph: Graph, from source: ObjectIdentifier) {
    self.graph = ObjectIdentifier(graph)
    self.source = source
  }

  /// The updates that run on the current thread, the innermost last.
  static var here: [SourceUpdate] {
    // The innermost update knows the updates around it, which it can hide.
    for (evaluation, _) in CurrentThread.frames where !evaluation.updates.isEmpty { return evaluation.updates }
    for (evaluation, _) in CurrentThread.hiddenFrames where !evaluation.updates.isEmpty { return evaluation.updates }
    return []
  }
}

extension Graph {
  /// Gives the atoms of a source their newest values, all in one revision.
  ///
  /// Atoms without a node get one. An evaluation that has read some of them then finds the others as they were.
  ///
  /// - Parameters:
  ///   - source: The source.
  ///   - last: The values of the last step, which saves a graph that has the step before from asking for them.
  func update(from source: any SelectionSource, last: Selections? = nil) {
    var last = last
    // Setters that ran again may have caused another step.
    while updateOnce(from: source, last) { last = nil }
  }

  /// Gives the atoms of a source their newest values, and returns whether setters may have run again.
  private func updateOnce(from source: any SelectionSource, _ last: Selections?) -> Bool {
    let id = ObjectIdentifier(source)
    let (taken, unused, mustDeliver, mustTransact) = state.withLockBackingOff {
      state -> (Selections, [AnyPublished], Bool, Bool) in
      let known = state.sources[id]
      let taken =
        if let last, let known, last.isNext(after: known) { last } else { source.values(after: known, for: reference) }
      if known == nil { state.sources[id] = taken.step }
      if taken.step == known { return (taken, [], false, false) }
      let changed = taken.values.compactMap { new in find(new.definition).map { (cell: $0.retained, value: new.value) }
      }
      // If a setter runs because of an update from the same source, that update gives these atoms their values. An
      // update from another source does not.
      let isNested = SourceUpdate.here.contains(SourceUpdate(of: self, from: id))
      if !changed.isEmpty, !isNested, state.mayConcernSetters(changed.map(\.cell.node)) {
        return (taken, [], false, true)
      }
      addMissing(taken, &state)
      if isNested { return (taken, [], false, false) }
      state.sources[id] = taken.step
      if changed.isEmpty { return (taken, [], beginDelivery(&state), false) }
      state.logic.advance()
      var unused: [AnyPublished] = []
      for (cell, value) in changed {
        if let former = replace(cell, value, &state) { unused.append(former) }
        state.logic[cell.node].flags.remove(.assigned)
      }
      publishRevision(&state)
      return (taken, unused, startDelivering(&state), false)
    }
    withExtendedLifetime((taken, unused)) {}
    if mustDeliver { deliver() }
    if mustTransact {
      let updates = SourceUpdate.here + [SourceUpdate(of: self, from: id)]
      Evaluation.outside { updateInTransaction(from: source, updates) }
    }
    return mustTransact
  }

  /// Gives the atoms of a source their newest values in a transaction, because setters may have to run again.
  ///
  /// - Parameters:
  ///   - source: The source.
  ///   - updates: The updates around this one, and this one.
  private func updateInTransaction(from source: any SelectionSource, _ updates: [SourceUpdate]) {
    let id = ObjectIdentifier(source)
    let taken = transaction { () -> Selections in
      let (taken, cells) = state.withLockBackingOff { state in
        let taken = source.values(after: state.sources[id], for: reference)
        return (taken, taken.values.map { find($0.definition)?.retained })
      }
      guard let evaluation = Evaluation.current else { return taken }
      evaluation.updates = updates
      for (cell, new) in zip(cells, taken.values) {
        guard let cell else { continue }
        // If another thread changes the value in between, the transaction runs again.
        _ = evaluation.look(at: cell)
        evaluation.write(new.value, to: cell, isDefault: true)
      }
      return taken
    }
    let mustDeliver = state.withLockBackingOff { state -> Bool in
      if state.sources[id] ?? 0 >= taken.step { return false }
      // Only now, so that no reader sees them together with former values of the others.
      addMissing(taken, &state)
      state.sources[id] = taken.step
      return beginDelivery(&state)
    }
    if mustDeliver { deliver() }
  }

  /// Adds nodes for the atoms that have none.
  private func addMissing(_ taken: Selections, _ state: inout GraphState) {
    for (definition, value) in taken.values where find(definition) == nil {
      _ = add(definition.makeCell(value), definition, &state)
    }
  }

  /// Forgets a source that is gone.
  func forget(source id: ObjectIdentifier) {
    state.withLockBackingOff { $0.sources[id] = nil }
  }
}
