extension Store {
  /// A series of actions on one draft, which the store commits together or not at all.
  ///
  /// ```swift
  /// let outcome = try await store.transaction { transaction in
  ///   try transaction.run(Withdraw(50, from: .checking))
  ///   try transaction.run(Deposit(50, to: .savings))
  /// }
  /// ```
  ///
  /// The store passes a transaction to the body of `Store.transaction(label:_:)`. Like an action, the body has the turn
  /// from its start to its commit, so keep it short.
  ///
  /// A body without `await` can run mutations and synchronous closures. A body that awaits something can run any
  /// action. In such a body, mark each call of `run` with `await`.
  @frozen public struct Transaction: ~Copyable, Sendable {
    @usableFromInline var draft: State
    @usableFromInline let recorder: MemberRecorder<State>?
    /// The number of members that have begun and may make calls, without middleware.
    @usableFromInline var memberCount: UInt64 = 0

    @inlinable
    init(draft: State, recorder: MemberRecorder<State>?) {
      self.draft = draft
      self.recorder = recorder
    }

    init(draft: State, _ run: _TransactionRun) {
      self.draft = draft
      recorder = run.recorder as? MemberRecorder<State>
      memberCount = run.memberCount
    }

    /// The draft that the members have changed so far.
    ///
    /// Before the commit, only the body, its members, and the guards see it.
    @inlinable public var state: State { draft }
  }
}

// MARK: In a body that does not suspend

extension Store.Transaction {
  /// Runs a mutation on the draft as a member of the transaction.
  ///
  /// If the mutation throws, the call restores the draft and throws the same error. If the body catches the error, only
  /// this member is rolled back. If the body throws it, the transaction is rolled back. The store asks the guards about
  /// each member. If one vetoes it, the call throws the ``Veto``, and the member does not run.
  ///
  /// - Parameter mutation: The mutation to run.
  /// - Returns: The mutation's output.
  @inlinable
  @discardableResult
  public mutating func run<M: Mutation<State>>(_ mutation: M) throws -> M.Output {
    try apply(mutation)
  }

  /// Runs a mutation that cannot fail.
  ///
  /// The call throws only a ``Veto``.
  @inlinable
  @discardableResult
  public mutating func run<M: Mutation<State>>(_ mutation: M) throws(Veto) -> M.Output where M.Failure == Never {
    try apply(mutation)
  }

  /// Runs a mutation of unknown type.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public mutating func run(_ mutation: any Mutation<State>) throws -> any Sendable {
    try apply(opened: mutation)
  }

  @inlinable
  mutating func apply<M: Mutation<State>>(opened mutation: M) throws -> any Sendable {
    try apply(mutation)
  }

  /// Runs a synchronous closure as a member.
  @inlinable
  @discardableResult
  public mutating func run<Output: Sendable, Failure: Error>(
    label: StaticString = "closure",
    _ body: @escaping @Sendable (inout State) throws(Failure) -> Output
  ) throws -> Output {
    try apply(ClosureMutation(label: label, body: body))
  }

  /// Runs a synchronous closure that cannot fail as a member.
  @inlinable
  @discardableResult
  public mutating func run<Output: Sendable>(
    label: StaticString = "closure",
    _ body: @escaping @Sendable (inout State) -> Output
  ) throws(Veto) -> Output {
    try apply(ClosureMutation(label: label, body: body))
  }

  /// Runs a member that does not suspend, and restores the draft if the member throws.
  @inlinable
  mutating func apply<A: Action<State>>(_ action: A) throws -> A.Output {
    if A._execution.isTransaction { return try applyMembers(of: action) }
    if recorder != nil { return try applyRecorded(action) }
    // A member that cannot fail needs no copy to restore, so it edits the draft in place.
    let before = A.Failure.self == Never.self ? nil : draft
    do throws(A.Failure) {
      return try action._runSynchronously(&draft)
    } catch {
      if let before { draft = before }
      throw error
    }
  }

  @inlinable
  mutating func apply<A: Action<State>>(_ action: A) throws(Veto) -> A.Output where A.Failure == Never {
    if A._execution.isTransaction { return applyMembers(of: action) }
    if recorder != nil { return try applyRecordedInPlace(action) }
    return action._runSynchronously(&draft)
  }

  /// Runs another transaction as a part of this one, so that its members become members of this transaction.
  @inlinable
  @inline(never)  // HP2
  mutating func applyMembers<A: Action<State>>(of action: A) throws(A.Failure) -> A.Output {
    let before = A.Failure.self == Never.self ? nil : draft
    let first = recorder?.count
    var run = _TransactionRun(recorder: recorder, memberCount: memberCount)
    defer { memberCount = run.memberCount }
    do throws(A.Failure) {
      return try action._applyMembers(&draft, &run)
    } catch {
      if let before { draft = before }
      if let first { recorder?.undo(from: first) }
      throw error
    }
  }

  // MARK: In a transaction that records its members

  @inlinable
  @inline(never)  // HP2
  mutating func applyRecorded<A: Action<State>>(_ action: A) throws -> A.Output {
    let begun = try begin(action)
    let before = A.Failure.self == Never.self && !recorder!.mustRestore ? nil : draft
    do throws(Stop<A.Failure>) {
      let output = try recorder!.apply(action, &draft)
      recorder?.returned(action, since: begun)
      return output
    } catch {
      if let before { draft = before }
      throw recorder!.stopped(action, error, since: begun)
    }
  }

  @inlinable
  @inline(never)  // HP2
  mutating func applyRecordedInPlace<A: Action<State>>(
    _ action: A
  ) throws(Veto) -> A.Output where A.Failure == Never {
    let begun = try begin(action)
    let before = recorder!.mustRestore ? draft : nil
    do throws(Stop<Never>) {
      let output = try recorder!.apply(action, &draft)
      recorder?.returned(action, since: begun)
      return output
    } catch {
      if let before { draft = before }
      switch error {
      case .vetoed(let veto): throw recorder!.vetoed(action, veto)
      }
    }
  }

  /// Asks the guards about a member, and returns the time if one of them requests it.
  @usableFromInline
  func begin<A: Action<State>>(_ action: A) throws(Veto) -> Duration? {
    try recorder?.begin(action, draft)
  }
}
