/// A value that an asynchronous closure produces.
///
/// ```swift
/// let dogsAtom = AsyncAtom<[Dog]> {
///   @UseAtomValue(searchTextAtom) var text
///   return try await search(text)
/// }
/// ```
///
/// The closure first runs when the atom is read or watched. Its value is an ``AsyncState``. When an atom that the run
/// has read changes, the state is loading again, and the next read or delivery starts another run. The newest run wins:
/// an older one is canceled, and its result has no effect.
///
/// You can set the state yourself, for example to show a change before a server has confirmed it. This cancels the run.
/// The next change of an atom that the run has read, or the next ``reload()``, starts another one.
///
/// ```swift
/// dogsAtom.set(.success(dogs + [newDog]))
/// ```
///
/// Setting the state to `.loading` is the same as calling ``reload()``.
public struct AsyncAtom<Success: Sendable>: WritableAtom {
  /// The identity of the atom.
  public let definition: AtomDefinition<AsyncState<Success>>

  /// Creates an asynchronous atom.
  ///
  /// - Parameters:
  ///   - lifetime: How long a value lives after its last use. `nil` is like ``AtomLifetime/whileUsed``, but debug
  ///     builds warn when a set value is reset. See A30 in <doc:AtomPromises>.
  ///   - keepAlive: The older spelling of `lifetime: .kept`. It has no effect if you pass a lifetime.
  ///   - throwOnCancellation: Whether ``cancel()`` makes the state a failure. Otherwise, the last result returns.
  ///   - fileID: The file for the label.
  ///   - line: The line for the label.
  ///   - operation: A closure that produces the value. The atoms that it reads, also in child tasks, become
  ///     dependencies. All its reads see one revision.
  public init(
    lifetime: AtomLifetime? = nil,
    keepAlive: Bool = false,
    throwOnCancellation: Bool = false,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ operation: @escaping @Sendable @concurrent () async throws -> Success
  ) {
    definition = AsyncDefinition(
      fileID, line, lifetime: AtomLifetime(lifetime, keepAlive: keepAlive), throwsOnCancellation: throwOnCancellation
    ) { _ in
      do { return RunResult(try await operation()) } catch {
        return RunResult(error: error)
      }
    }
  }

  /// Creates a copy of an atom from its identity.
  ///
  /// - Parameter definition: The identity of an atom of the same type.
  public init(definition: AtomDefinition<AsyncState<Success>>) { self.definition = definition }

  /// The last success, even while another run is under way or after it has failed.
  ///
  /// It is `nil` before the first success. It changes together with the state. If this atom has a label, the label of
  /// the last success is the same label, followed by ", latest".
  public var latest: DerivedAtom<Success?> { AsyncDefinition.of(definition).latestForUsers }

  /// Starts another run in the current store.
  ///
  /// Before the call returns, the state is loading. In a transaction, the run starts when the transaction has
  /// committed. In a derivation or a snapshot, the call has no effect and is reported like a set.
  public func reload() { AtomStore.current.reload(definition) }

  /// Cancels the run in the current store, if there is one.
  ///
  /// The state becomes the last result. If there is none, or with `throwOnCancellation`, it becomes a failure with a
  /// `CancellationError`. In a transaction, the run is canceled when the transaction has committed. In a derivation or
  /// a snapshot, the call has no effect and is reported like a set.
  public func cancel() { AtomStore.current.cancel(AsyncDefinition.of(definition)) }
}

extension AtomStore {
  func reload(_ definition: AnyAtomDefinition) {
    withCore { core in
      core.point()
      if core.refuseSet(definition) { return }
      if Evaluation.current(in: core) == nil { return reload(definition, in: core) }
      core.afterCommit(definition) { [self] in withCore { reload(definition, in: $0) } }
    }
  }

  private func reload(_ definition: AnyAtomDefinition, in core: Graph) {
    guard let definition = core.operating(for: definition) else { return }
    let cell = RunDefinition.of(definition).cell(in: core)
    // The first read starts the first run. It does not belong to a run that calls this method.
    if !cell.reload(in: core) { core.read(cell) }
  }

  func cancel<Success>(_ definition: AsyncDefinition<Success>) {
    withCore { core in
      core.point()
      if core.refuseSet(definition) { return }
      core.afterCommit(definition) { [self] in
        withCore { core in
          guard let definition = core.operating(for: definition) as? AsyncDefinition<Success> else { return }
          let ended = definition.run.cell(in: core).endRun(in: core) { value in
            if !definition.throwsOnCancellation, let result = value.finished { return result }
            return RunResult(error: CancellationError())
          }
          ended?.cancel()
        }
      }
    }
  }
}

extension Graph {
  /// The asynchronous atom whose operation produces an atom's value in this graph, or `nil` if an injected value or
  /// closure replaces the operation.
  func operating(for definition: AnyAtomDefinition) -> AnyAtomDefinition? {
    guard let injection = injection(of: definition) else { return definition }
    return injection.replacement
  }
}
