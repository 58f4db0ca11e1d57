public import ActorStoreTesting
public import Atoms

/// The state of a test store for atoms, which has no state except that of the atoms.
public struct AtomValues: Equatable, Sendable {
  /// Creates the state.
  public init() {}
}

extension TestStore where State == AtomValues {
  /// Gives atoms a separate store while a closure runs, and in the tasks that it creates.
  ///
  /// ```swift
  /// @Test func filtering() async throws {
  ///   try await TestStore { store in
  ///     store.inject(todosAtom) { [Todo(name: "A"), Todo(name: "B", completed: true)] }
  ///     filterAtom.value = .completed
  ///     try await expectEqual(filteredTodosAtom.value.map(\.name), ["B"])
  ///   }
  /// }
  /// ```
  ///
  /// Any number of test stores can run in parallel. All of them can use the same global atoms, and none sees another.
  /// They share everything that is not in atoms: a global `Store`, the state that `store.atom(\.path)` reads from it,
  /// and an object in a global atom. Inject these atoms to give a test its own value. A mistake that the store reports,
  /// such as a set in a derivation, fails the test. A warning does not.
  ///
  /// At the end, the test store reports anything that the closure has left behind:
  ///
  /// - atoms that are still in use, because a wrapper, an observation, a stream, or a model still exists
  /// - asynchronous atoms that are still running, or that wait for a debounced or throttled change
  /// - atoms that were set, and whose last value nothing has read or watched, directly or through a derived atom
  ///
  /// An observation for an owner counts until you cancel its token, even if the owner is gone. The runs with which a
  /// `PublishedAtom`, or an `ObservableObjectAtom` of Combine, follows an object never end by themselves, so they are
  /// not reported. At the end, whether or not the closure throws, the test store cancels all runs and starts no more,
  /// even if something still holds the store. A task that still waits for a result gets a `CancellationError`.
  ///
  /// - Parameters:
  ///   - exhaustivity: Whether to report anything that the closure has left behind.
  ///   - clock: The clock of debounced and throttled reads. By default, time is virtual inside a simulation and real
  ///     elsewhere.
  ///   - fileID: The file ID of the call, for failure reports.
  ///   - filePath: The file path of the call, for failure reports.
  ///   - line: The line of the call, for failure reports.
  ///   - column: The column of the call, for failure reports.
  ///   - operation: The test. It gets the store, which is the current one.
  /// - Throws: The error of the closure. Inside a simulation, also `TestStoreFailure`, with all failures that this test
  ///   store found. Elsewhere, the call reports them and does not throw them.
  @discardableResult
  public convenience init(
    exhaustivity: Exhaustivity = .on,
    clock: (any Clock<Duration>)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ operation: (AtomStore) async throws -> Void
  ) async throws {
    let site = CallSite(fileID, filePath, line, column)
    let reporter = IssueReporter()
    let store = AtomStore.recordingReads(clock: clock ?? defaultClock())
    defer { store.endRuns() }
    let warn = store.onProblem
    store.onProblem = { problem in
      if problem.isWarning { warn(problem) } else { reporter.record(problem.description, at: site) }
    }
    try await store.callAsCurrent { try await operation(store) }
    if case .on = exhaustivity {
      let leftovers = store.leftovers
      for atom in leftovers.inUse {
        reporter.record(
          "\(atom) is still in use at the end of the test. Release its wrappers, observations, streams, and models.",
          at: site)
      }
      for atom in leftovers.running {
        reporter.record("\(atom) is still running at the end of the test. Wait for its result, or cancel it.", at: site)
      }
      for atom in leftovers.unread {
        reporter.record("\(atom) was set, but nothing has read its last value. Assert it.", at: site)
      }
    }
    try reporter.throwKept()
    self.init(AtomValues(), exhaustivity: exhaustivity, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
