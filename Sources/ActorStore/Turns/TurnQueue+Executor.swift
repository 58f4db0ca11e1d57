/// The executor that a store's actions prefer.
///
/// A task that waits for the turn, or that is suspended while it holds the turn, resumes behind all tasks that are
/// ready to run on its executor. So a store whose actions prefer their own executor does not wait for the tasks of other
/// executors.
extension TurnQueue {
  /// Makes a call that can suspend, and lets the current task prefer the store's executor until the call returns.
  ///
  /// If the current task already prefers an executor, the call stays there.
  ///
  /// - Parameters:
  ///   - isBrief: Whether the call neither waits nor suspends, so that switching executors would take longer than the
  ///     call itself.
  ///   - call: The call.
  @usableFromInline
  nonisolated(nonsending) func preferringExecutor<Result>(
    unless isBrief: Bool = false,
    _ call: nonisolated(nonsending) () async -> Result
  ) async -> Result {
    if !hasExecutor || isBrief || currentTaskExecutor() != nil { return await call() }
    return await withTaskExecutorPreference(executor) { await call() }
  }

  /// Starts a task of the store, which prefers its creator's executor or, if there is none, the store's.
  func startTask<Success: Sendable>(
    _ operation: @escaping @Sendable @concurrent () async -> Success
  ) -> Task<Success, Never> {
    inheritingTask(preferring: hasExecutor ? executor : nil, operation)
  }
}
