extension Store {
  /// Several actions on one draft: one commit, one notification, all or nothing.
  ///
  /// ```swift
  /// let outcome = try await store.transaction { transaction in
  ///   try await transaction.run(Withdraw(50, from: .checking))
  ///   try await transaction.run(Deposit(50, to: .savings))
  /// }
  /// ```
  ///
  /// The store gives one to the body of `Store.transaction(label:_:)`, which has the turn from its start to its commit,
  /// as an action has: keep it short.
  public struct Transaction: ~Copyable, Sendable {
    /// What the members have made of the state so far; nobody else sees it before the commit (P6).
    public private(set) var state: State
    let guards: (any Guards<State>)?

    /// Runs a member: an action on the draft.
    ///
    /// Throws what the action throws, and then the draft is as it was before: an error that the body catches undoes this
    /// member only, one that leaves the body undoes all. The guards are asked for each member; a ``Veto`` of theirs is
    /// thrown, and the member does not run.
    @discardableResult
    public mutating func run<A: Action<State>>(_ action: A) async throws -> A.Output {
      try askGuards(action)
      // What cannot fail needs no way back, and then the draft is edited in place from its first change on.
      let before = A.Failure.self == Never.self ? nil : state
      do throws(A.Failure) {
        if A._execution.canSuspend { return try await action.run(&state) }
        return try action._runSynchronously(&state)
      } catch {
        if let before { state = before }
        guards?.memberDidFail(action, error: error, state: state)
        throw error
      }
    }

    /// Runs a member that cannot fail: nothing is thrown but a ``Veto``.
    @discardableResult
    public mutating func run<A: Action<State>>(_ action: A) async throws(Veto) -> A.Output where A.Failure == Never {
      try askGuards(action)
      return A._execution.canSuspend ? await action.run(&state) : action._runSynchronously(&state)
    }

    private func askGuards<A: Action<State>>(_ action: A) throws(Veto) {
      if let veto = guards?.admit(action, state: state) { throw veto }
    }
  }
}

extension Store.Transaction {
  /// Runs a member whose type is not known.
  @_disfavoredOverload
  @discardableResult
  public mutating func run(_ action: any Action<State>) async throws -> any Sendable {
    try await run(opened: action)
  }

  private mutating func run<A: Action<State>>(opened action: A) async throws -> any Sendable {
    try await run(action)
  }

  /// Runs a synchronous closure as a member.
  @discardableResult
  public mutating func run<Output: Sendable, Failure: Error>(
    label: StaticString = "closure",
    _ body: @escaping @Sendable (inout State) throws(Failure) -> Output
  ) async throws -> Output {
    try await run(ClosureMutation(label: label, body: body))
  }

  /// Runs a synchronous closure that cannot fail as a member.
  @discardableResult
  public mutating func run<Output: Sendable>(
    label: StaticString = "closure",
    _ body: @escaping @Sendable (inout State) -> Output
  ) async throws(Veto) -> Output {
    try await run(ClosureMutation(label: label, body: body))
  }

  /// Runs an asynchronous closure as a member.
  @discardableResult
  public mutating func run<Output: Sendable, Failure: Error>(
    label: StaticString = "closure",
    _ body: @escaping @Sendable (inout State) async throws(Failure) -> Output
  ) async throws -> Output {
    try await run(ClosureAction(label: label, body: body))
  }

  /// Runs an asynchronous closure that cannot fail as a member.
  @discardableResult
  public mutating func run<Output: Sendable>(
    label: StaticString = "closure",
    _ body: @escaping @Sendable (inout State) async -> Output
  ) async throws(Veto) -> Output {
    try await run(ClosureAction(label: label, body: body))
  }
}
