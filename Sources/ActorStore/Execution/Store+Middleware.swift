/// The run of an action, inside the middleware of the store.
extension Store {
  /// The way the store runs actions of a type.
  ///
  /// A mutation around which the middleware may suspend runs like an asynchronous action.
  @inlinable
  nonisolated func execution<A: Action<State>>(of _: A.Type) -> _ActionExecution {
    if guards != nil && guards!.suspendsMutations && !A._execution.isTransaction { return .asynchronous }
    return A._execution
  }

  /// Runs an action on a draft.
  ///
  /// The members of a transaction are wrapped, but the transaction itself is not.
  @inlinable
  @inline(__always)  // HP1
  nonisolated(nonsending) func perform<A: Action<State>>(
    _ action: A,
    _ draft: inout State
  ) async throws(Stop<A.Failure>) -> A.Output {
    if guards != nil && guards!.hasMiddleware && !A._execution.isTransaction {
      return try await guards!.run(action, &draft)
    }
    return try await action.runStopping(&draft)
  }
}
