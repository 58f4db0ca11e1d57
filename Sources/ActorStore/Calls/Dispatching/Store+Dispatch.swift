extension Store {
  /// Runs an action in its turn and returns its outcome.
  ///
  /// The call assigns its queue position synchronously, before it suspends. See P2 in <doc:Promises>. If the action
  /// throws, the call throws the same error, and the state remains unchanged.
  ///
  /// In steady state, an uncontended dispatch allocates nothing, unless the action is nested more than two stores deep.
  /// See P17 in <doc:Promises>. In the measurements in <doc:Performance>, an uncontended dispatch of a ``Mutation``
  /// that cannot fail costs less than a call to an actor's method.
  ///
  /// - Parameters:
  ///   - action: The action to run.
  ///   - policy: How the action runs among other actions. The default is ``DispatchPolicy/serial``.
  /// - Returns: ``Outcome/committed(_:)`` with the action's output, or the reason that the action was not committed:
  ///   - ``Outcome/cancelled`` if the task was canceled before the action began. The call returns this without waiting
  ///     for its turn if an action ahead may suspend. If only mutations are ahead, it returns when its turn arrives.
  ///   - ``Outcome/deferred`` if the call is nested in a running action and would wait for itself.
  ///   - ``Outcome/vetoed(_:)`` if a guard or a middleware refused the action.
  ///   - ``Outcome/closed`` if the store was closed before the call.
  @inlinable
  @inline(__always)  // HP1
  @discardableResult
  public nonisolated(nonsending) func dispatch<A: Action>(
    _ action: A,
    policy: DispatchPolicy = .serial
  ) async throws(A.Failure) -> Outcome<A.Output> where A.State == State {
    try await execute(action, .type(A.self), policy) { output, _ in output }
  }

  /// Runs an action in its turn and returns a value computed from the state that it committed.
  ///
  /// This is like ``dispatch(_:policy:)->Outcome<A.Output>``, except that ``Outcome/committed(_:)`` carries the result
  /// of `value`. The closure gets exactly the state that this action commits, before any later action can change it.
  ///
  /// - Parameters:
  ///   - action: The action to run.
  ///   - policy: How the action runs among other actions. The default is ``DispatchPolicy/serial``.
  ///   - value: A closure that computes the value. It is called in the action's turn, so keep it short. It is not
  ///     called if the action does not run, fails, or is deferred.
  @inlinable
  @discardableResult
  public nonisolated(nonsending) func dispatch<A: Action, Value: Sendable>(
    _ action: A,
    policy: DispatchPolicy = .serial,
    returning value: @Sendable (State) -> Value
  ) async throws(A.Failure) -> Outcome<Value> where A.State == State {
    try await execute(action, .type(A.self), policy) { _, state in value(state) }
  }

  /// Runs an action of unknown type, like ``dispatch(_:policy:)->Outcome<A.Output>``.
  ///
  /// A mutation that cannot fail still edits the state in place.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public nonisolated(nonsending) func dispatch(
    _ action: any Action<State>,
    policy: DispatchPolicy = .serial
  ) async throws -> Outcome<any Sendable> {
    try await dispatch(opened: action, policy)
  }

  @inlinable
  nonisolated(nonsending) func dispatch<A: Action>(
    opened action: A,
    _ policy: DispatchPolicy
  ) async throws -> Outcome<any Sendable> where A.State == State {
    try await execute(action, .type(A.self), policy) { output, _ in output }
  }

  /// Runs a synchronous closure in its turn, like ``dispatch(_:policy:)->Outcome<A.Output>``.
  ///
  /// A closure that cannot throw edits the state in place.
  ///
  /// - Parameters:
  ///   - label: The name of the closure in diagnostics and for guards.
  ///   - policy: How the closure runs among other actions. The default is ``DispatchPolicy/serial``.
  ///   - body: A closure that changes the state. It escapes, because a deferred closure runs after the call returns.
  @inlinable
  @inline(__always)  // HP1
  @discardableResult
  public nonisolated(nonsending) func dispatch<Output: Sendable, Failure: Error>(
    label: StaticString = "closure",
    policy: DispatchPolicy = .serial,
    _ body: @escaping @Sendable (inout State) throws(Failure) -> Output
  ) async throws(Failure) -> Outcome<Output> {
    try await execute(ClosureMutation(label: label, body: body), .text(label), policy) { output, _ in output }
  }

  /// Runs an asynchronous closure in its turn, like ``dispatch(_:policy:)->Outcome<A.Output>``.
  ///
  /// - Parameters:
  ///   - label: The name of the closure in diagnostics and for guards.
  ///   - policy: How the closure runs among other actions. The default is ``DispatchPolicy/serial``.
  ///   - body: A closure that changes a draft of the state. It escapes, because a deferred closure runs after the call
  ///     returns.
  @inlinable
  @inline(__always)  // HP1
  @discardableResult
  public nonisolated(nonsending) func dispatch<Output: Sendable, Failure: Error>(
    label: StaticString = "closure",
    policy: DispatchPolicy = .serial,
    _ body: @escaping @Sendable (inout State) async throws(Failure) -> Output
  ) async throws(Failure) -> Outcome<Output> {
    try await execute(ClosureAction(label: label, body: body), .text(label), policy) { output, _ in output }
  }
}
