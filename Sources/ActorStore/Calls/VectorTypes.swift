/// Whether values of a type may contain a vector, and so must not pass through specialized async code.
///
/// In optimized builds, compilers before 6.4 allocate frames that are too small for some async functions that keep a
/// vector of more than 16 bytes, such as `SIMD4<Double>`, across a suspension. The end of such a frame overlaps task
/// memory that belongs to another function. Unspecialized generic code is safe, because it never inspects its values.
/// For details, see `docs/VectorsInAsyncFunctions.md`.
///
/// The alignment of such a vector is 16. A few harmless types, such as `Int128`, have the same alignment, so the check
/// costs them some speed.
@inlinable
@inline(__always)  // HP5
func mayHoldVector<Value>(_: Value.Type) -> Bool {
  #if compiler(>=6.4)
    false
  #else
    MemoryLayout<Value>.alignment > 8
  #endif
}

/// Calls for types that may hold vectors.
///
/// The unspecialized functions are not inlinable, so clients cannot specialize them.
extension Store {
  /// Whether the optimizer must not specialize a dispatch, which is a constant for known types (HP5).
  @inlinable
  @inline(__always)  // HP5
  static func mayHoldVectors<A: Action, Reply>(_: A.Type, _: Reply.Type) -> Bool {
    mayHoldVector(State.self) || mayHoldVector(A.self) || mayHoldVector(A.Output.self) || mayHoldVector(A.Failure.self)
      || mayHoldVector(Reply.self)
  }

  /// `execute` for types that may hold vectors.
  @_semantics("optimize.sil.specialize.generic.never")  // HP5
  @usableFromInline
  @inline(never)  // HP5
  nonisolated(nonsending) func executeUnspecialized<A: Action, Reply: Sendable>(
    _ action: A,
    _ label: ActionLabel,
    reply: @Sendable (A.Output, State) -> Reply
  ) async throws(A.Failure) -> Outcome<Reply> where A.State == State {
    if queue.takesDetour { return try await executeDetour(action, label, reply: reply).get() }
    return try await executeSerial(action, label, reply: reply)
  }

  /// `start` for types that may hold vectors.
  @_semantics("optimize.sil.specialize.generic.never")  // HP5
  @usableFromInline
  @inline(never)  // HP5
  nonisolated func startUnspecialized<A: Action>(
    _ action: A,
    _ label: ActionLabel,
    _ ticket: TicketNumber,
    waiting: Waiting?,
    _ custody: FailureCustody?
  ) -> Task<Result<Outcome<A.Output>, A.Failure>, Never> where A.State == State {
    CallChain.cleared { startSerial(action, label, ticket, waiting: waiting, custody) }
  }

  /// `run` for types that may hold vectors.
  @_semantics("optimize.sil.specialize.generic.never")  // HP5
  @usableFromInline
  @inline(never)  // HP5
  nonisolated(nonsending) func runUnspecialized<G: ActionGroup>(
    _ group: G,
    _ entry: TurnQueue.GroupEntry
  ) async throws(G.Failure) -> Outcome<G.Output> where G.State == State {
    try await run(group, entry)
  }
}

extension Store.Transaction {
  /// `runSuspending` for types that may hold vectors.
  @_semantics("optimize.sil.specialize.generic.never")  // HP5
  @usableFromInline
  @inline(never)  // HP5
  mutating func runUnspecialized<A: Action<State>>(_ action: A) async throws -> A.Output {
    try await runSuspending(action)
  }

  /// The same for an action that cannot fail.
  @_semantics("optimize.sil.specialize.generic.never")  // HP5
  @usableFromInline
  @inline(never)  // HP5
  mutating func runUnspecialized<A: Action<State>>(
    _ action: A
  ) async throws(Veto) -> A.Output where A.Failure == Never {
    if recorder != nil { return try await runRecorded(action) }
    return await action.run(&draft)
  }
}
