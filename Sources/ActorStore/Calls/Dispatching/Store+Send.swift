extension Store {
  /// Sends an action, which runs in a task of its own, and returns its ticket immediately.
  ///
  /// You can call it from any synchronous code. It assigns the queue position synchronously, so use it to fix an order
  /// between actions whose tasks may start in any order. See P2 in <doc:Promises>.
  ///
  /// The action runs like a `Task {}`, with the caller's task-locals and priority. It is nested in nothing. It is not
  /// canceled with the caller, and it runs even if the caller is already canceled, so use `send` for cleanup. A
  /// ``Mutation`` sent to an idle store may run inside the call.
  ///
  /// If the action fails or is not committed, and no task awaits it, the store's `onUnhandledFailure` gets the reason.
  ///
  /// - Parameters:
  ///   - action: The action to run.
  ///   - policy: How the action runs among other actions. The default is ``DispatchPolicy/serial``.
  /// - Returns: The ticket, with which you can await the outcome or cancel the action.
  @inlinable
  @inline(__always)  // HP1
  @discardableResult
  public nonisolated func send<A: Action>(
    _ action: A,
    policy: DispatchPolicy = .serial
  ) -> Ticket<A.Output, A.Failure> where A.State == State {
    enqueue(action, .type(A.self), policy)
  }

  /// Sends a synchronous closure, like ``send(_:policy:)``.
  ///
  /// A closure that cannot throw edits the state in place.
  ///
  /// - Parameters:
  ///   - label: The name of the closure in diagnostics and for guards.
  ///   - policy: How the closure runs among other actions. The default is ``DispatchPolicy/serial``.
  ///   - body: A closure that changes the state.
  @inlinable
  @discardableResult
  public nonisolated func send<Output: Sendable, Failure: Error>(
    label: StaticString = "closure",
    policy: DispatchPolicy = .serial,
    _ body: @escaping @Sendable (inout State) throws(Failure) -> Output
  ) -> Ticket<Output, Failure> {
    enqueue(ClosureMutation(label: label, body: body), .text(label), policy)
  }

  /// Sends an asynchronous closure, like ``send(_:policy:)``.
  ///
  /// - Parameters:
  ///   - label: The name of the closure in diagnostics and for guards.
  ///   - policy: How the closure runs among other actions. The default is ``DispatchPolicy/serial``.
  ///   - body: A closure that changes a draft of the state.
  @inlinable
  @discardableResult
  public nonisolated func send<Output: Sendable, Failure: Error>(
    label: StaticString = "closure",
    policy: DispatchPolicy = .serial,
    _ body: @escaping @Sendable (inout State) async throws(Failure) -> Output
  ) -> Ticket<Output, Failure> {
    enqueue(ClosureAction(label: label, body: body), .text(label), policy)
  }
}
