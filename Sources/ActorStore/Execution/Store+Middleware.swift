/// Runs an action inside the middleware of the store, with a record of its members, or on its own.
extension Store {
  /// The way the store runs actions of a type.
  ///
  /// A mutation around which the middleware may suspend runs like an asynchronous action.
  @inlinable
  nonisolated func execution<A: Action<State>>(of _: A.Type) -> _ActionExecution {
    if guards != nil && guards!.suspendsMutations && !A._execution.isTransaction { return .asynchronous }
    return A._execution
  }

  // MARK: In a store with guards

  /// Runs an action on a draft.
  ///
  /// The members of a transaction are wrapped, but the transaction itself is not.
  @inlinable
  @inline(__always)  // HP1
  nonisolated(nonsending) func perform<A: Action<State>>(
    _ action: A,
    _ draft: inout State,
    _ recorder: MemberRecorder<State>?
  ) async throws(Stop<A.Failure>) -> A.Output {
    if guards != nil && guards!.hasMiddleware && !A._execution.isTransaction {
      return try await guards!.run(action, &draft)
    }
    do throws(A.Failure) {
      return try await run(action, on: &draft, recorder)
    } catch {
      throw .failed(error)
    }
  }

  /// Runs a mutation, or a transaction that does not suspend, on a draft.
  @inlinable
  @inline(__always)  // HP18
  nonisolated func performSynchronously<A: Action<State>>(
    _ action: A,
    _ draft: inout State,
    _ recorder: MemberRecorder<State>?
  ) throws(Stop<A.Failure>) -> A.Output {
    if !A._execution.isTransaction { return try guards!.apply(action, &draft) }
    do throws(A.Failure) {
      return try apply(action, on: &draft, recorder)
    } catch {
      throw .failed(error)
    }
  }

  // MARK: Transactions that record their members

  /// Whether an action is a transaction with members that guards or a stream of transitions need.
  @inlinable
  @inline(__always)  // HP1
  nonisolated func mustRecord<A: Action<State>>(_: A.Type) -> Bool {
    A._execution.isTransaction && (guards != nil || queue.recordsMembers)
  }

  /// A new record of the members of an action, or `nil` if nothing needs them.
  ///
  /// Each run has its own record, so the same transaction can run again, even in another store.
  @inlinable
  @inline(__always)  // HP1
  nonisolated func recorder<A: Action<State>>(for _: A.Type) -> MemberRecorder<State>? {
    mustRecord(A.self) ? newRecorder : nil
  }

  @usableFromInline nonisolated var newRecorder: MemberRecorder<State> {
    MemberRecorder(guards, keepsMembers: queue.recordsMembers || guards?.hasListeners == true)
  }

  @inlinable
  @inline(never)  // HP2
  nonisolated(nonsending) func runRecorded<A: Action, Reply: Sendable>(
    _ action: A,
    _ ticket: TicketNumber,
    reply: @Sendable (A.Output, State) -> Reply
  ) async throws(A.Failure) -> Outcome<Reply> where A.State == State {
    try await runOnDraft(action, ticket, recorder(for: A.self), reply: reply)
  }

  @inlinable
  @inline(never)  // HP2
  nonisolated func applyRecorded<A: Action, Reply>(
    _ action: A,
    _ ticket: TicketNumber,
    reply: @Sendable (A.Output, State) -> Reply
  ) throws(A.Failure) -> Outcome<Reply> where A.State == State {
    try apply(action, ticket, recorder(for: A.self), reply: reply)
  }

  /// Runs an action on a draft, without wrapping the whole action in middleware.
  ///
  /// If nothing needs the members of a transaction, its body is inlined into the caller.
  @inlinable
  @inline(__always)  // HP1
  nonisolated(nonsending) func run<A: Action<State>>(
    _ action: A,
    on draft: inout State,
    _ recorder: MemberRecorder<State>?
  ) async throws(A.Failure) -> A.Output {
    if !A._execution.isTransaction || recorder == nil { return try await action.run(&draft) }
    var run = _TransactionRun(recorder: recorder)
    return try await action._runMembers(&draft, &run)
  }

  @inlinable
  @inline(__always)  // HP1
  nonisolated func apply<A: Action<State>>(
    _ action: A,
    on draft: inout State,
    _ recorder: MemberRecorder<State>?
  ) throws(A.Failure) -> A.Output {
    if !A._execution.isTransaction || recorder == nil { return try action._runSynchronously(&draft) }
    var run = _TransactionRun(recorder: recorder)
    return try action._applyMembers(&draft, &run)
  }
}
