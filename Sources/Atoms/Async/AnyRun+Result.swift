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
    let endWait = try await beginWait(for: atom.definition)
    defer { endWait() }
    while let (result, isInUse) = try await newestResult(of: atom.definition) {
      defer { if isInUse { endUse(of: atom.definition) } }
      let state = try await newestState(of: atom.definition) ?? result.state(as: Success.self)
      if let value = try state.result { return value }
    }
    return try await nextResult(of: atom)
  }

  /// Waits for the result of the newest run, or returns `nil` if an injection replaces the operation.
  ///
  /// Also returns whether the atom is in use for the caller, which ends that use.
  private nonisolated(nonsending) func newestResult(
    of definition: AnyAtomDefinition
  ) async throws -> (result: RunResult, isInUse: Bool)? {
    let (cell, result) = try withGraph { graph in
      let cell = RunDefinition.of(definition).cell(in: graph)
      return (cell, cell.resultIfValid(in: graph))
    }
    if let result { return (result, false) }
    var isAgain = false
    while let user = try withGraph({ $0.injection(of: definition) == nil ? $0.cell(of: definition) : nil }) {
      switch await cell.result(for: user.node, isOfRun: true) {
      case .finished(let result): return (result, true)
      case .changed:
        defer { endUse(of: definition) }
        try await Self.lookAgain(&isAgain) { try withGraph { $0.read(user) } }
      case .canceled: throw CancellationError()
      }
    }
    return nil
  }

  /// Brings an atom up to date, which starts a run if necessary.
  ///
  /// If that happens again, another thread may be computing the atom, so this lets other tasks run.
  nonisolated(nonsending) static func lookAgain(_ isAgain: inout Bool, _ read: () throws -> Void) async throws {
    try read()
    if isAgain {
      try Task.checkCancellation()
      await Task.yield()
    }
    isAgain = true
  }

  /// Waits for a result in a stream of states, which uses the atom during the wait.
  private nonisolated(nonsending) func nextResult<Success>(of atom: AsyncAtom<Success>) async throws -> Success {
    while true {
      if let result = try await newestState(of: atom.definition)?.result { return result }
      // The end of a canceled subscription would release values that it has not kept.
      try Task.checkCancellation()
      let (states, endWait) = try withGraph {
        AtomStore(.of($0)).statesUntilTheEnd(of: atom.definition, keepsValues: false)
      }
      defer { endWait() }
      guard let newest = await states.stream.first(where: { !$0.loading }) else { throw CancellationError() }
      let state = try await whileUsing(atom.definition) {
        states.leave()
        return try await newestState(of: atom.definition) ?? newest
      }
      if let result = try state.result { return result }
      // Another run has begun. If it ends with the same result, this stream does not have that result again.
    }
  }

  /// Reads the newest state, or returns `nil` if the reads of this run no longer count.
  ///
  /// A loading state does not become a dependency. If it did, the end of the awaited run would restart this run.
  private nonisolated(nonsending) func newestState<Success>(
    of definition: AtomDefinition<AsyncState<Success>>
  ) async throws -> AsyncState<Success>? {
    while true {
      let seen = try withGraph { graph in
        evaluateAtNewest(in: graph) { evaluation in
          let state = ValueSlot.value(AsyncState<Success>.self) { evaluation.read(graph.cell(of: definition), to: $0) }
          if state.loading { evaluation.logic.topReads = [] }
          return state
        }
      }
      switch seen {
      case .done(let state): return state
      case .replaced: return nil
      case .busy: try await whileUsing(definition) { await waitForReads() }
      }
    }
  }

  /// Runs a closure while an atom is in use, whose values stay afterward.
  private nonisolated(nonsending) func whileUsing<Result>(
    _ definition: AnyAtomDefinition, _ body: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    try withGraph { $0.beginUse(of: definition) }
    defer { endUse(of: definition) }
    return try await body()
  }

  /// Ends a use of an atom, whose values stay.
  private func endUse(of definition: AnyAtomDefinition) { graph.withGraph { $0.endUseAndKeep(definition) } }

  /// Calls a closure with the graph, or throws if the graph is gone, because that cancels the run.
  private func withGraph<Result>(_ body: (Graph) throws -> Result) throws -> Result {
    guard let result = try graph.withGraph(body) else { throw CancellationError() }
    return result
  }

  /// Waits until no child task is reading, or for a moment if another thread is about to replace the run.
  private nonisolated(nonsending) func waitForReads() async {
    let hasWaited = await park { task in
      let isWaiting = graph.withGraph { $0.state.withLockBackingOff { _ in waitForReads(task) } } ?? false
      if !isWaiting { task.resume(returning: false) }
    }
    if !hasWaited { await Task.yield() }
  }

  /// Records that this run waits for the result of an atom, until the caller calls the returned closure.
  private nonisolated(nonsending) func beginWait(
    for definition: AnyAtomDefinition
  ) async throws -> @Sendable () -> Void {
    while true {
      let start = try withGraph { graph in
        // The atom that users know may not have read the state of the runs yet.
        let awaited = graph.cell(of: graph.operating(for: definition)?.runs ?? definition).node
        return graph.state.withLockBackingOff { beginWait(for: awaited, &$0) }
      }
      switch start {
      case .begun(let number): return { [self] in endWait(number) }
      case .cycle(let labels): throw AtomCycle(path: labels)
      // These reads replace each run whose dependency has changed, which can break the cycle.
      case .stale(let cells): try withGraph { graph in for cell in cells { graph.read(cell) } }
      case .busy: await Task.yield()
      }
    }
  }

  private enum WaitStart: Sendable {
    /// The number of the wait.
    case begun(UInt64)
    /// The waits form a cycle.
    case cycle([String])
    /// The waits form a cycle unless the values of these cells have changed.
    case stale([Cell])
    /// The waits form a cycle unless a computation on another thread finds a change.
    case busy
  }

  private func beginWait(for awaited: NodeID, _ state: inout GraphState) -> WaitStart {
    if isNewest(), let path = state.logic.path(from: awaited, to: node, waits: state.waits) {
      let stale = path.filter { !state.logic[$0].isRemoved && !state.logic.canSet($0) }
      if stale.isEmpty { return .cycle(labels(ofCycle: path, state)) }
      let unclaimed = stale.filter { state.logic[$0].claim == .none }
      return unclaimed.isEmpty ? .busy : .stale(unclaimed.map { state.cell($0) })
    }
    return .begun(state.waits.add(self, for: awaited))
  }

  private func endWait(_ number: UInt64) {
    graph.withGraph { graph in
      let former = graph.state.withLockBackingOff { $0.waits.remove(number) }
      withExtendedLifetime(former) {}
    }
  }
}
