import Synchronization

/// Commits that are undone together.
extension History {
  /// Makes the commits of a closure one step to undo.
  ///
  /// ```swift
  /// await history.step {
  ///   await editor.dispatch(Cut())
  ///   await editor.dispatch(Paste())
  /// }
  /// ```
  ///
  /// The actions that the closure dispatches, also in tasks that it starts, belong to the step. A commit of other code in
  /// between splits the step. A step inside a step belongs to the outer one.
  ///
  /// - Parameter body: The closure.
  /// - Returns: The result of the closure.
  public nonisolated(nonsending) func step<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    try await CurrentStep.$ids.withValue(newStep()) { try await body() }
  }

  /// Makes the commits of a closure that does not suspend one step to undo.
  ///
  /// - Parameter body: The closure, which sends actions.
  /// - Returns: The result of the closure.
  public func step<Result>(_ body: () throws -> Result) rethrows -> Result {
    try CurrentStep.$ids.withValue(newStep()) { try body() }
  }

  private func newStep() -> [ObjectIdentifier: UInt64] {
    var ids = CurrentStep.ids
    if ids[ObjectIdentifier(self)] != nil { return ids }
    ids[ObjectIdentifier(self)] = shared.withLock { shared in
      shared.lastStepID += 1
      return shared.lastStepID
    }
    return ids
  }
}

/// The steps in which the current task is, by history.
enum CurrentStep {
  @TaskLocal static var ids: [ObjectIdentifier: UInt64] = [:]
}
