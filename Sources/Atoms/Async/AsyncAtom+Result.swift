import ActorStore

extension AsyncAtom {
  /// The result of the newest run in the current store.
  ///
  /// If the run has finished, the call returns at once. Otherwise, it waits for the run, or for the newest one if
  /// others replace it in the meantime. The atom is in use while the call waits. The end of the wait releases nothing,
  /// unless a canceled run was waiting. In the closure of another asynchronous atom, the result becomes a dependency.
  ///
  /// Throws the error of the run. If the waiting task is canceled, throws `CancellationError`, and the run continues. A
  /// waiting run does not keep its store alive. If the store is released, the wait throws `CancellationError`. If a run
  /// waits for the result and is canceled, the awaited run is canceled too, unless something else uses its atom. If
  /// runs wait for each other in a cycle, throws ``AtomCycle``.
  public nonisolated(nonsending) var result: Success {
    get async throws {
      if let run = AnyRun.current { return try await run.result(of: self) }
      return try await AtomStore.current.result(of: self)
    }
  }
}

extension AtomStore {
  /// Returns the result of the newest run of an atom here.
  ///
  /// This method is like ``AsyncAtom/result``. The call keeps the store alive.
  ///
  /// - Parameter atom: The atom.
  /// - Returns: The result.
  public nonisolated(nonsending) func result<Success>(of atom: AsyncAtom<Success>) async throws -> Success {
    defer { withExtendedLifetime(handle) {} }
    core.point()
    if let run = AnyRun.current(in: core) { return try await run.result(of: atom) }
    if let result = try await newestResult(of: atom.definition) { return try result.value(as: Success.self) }
    return try await nextResult(of: atom)
  }

  /// Waits for the result of the newest run, or returns `nil` if an injection replaces the operation.
  private nonisolated(nonsending) func newestResult(of definition: AnyAtomDefinition) async throws -> RunResult? {
    let cell = RunDefinition.of(definition).cell(in: core)
    if let result = cell.resultIfValid(in: core) { return result }
    let user = core.cell(of: definition)
    var isAgain = false
    while core.injection(of: definition) == nil {
      switch await cell.result(for: user.node, isOfRun: false) {
      case .finished(let result): return result
      case .changed: try await AnyRun.lookAgain(&isAgain) { core.read(user) }
      case .canceled: throw CancellationError()
      }
    }
    return nil
  }

  /// Waits for a result in a stream of states, which uses the atom during the wait.
  private nonisolated(nonsending) func nextResult<Success>(of atom: AsyncAtom<Success>) async throws -> Success {
    if let result = try value(of: atom.definition).result { return result }
    let (states, endWait) = statesUntilTheEnd(of: atom.definition, keepsValues: true)
    defer { endWait() }
    for await state in states.stream {
      if let result = try state.result { return result }
    }
    throw CancellationError()
  }

  /// Subscribes to the newest state until the test of this store ends.
  ///
  /// - Parameters:
  ///   - definition: The atom.
  ///   - keepsValues: Whether atoms that come out of use at the end of the subscription keep their values.
  /// - Returns: The subscription, and a closure that the caller calls when its wait ends.
  func statesUntilTheEnd<State>(
    of definition: AtomDefinition<State>, keepsValues: Bool
  ) -> (states: Subscription<State>, endWait: @Sendable () -> Void) {
    let subscription = subscription(to: definition, .bufferingNewest(1), keepsValues: keepsValues)
    return (subscription, core.onEnd { [weak subscription] in subscription?.leave() })
  }
}

extension AsyncState {
  /// The value, or `nil` while loading.
  var result: Value? {
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
