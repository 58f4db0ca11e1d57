extension Store {
  /// Runs an action in its turn and returns what became of it.
  ///
  /// The place in the queue is taken before the call suspends (P2). Throws what the action throws, and then the state
  /// is as it was (P4). The outcome is `.cancelled` when the task was cancelled before the action began (P9; it comes
  /// at once when an action that may suspend is ahead, and behind mutations alone when the turn would have come),
  /// `.deferred` when the call is made below a running action and would wait for itself (P7, P8), `.closed` after
  /// ``close()``.
  ///
  /// An uncontended dispatch allocates nothing (P17); of a ``Mutation`` that cannot fail it costs less than the call of
  /// an actor's method.
  @inlinable
  @inline(__always)
  @discardableResult
  public nonisolated(nonsending) func dispatch<A: Action>(
    _ action: A
  ) async throws(A.Failure) -> Outcome<A.Output> where A.State == State {
    try await submit(action, .type(A.self)) { output, _ in output }
  }

  /// Runs an action in its turn and returns a value of the state it committed.
  ///
  /// As `dispatch(_:)`, but `.committed` carries what `value` makes of exactly the state this action left, before
  /// any later action can change it. `value` is called inside the turn: keep it short. When the action does not run,
  /// or is deferred, `value` is not called.
  @inlinable
  @discardableResult
  public nonisolated(nonsending) func dispatch<A: Action, Value: Sendable>(
    _ action: A,
    returning value: @Sendable (State) -> Value
  ) async throws(A.Failure) -> Outcome<Value> where A.State == State {
    try await submit(action, .type(A.self)) { _, state in value(state) }
  }

  /// Runs an action under a policy, as `dispatch(_:)` does, and returns what became of it.
  ///
  /// What the policy changes of that is said with it: ``DispatchPolicy/overlapping``.
  @inlinable
  @discardableResult
  public nonisolated(nonsending) func dispatch<A: Action>(
    _ action: A,
    policy: DispatchPolicy
  ) async throws(A.Failure) -> Outcome<A.Output> where A.State == State {
    try await submit(action, .type(A.self), policy) { output, _ in output }
  }

  /// Runs an action under a policy, and returns a value of the state it committed, as `dispatch(_:returning:)` does.
  @inlinable
  @discardableResult
  public nonisolated(nonsending) func dispatch<A: Action, Value: Sendable>(
    _ action: A,
    policy: DispatchPolicy,
    returning value: @Sendable (State) -> Value
  ) async throws(A.Failure) -> Outcome<Value> where A.State == State {
    try await submit(action, .type(A.self), policy) { _, state in value(state) }
  }

  /// Runs an action whose type is not known, as `dispatch(_:)` does; a mutation among them keeps its in-place path.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public nonisolated(nonsending) func dispatch(_ action: any Action<State>) async throws -> Outcome<any Sendable> {
    try await dispatch(opened: action)
  }

  @inlinable
  nonisolated(nonsending) func dispatch<A: Action>(
    opened action: A
  ) async throws -> Outcome<any Sendable> where A.State == State {
    try await submit(action, .type(A.self)) { output, _ in output }
  }

  /// Runs a synchronous closure in its turn, as `dispatch(_:)` does; in place when it cannot throw.
  ///
  /// - Parameters:
  ///   - label: What the closure is called in diagnostics and by guards.
  ///   - body: Changes the state. It must be able to outlive the call, because a deferred one runs later (P7).
  @inlinable
  @inline(__always)
  @discardableResult
  public nonisolated(nonsending) func dispatch<Output: Sendable, Failure: Error>(
    label: StaticString = "closure",
    _ body: @escaping @Sendable (inout State) throws(Failure) -> Output
  ) async throws(Failure) -> Outcome<Output> {
    try await submit(ClosureMutation(label: label, body: body), .text(label)) { output, _ in output }
  }

  /// Runs an asynchronous closure in its turn, as `dispatch(_:)` does.
  ///
  /// - Parameters:
  ///   - label: What the closure is called in diagnostics and by guards.
  ///   - body: Changes a draft of the state. It must be able to outlive the call, because a deferred one runs later
  ///     (P7).
  @inlinable
  @inline(__always)
  @discardableResult
  public nonisolated(nonsending) func dispatch<Output: Sendable, Failure: Error>(
    label: StaticString = "closure",
    _ body: @escaping @Sendable (inout State) async throws(Failure) -> Output
  ) async throws(Failure) -> Outcome<Output> {
    try await submit(ClosureAction(label: label, body: body), .text(label)) { output, _ in output }
  }

  /// Runs an action whose type is not known under a policy, as `dispatch(_:policy:)` does.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public nonisolated(nonsending) func dispatch(
    _ action: any Action<State>,
    policy: DispatchPolicy
  ) async throws -> Outcome<any Sendable> {
    try await dispatch(opened: action, policy)
  }

  @inlinable
  nonisolated(nonsending) func dispatch<A: Action>(
    opened action: A,
    _ policy: DispatchPolicy
  ) async throws -> Outcome<any Sendable> where A.State == State {
    try await submit(action, .type(A.self), policy) { output, _ in output }
  }

  /// Runs a synchronous closure under a policy, as `dispatch(_:policy:)` does a mutation.
  ///
  /// - Parameters:
  ///   - label: What the closure is called in diagnostics and by guards.
  ///   - policy: How it is run among the other actions.
  ///   - body: Changes the state. It must be able to outlive the call, because a deferred one runs later (P7).
  @inlinable
  @discardableResult
  public nonisolated(nonsending) func dispatch<Output: Sendable, Failure: Error>(
    label: StaticString = "closure",
    policy: DispatchPolicy,
    _ body: @escaping @Sendable (inout State) throws(Failure) -> Output
  ) async throws(Failure) -> Outcome<Output> {
    try await submit(ClosureMutation(label: label, body: body), .text(label), policy) { output, _ in output }
  }

  /// Runs an asynchronous closure under a policy, as `dispatch(_:policy:)` does.
  ///
  /// - Parameters:
  ///   - label: What the closure is called in diagnostics and by guards.
  ///   - policy: How it is run among the other actions.
  ///   - body: Changes a draft of the state. It must be able to outlive the call, because a deferred one runs later
  ///     (P7).
  @inlinable
  @discardableResult
  public nonisolated(nonsending) func dispatch<Output: Sendable, Failure: Error>(
    label: StaticString = "closure",
    policy: DispatchPolicy,
    _ body: @escaping @Sendable (inout State) async throws(Failure) -> Output
  ) async throws(Failure) -> Outcome<Output> {
    try await submit(ClosureAction(label: label, body: body), .text(label), policy) { output, _ in output }
  }
}
