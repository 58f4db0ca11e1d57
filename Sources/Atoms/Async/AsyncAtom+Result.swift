import ActorStore

extension AsyncAtom {
  /// The result of the newest run in the current store.
  ///
  /// If the run has finished, the call returns at once. Otherwise, it waits for the run, or for the newest one if
  /// others replace it meanwhile. The atom is in use while the call waits. In the closure of another asynchronous atom,
  /// the result becomes a dependency.
  ///
  /// Throws the error of the run. If the waiting task is canceled, throws `CancellationError`, and the run continues.
  /// If runs wait for each other in a cycle, throws ``AtomCycle``.
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
    if AnyRun.current(in: core) == nil, let result = try await newestResult(of: atom.definition) {
      return try result.value(as: Success.self)
    }
    return try await nextResult(of: atom)
  }

  /// Waits for the result of the newest run, or returns `nil` if an injection replaces the operation.
  private nonisolated(nonsending) func newestResult(of definition: AnyAtomDefinition) async throws -> RunResult? {
    let (user, cell) = (core.cell(of: definition), RunDefinition.of(definition).cell(in: core))
    while core.injection(of: definition) == nil {
      switch await cell.result(for: user, in: core) {
      case .finished(let result): return result
      // A read starts a run if necessary.
      case .changed: core.read(user)
      case .canceled: throw CancellationError()
      }
    }
    return nil
  }

  /// Waits for a result in a stream of states.
  private nonisolated(nonsending) func nextResult<Success>(of atom: AsyncAtom<Success>) async throws -> Success {
    if let run = AnyRun.current(in: core) { return try await result(of: atom, for: run) }
    for await state in values(of: atom, bufferingPolicy: .bufferingNewest(1)) {
      if let result = try state.result { return result }
    }
    throw CancellationError()
  }

  /// Waits for a result that a run needs.
  ///
  /// Only a finished state becomes a dependency, or the end of the awaited run would start the waiting one again.
  private nonisolated(nonsending) func result<Success>(
    of atom: AsyncAtom<Success>, for run: AnyRun
  ) async throws -> Success {
    let end = try withCore { core in try run.beginWait(for: atom.definition, in: core) }
    defer { end() }
    // While the loop waits, the stream uses the atom.
    for await _ in values(of: atom, bufferingPolicy: .bufferingNewest(1)) {
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

  private func cycle(through node: NodeID, _ state: GraphState) -> [String]? {
    state.logic.path(from: node, to: cell.node, waits: state.waits).map { labels(ofCycle: $0, state) }
  }

  /// Notes that this run waits for the result of an atom, until the result is called.
  fileprivate func beginWait(for definition: AnyAtomDefinition, in graph: Graph) throws -> @Sendable () -> Void {
    let awaited = graph.cell(of: definition).node
    let labels = graph.state.withLockBackingOff { state -> [String]? in
      if let labels = cycle(through: awaited, state) { return labels }
      state.waits[cell.node, default: []].append(awaited)
      return nil
    }
    if let labels { throw AtomCycle(path: labels) }
    return { [graph = graph.reference, node = cell.node] in
      graph.withGraph { graph in
        graph.state.withLockBackingOff { state in
          guard let index = state.waits[node]?.firstIndex(of: awaited) else { return }
          state.waits[node]?.remove(at: index)
          if state.waits[node]?.isEmpty == true { state.waits[node] = nil }
        }
      }
    }
  }
}
