extension Store {
  /// Closes the store and waits until every accepted action has ended.
  ///
  /// Use it to shut down a server. Actions that were dispatched or sent before the call still run. Later calls return
  /// ``Outcome/closed``. The call does not wait for groups, because they hold no turn. If the store is already closed,
  /// the call waits for the remaining actions.
  ///
  /// If the waiting task is canceled, the store stays closed, and its actions still run.
  ///
  /// - Throws: ``StateWaitError/cancelled``, or ``StateWaitError/wouldDeadlock`` if the call is nested in an action of
  ///   the store, including an overlapping one, or in an action of another store that an action of this store waits
  ///   for. Even then, the store is closed.
  public nonisolated(nonsending) func closeAndDrain() async throws(StateWaitError) {
    close()
    do throws(StateWaitError) {
      _ = try await firstState(isForDrain: true, where: { _ in false }, within: nil, ContinuousClock())
    } catch {
      // The stream of states ends when the last action ends.
      if error != .closed { throw error }
    }
  }
}
