import ActorStore

extension AsyncAtom {
  /// The result of the newest run in the current store.
  ///
  /// If the run has finished, the call returns at once. Otherwise, it waits for the run, or for the newest one if
  /// others replace it meanwhile. The atom is in use while the call waits. The end of the wait releases nothing, unless
  /// a canceled run was waiting. In the closure of another asynchronous atom, the result becomes a dependency.
  ///
  /// Throws the error of the run. If the waiting task is canceled, throws `CancellationError`, and the run continues.
  /// If a run waits for the result and is canceled, the awaited run is canceled too, unless something else uses its
  /// atom. If runs wait for each other in a cycle, throws ``AtomCycle``.
  public nonisolated(nonsending) var result: Success {
    get async throws { try await AtomStore.current.result(of: self) }
  }
}

extension AtomStore {
  /// Returns the result of the newest run of an atom here.
  ///
  /// It is like ``AsyncAtom/result``.
  ///
  /// - Parameter atom: The atom.
  /// - Returns: The result.
  public nonisolated(nonsending) func result<Success>(of atom: AsyncAtom<Success>) async throws -> Success {
    if SelectedGraph.run == nil, let result = try await newestResult(of: atom.definition, isOfRun: false) {
      return try result.value(as: Success.self)
    }
    return try await result(of: atom, for: AnyRun.current(in: core))
  }

  private nonisolated(nonsending) func result<Success>(
    of atom: AsyncAtom<Success>, for run: AnyRun?
  ) async throws -> Success {
    let endWait = try run.map { run in try withCore { try run.beginWait(for: atom.definition, in: $0) } }
    defer { endWait?() }
    while let result = try await newestResult(of: atom.definition, isOfRun: run != nil) {
      // Only a finished state becomes a dependency, or the end of the awaited run would start the waiting one again.
      if run?.isNewest(in: core) != true { return try result.value(as: Success.self) }
      if let result = try value(of: atom.definition).result { return result }
    }
    return try await nextResult(of: atom, for: run)
  }

  /// Waits for the result of the newest run, or returns `nil` if an injection replaces the operation.
  private nonisolated(nonsending) func newestResult(
    of definition: AnyAtomDefinition, isOfRun: Bool
  ) async throws -> RunResult? {
    let cell = RunDefinition.of(definition).cell(in: core)
    if let result = cell.resultIfValid(in: core) { return result }
    let user = core.cell(of: definition)
    while core.injection(of: definition) == nil {
      switch await cell.result(for: user, in: core, isOfRun: isOfRun) {
      case .finished(let result): return result
      // A read starts a run if necessary.
      case .changed: core.read(user)
      case .canceled: throw CancellationError()
      }
    }
    return nil
  }

  /// Waits for a result in a stream of states, which uses the atom meanwhile.
  private nonisolated(nonsending) func nextResult<Success>(
    of atom: AsyncAtom<Success>, for run: AnyRun?
  ) async throws -> Success {
    for await state in values(of: atom, bufferingPolicy: .bufferingNewest(1)) {
      guard let run else {
        if let result = try state.result { return result }
        continue
      }
      let state = withCore { core in run.captured(atom.definition, in: core) }
      if !state.loading, let result = try value(of: atom.definition).result { return result }
    }
    throw CancellationError()
  }
}

extension AsyncState {
  /// The value, or `nil` while loading.
  fileprivate var result: Value? {
    get throws {
      switch self {
      case .loading: nil
      case .success(let value): value
      case .failure(let error): throw error
      }
    }
  }
}

/// The error of asynchronous atoms whose runs wait for each other's results in a cycle.
public struct AtomCycle: Error, Hashable, CustomStringConvertible {
  /// The labels of the atoms, of which the last one equals the first.
  public let path: [String]

  /// A message that says what happened and what to do instead.
  public var description: String {
    """
    Atoms: the runs of these atoms wait for each other's results: \(path.joined(separator: " -> ")). Remove one of these \
    reads.
    """
  }
}

extension AnyRun {
  fileprivate func captured<Value: Sendable>(_ definition: AtomDefinition<Value>, in graph: Graph) -> Value {
    ValueSlot.value(Value.self) { read(definition, in: graph, to: $0, isTracking: false) }
  }

  func isNewest(in graph: Graph) -> Bool { graph.state.withLockBackingOff { _ in isNewest() } }

  /// The nodes on a path from a node to this run, also through the waits of other runs.
  private func path(from node: NodeID, _ state: GraphState) -> [NodeID]? {
    var waits: [NodeID: [NodeID]] = [:]
    // A run that has been replaced no longer matters.
    for wait in state.waits where wait.run.isNewest() { waits[wait.run.cell.node, default: []].append(wait.awaited) }
    return state.logic.path(from: node, to: cell.node, waits: waits)
  }

  /// Records that this run waits for the result of an atom, until the caller calls the returned closure.
  fileprivate func beginWait(for definition: AnyAtomDefinition, in graph: Graph) throws -> @Sendable () -> Void {
    // The atom that users know may not have read the state of the runs yet.
    let awaited = graph.cell(of: graph.operating(for: definition)?.runs ?? definition).node
    var stale: [Cell] = []
    repeat {
      // A run whose dependency has changed no longer matters after this.
      for cell in stale { graph.read(cell) }
      let cycle = graph.state.withLockBackingOff { state -> [String]? in
        stale = []
        if isNewest(), let path = path(from: awaited, state) {
          stale = path.filter { !state.logic[$0].isRemoved && !state.logic.canSet($0) }.map { state.cell($0) }
          return stale.isEmpty ? labels(ofCycle: path, state) : nil
        }
        state.waits.append(RunWait(run: self, awaited: awaited))
        return nil
      }
      if let cycle { throw AtomCycle(path: cycle) }
    } while !stale.isEmpty
    return { [self, reference = graph.reference] in
      reference.withGraph { graph in
        let former = graph.state.withLockBackingOff { state in
          state.waits.firstIndex { $0.run === self && $0.awaited == awaited }.map { state.waits.remove(at: $0) }
        }
        withExtendedLifetime(former) {}
      }
    }
  }
}
