import ActorStore

/// Runs that wait for the results of atoms.
///
/// A waiting run does not keep its graph alive, so no function here holds the graph during a wait.
extension AnyRun {
  /// The run to which a call on the current thread belongs.
  static var current: AnyRun? {
    guard let run = SelectedGraph.run, CurrentThread.isPlain else { return nil }
    return run
  }

  /// Waits for the result of the newest run of an atom, which becomes a dependency.
  nonisolated(nonsending) func result<Success>(of atom: AsyncAtom<Success>) async throws -> Success {
    let endWait = try withGraph { graph in try beginWait(for: atom.definition, in: graph) }
    defer { endWait() }
    while let result = try await newestResult(of: atom.definition) {
      // Only a finished state becomes a dependency. Otherwise, the end of the awaited run would restart the waiting
      // run.
      let state = try withGraph { graph in
        isNewest(in: graph) ? seen(atom.definition, in: graph) : result.state(as: Success.self)
      }
      if let value = try state.result { return value }
    }
    return try await nextResult(of: atom)
  }

  /// Waits for the result of the newest run, or returns `nil` if an injection replaces the operation.
  private nonisolated(nonsending) func newestResult(of definition: AnyAtomDefinition) async throws -> RunResult? {
    let (cell, result) = try withGraph { graph in
      let cell = RunDefinition.of(definition).cell(in: graph)
      return (cell, cell.resultIfValid(in: graph))
    }
    if let result { return result }
    while let user = try withGraph({ $0.injection(of: definition) == nil ? $0.cell(of: definition) : nil }) {
      switch await cell.result(for: user.node, isOfRun: true) {
      case .finished(let result): return result
      // A read starts a run if necessary.
      case .changed: try withGraph { $0.read(user) }
      case .canceled: throw CancellationError()
      }
    }
    return nil
  }

  /// Waits for a result in a stream of states, which uses the atom during the wait.
  private nonisolated(nonsending) func nextResult<Success>(of atom: AsyncAtom<Success>) async throws -> Success {
    let states = try withGraph { AtomStore(.of($0)).values(of: atom, bufferingPolicy: .bufferingNewest(1)) }
    for await _ in states {
      let state = try withGraph { graph in
        captured(atom.definition, in: graph).loading ? .loading : seen(atom.definition, in: graph)
      }
      if let result = try state.result { return result }
    }
    throw CancellationError()
  }

  /// Calls a closure with the graph, or throws if the graph is gone, because that cancels the run.
  private func withGraph<Result>(_ body: (Graph) throws -> Result) throws -> Result {
    guard let result = try graph.withGraph(body) else { throw CancellationError() }
    return result
  }

  /// The value that the run sees, which becomes a dependency.
  private func seen<Value: Sendable>(_ definition: AtomDefinition<Value>, in graph: Graph) -> Value {
    ValueSlot.value(Value.self) { read(definition, in: graph, to: $0) }
  }

  /// The value that the run sees, which does not become a dependency.
  private func captured<Value: Sendable>(_ definition: AtomDefinition<Value>, in graph: Graph) -> Value {
    ValueSlot.value(Value.self) { read(definition, in: graph, to: $0, isTracking: false) }
  }

  func isNewest(in graph: Graph) -> Bool { graph.state.withLockBackingOff { _ in isNewest() } }

  /// The nodes on a path from a node to this run, which can lead through the waits of other runs.
  private func path(from node: NodeID, _ state: GraphState) -> [NodeID]? {
    var waits: [NodeID: [NodeID]] = [:]
    // A run that has been replaced no longer matters.
    for wait in state.waits where wait.run.isNewest() { waits[wait.run.cell.node, default: []].append(wait.awaited) }
    return state.logic.path(from: node, to: cell.node, waits: waits)
  }

  /// Records that this run waits for the result of an atom, until the caller calls the returned closure.
  private func beginWait(for definition: AnyAtomDefinition, in graph: Graph) throws -> @Sendable () -> Void {
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
