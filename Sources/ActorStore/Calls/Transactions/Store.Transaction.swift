extension Store {
  /// A series of actions on one draft, which the store commits together or not at all.
  ///
  /// ```swift
  /// let outcome = try await store.transaction { transaction in
  ///   try await transaction.run(Withdraw(50, from: .checking))
  ///   try await transaction.run(Deposit(50, to: .savings))
  /// }
  /// ```
  ///
  /// The store passes a transaction to the body of `Store.transaction(label:_:)`. Like an action, the body has the turn
  /// from its start to its commit, so keep it short.
  public struct Transaction: ~Copyable, Sendable {
    /// The draft that the members have changed so far.
    ///
    /// Before the commit, only the body, its members, and the guards see it.
    public private(set) var state: State
    let guards: (any Guards<State>)?
    let queue: TurnQueue
    /// The number of members that have begun and may make calls.
    private var memberCount: UInt64 = 0

    init(state: State, guards: (any Guards<State>)?, queue: TurnQueue) {
      self.state = state
      self.guards = guards
      self.queue = queue
    }

    /// Runs an action on the draft as a member of the transaction.
    ///
    /// If the action throws, the call restores the draft and throws the same error. If the body catches the error, only
    /// this member is rolled back, and the calls of it that were deferred never run. If the body throws the error,
    /// everything is rolled back. The store asks the guards about each member.
    /// If one vetoes it, the call throws the ``Veto``, and the member does not run.
    ///
    /// - Parameter action: The action to run.
    /// - Returns: The action's output.
    @discardableResult
    public mutating func run<A: Action<State>>(_ action: A) async throws -> A.Output {
      try askGuards(action)
      // A member that cannot fail needs no copy to restore, so it edits the draft in place.
      let before = A.Failure.self == Never.self ? nil : state
      do throws(A.Failure) {
        if A._execution.canSuspend { return try await runNested(action) }
        return try action._runSynchronously(&state)
      } catch {
        if let before { state = before }
        guards?.memberDidFail(action, error: error, state: state)
        throw error
      }
    }

    /// Runs a member that cannot fail.
    ///
    /// The call throws only a ``Veto``.
    @discardableResult
    public mutating func run<A: Action<State>>(_ action: A) async throws(Veto) -> A.Output where A.Failure == Never {
      try askGuards(action)
      return A._execution.canSuspend ? await action.run(&state) : action._runSynchronously(&state)
    }

    /// Runs a member that may make calls, and gives up those that were deferred if the member fails.
    private mutating func runNested<A: Action<State>>(_ action: A) async throws(A.Failure) -> A.Output {
      memberCount += 1
      var output: A.Output?
      var failure: A.Failure?
      await CallChain.nest(inMember: memberCount) {
        do throws(A.Failure) {
          output = try await action.run(&state)
        } catch {
          failure = error
        }
      }
      guard let failure else { return output! }
      if let ticket = CallChain.current.innermostAction?.turn.ticket {
        queue.giveUpCalls(of: ticket, by: memberCount)
      }
      throw failure
    }

    private func askGuards<A: Action<State>>(_ action: A) throws(Veto) {
      if let veto = guards?.admit(action, state: state) { throw veto }
    }
  }
}

extension Store.Transaction {
  /// Runs a member of unknown type.
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
