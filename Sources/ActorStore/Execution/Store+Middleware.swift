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
    do throws(A.Failure) {
      return try await action.run(&draft)
    } catch {
      throw .failed(error)
    }
  }

  /// Runs a mutation, or a transaction that does not suspend, on a draft or in place.
  @inlinable
  @inline(__always)  // HP18
  nonisolated func perform<A: Action<State>>(
    _ action: A,
    _ state: inout State
  ) throws(Stop<A.Failure>) -> A.Output {
    if guards!.hasMiddleware && !A._execution.isTransaction {
      return try guards!.apply(action, &state, savesState: A._execution != .inPlace || !guards!.editsInPlace)
    }
    return try action._applyStopping(&state)
  }
}
