/// What all calls of `dispatch` come to: a ticket, and then the action here, in a task of its own, or not at all.
///
/// The way of a call that nobody holds up becomes a part of its caller: a frame of its own would double what it costs.
/// So the calls down to `submitAtOnce` are inlined whatever the optimiser thinks of the caller; what it has to do when it
/// is held up, refused or fails stays outside, so that little is copied.
extension Store {
  @inlinable
  nonisolated(nonsending) func submit<A: Action, Reply: Sendable>(
    _ action: A,
    _ label: ActionLabel,
    _ policy: DispatchPolicy,
    reply: @Sendable (A.Output, State) -> Reply
  ) async throws(A.Failure) -> Outcome<Reply> where A.State == State {
    if A.overlaps(under: policy) { return try await submitOverlapping(action, label, reply: reply) }
    return try await submit(action, label, reply: reply)
  }

  @inlinable
  @inline(__always)
  nonisolated(nonsending) func submit<A: Action, Reply: Sendable>(
    _ action: A,
    _ label: ActionLabel,
    reply: @Sendable (A.Output, State) -> Reply
  ) async throws(A.Failure) -> Outcome<Reply> where A.State == State {
    if Self.mayHoldVectors(A.self, Reply.self) { return try await submitUnspecialized(action, label, reply: reply) }
    if line.isSimulated { return try await submitSimulated(action, label, reply: reply).get() }
    return try await submitAtOnce(action, label, reply: reply)
  }

  /// Whether a dispatch must not be specialized for its types (`mayHoldVector`): known when it is compiled.
  @inlinable
  @inline(__always)
  static func mayHoldVectors<A: Action, Reply>(_: A.Type, _: Reply.Type) -> Bool {
    mayHoldVector(State.self) || mayHoldVector(A.self) || mayHoldVector(A.Output.self) || mayHoldVector(A.Failure.self)
      || mayHoldVector(Reply.self)
  }

  /// `submit` for types that may hold vectors: its clients cannot see into it, so they cannot specialize it.
  @_semantics("optimize.sil.specialize.generic.never")
  @usableFromInline
  @inline(never)
  nonisolated(nonsending) func submitUnspecialized<A: Action, Reply: Sendable>(
    _ action: A,
    _ label: ActionLabel,
    reply: @Sendable (A.Output, State) -> Reply
  ) async throws(A.Failure) -> Outcome<Reply> where A.State == State {
    if line.isSimulated { return try await submitSimulated(action, label, reply: reply).get() }
    return try await submitAtOnce(action, label, reply: reply)
  }

  /// A function of its own: a `catch` in `submit` costs every dispatch a fifth of a bare call.
  @inlinable
  @inline(never)
  nonisolated(nonsending) func submitSimulated<A: Action, Reply: Sendable>(
    _ action: A,
    _ label: ActionLabel,
    reply: @Sendable (A.Output, State) -> Reply
  ) async -> Result<Outcome<Reply>, A.Failure> where A.State == State {
    let result: Result<Outcome<Reply>, A.Failure>
    do throws(A.Failure) {
      result = .success(try await submitAtOnce(action, label, reply: reply))
    } catch {
      result = .failure(error)
    }
    // On one thread nobody could come in between here and the caller's next step; on several they could.
    await line.pause()
    return result
  }

  @inlinable
  @inline(__always)
  nonisolated(nonsending) func submitAtOnce<A: Action, Reply: Sendable>(
    _ action: A,
    _ label: ActionLabel,
    reply: @Sendable (A.Output, State) -> Reply
  ) async throws(A.Failure) -> Outcome<Reply> where A.State == State {
    if isCurrentTaskCancelled() { return .cancelled }
    // A caller without an actor is already where the action is to run.
    let caller: (any Actor)? = #isolation
    let isHere = caller == nil
    let entry = line.take(
      label, canSuspend: A._execution.canSuspend, startingIn: isHere ? .begun(by: A._execution) : .handed)
    if isHere, case .run(let ticket) = entry { return try await run(action, ticket, reply: reply) }
    return try await proceed(with: entry, action, label, reply: reply)
  }

  /// What is left when the action cannot begin at once where the call was made.
  @inlinable
  @inline(never)
  nonisolated(nonsending) func proceed<A: Action, Reply: Sendable>(
    with entry: TurnEntry,
    _ action: A,
    _ label: ActionLabel,
    reply: @Sendable (A.Output, State) -> Reply
  ) async throws(A.Failure) -> Outcome<Reply> where A.State == State {
    let place: Place
    switch entry {
    case .run(let ticket): place = .granted(ticket)
    case .wait(let ticket, let waiting): place = .queued(ticket, waiting)
    case .deferred(let ticket):
      runLater(action, label, .serial, ticket)
      return .deferred
    case .closed: return .closed
    }
    return try await perform(action, label, at: place, reply: reply)
  }
}
