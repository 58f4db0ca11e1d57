extension Store {
  /// Closes the store and waits until every accepted action and every group has ended.
  ///
  /// Use it to shut down a server. Actions that were dispatched or sent before the call still run, and so do deferred
  /// actions whose owners commit. Running groups continue, and the store still accepts their actions and the groups
  /// that they start. Other calls return ``Outcome/closed``. Once no action runs or waits, the store's streams that
  /// running groups created end, so that those groups can end. If the store is already closed, the call waits for the
  /// remaining actions and groups.
  ///
  /// If the waiting task is canceled, the store stays closed, and its actions and groups still run.
  ///
  /// - Throws: ``StateWaitError/cancelled``, or ``StateWaitError/wouldDeadlock``. The call would deadlock if it is
  ///   nested in an action (even an overlapping one) or a group of the store, in an action of another store that an
  ///   action or a group of this store waits for, or in an action of another store whose deferred call this store has
  ///   accepted. Even if the call throws, the store is closed.
  public nonisolated(nonsending) func closeAndDrain() async throws(StateWaitError) {
    close()
    _ = try await isDrained(within: nil, ContinuousClock())
  }

  /// Closes the store, waits like ``closeAndDrain()`` for a limited time, and then cancels the sent groups.
  ///
  /// ```swift
  /// if let rest = try await store.closeAndDrain(within: .seconds(5)) { logger.error("\(rest)") }
  /// ```
  ///
  /// At the time limit, the call cancels the task of each sent group. A canceled group that has not begun never begins.
  /// Then the call waits for the same time again. It does not cancel actions and dispatched groups, which run in their
  /// callers' tasks.
  ///
  /// - Parameters:
  ///   - limit: The maximum time of each of the two waits.
  ///   - clock: The clock that measures the limit.
  /// - Returns: `nil` if every action and group has ended. Otherwise, the diagnostics of the store at the end of the
  ///   call, which name the actions and groups that still run.
  /// - Throws: The same errors as ``closeAndDrain()``.
  @discardableResult
  public nonisolated(nonsending) func closeAndDrain(
    within limit: Duration,
    clock: any Clock<Duration> = ContinuousClock()
  ) async throws(StateWaitError) -> StoreDiagnostics? {
    try await closeAndDrain(within: limit, clock, onTimeout: {})
  }

  /// Closes the store, drains it in two steps, and calls a closure between the two.
  package nonisolated(nonsending) func closeAndDrain(
    within limit: Duration,
    _ clock: any Clock<Duration>,
    onTimeout: () -> Void
  ) async throws(StateWaitError) -> StoreDiagnostics? {
    close()
    if try await isDrained(within: limit, clock) { return nil }
    onTimeout()
    queue.cancelSentGroups()
    return try await isDrained(within: limit, clock) ? nil : diagnostics
  }

  /// Waits until the store is drained, or returns `false` if the time limit expires.
  private nonisolated(nonsending) func isDrained(
    within limit: Duration?,
    _ clock: any Clock<Duration>
  ) async throws(StateWaitError) -> Bool {
    do throws(StateWaitError) {
      _ = try await select().first(isForDrain: true, within: limit, clock) { _ in false }
      return true
    } catch {
      switch error {
      // The stream of states ends when the last action and the last group end.
      case .closed: return true
      case .timedOut: return queue.isDrained
      case .cancelled, .wouldDeadlock: throw error
      }
    }
  }
}
