import Synchronization

/// Commits that are undone together.
extension History {
  /// Makes the commits of a closure one step to undo.
  ///
  /// ```swift
  /// try await history.step {
  ///   try await editor.dispatch(Cut()).get()
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

  private func newStep() -> [UInt64: UInt64] {
    var ids = CurrentStep.ids
    if ids[id] != nil { return ids }
    ids[id] = shared.withLock { shared in
      shared.lastStepID += 1
      return shared.lastStepID
    }
    return ids
  }
}

/// The steps in which the current task is, by history.
enum CurrentStep {
  /// The IDs of the steps, by the IDs of the histories.
  @TaskLocal static var ids: [UInt64: UInt64] = [:]

  private static let lastHistoryID = Atomic<UInt64>(0)

  /// Returns the ID of a new history.
  ///
  /// An address does not identify a history, because a task can outlive a history, and a new one can reuse its address.
  static func newHistoryID() -> UInt64 { lastHistoryID.wrappingAdd(1, ordering: .relaxed).newValue }
}
