// MARK: In a body that may suspend

extension Store.Transaction {
  /// Runs an action on the draft as a member of the transaction.
  ///
  /// It is like the method of the same name for mutations. If the action throws, its deferred actions never run.
  ///
  /// - Parameter action: The action to run.
  /// - Returns: The action's output.
  @inlinable
  @inline(__always)  // HP1
  @discardableResult
  public mutating func run<A: Action<State>>(_ action: A) async throws -> A.Output {
    if !A._execution.canSuspend && (A._execution.isTransaction || recorder?.suspendsMutations != true) {
      return try apply(action)
    }
    if A._execution.isTransaction { return try await runMembers(of: action) }
    if Store.mayHoldVectors(A.self, Void.self) { return try await runUnspecialized(action) }
    return try await runSuspending(action)
  }

  /// Runs an action that cannot fail.
  ///
  /// The call throws only a ``Veto``.
  @inlinable
  @inline(__always)  // HP1
  @discardableResult
  public mutating func run<A: Action<State>>(_ action: A) async throws(Veto) -> A.Output where A.Failure == Never {
    if !A._execution.canSuspend && (A._execution.isTransaction || recorder?.suspendsMutations != true) {
      return try apply(action)
    }
    if A._execution.isTransaction { return await runMembers(of: action) }
    if Store.mayHoldVectors(A.self, Void.self) { return try await runUnspecialized(action) }
    if recorder != nil { return try await runRecorded(action) }
    return await action.run(&draft)
  }

  /// Runs a member of unknown type.
  ///
  /// If the action is itself a transaction, from a guard or a stream of transitions, its members become members of this
  /// transaction. If it throws, only those members are rolled back.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public mutating func run(_ action: any Action<State>) async throws -> any Sendable {
    try await run(opened: action)
  }

  @inlinable
  mutating func run<A: Action<State>>(opened action: A) async throws -> any Sendable {
    try await run(action)
  }

  /// Runs a synchronous closure as a member.
  @inlinable
  @inline(__always)  // HP1
  @discardableResult
  public mutating func run<Output: Sendable, Failure: Error>(
    label: StaticString = "closure",
    _ body: @escaping @Sendable (inout State) throws(Failure) -> Output
  ) async throws -> Output {
    try await run(ClosureMutation(label: label, body: body))
  }

  /// Runs a synchronous closure that cannot fail as a member.
  @inlinable
  @inline(__always)  // HP1
  @discardableResult
  public mutating func run<Output: Sendable>(
    label: StaticString = "closure",
    _ body: @escaping @Sendable (inout State) -> Output
  ) async throws(Veto) -> Output {
    try await run(ClosureMutation(label: label, body: body))
  }

  /// Runs an asynchronous closure as a member.
  @inlinable
  @discardableResult
  public mutating func run<Output: Sendable, Failure: Error>(
    label: StaticString = "closure",
    _ body: @escaping @Sendable (inout State) async throws(Failure) -> Output
  ) async throws -> Output {
    try await run(ClosureAction(label: label, body: body))
  }

  /// Runs an asynchronous closure that cannot fail as a member.
  @inlinable
  @discardableResult
  public mutating func run<Output: Sendable>(
    label: StaticString = "closure",
    _ body: @escaping @Sendable (inout State) async -> Output
  ) async throws(Veto) -> Output {
    try await run(ClosureAction(label: label, body: body))
  }

  /// Runs a member that may suspend, and restores the draft if the member throws.
  @inlinable
  mutating func runSuspending<A: Action<State>>(_ action: A) async throws -> A.Output {
    let begun = recorder == nil ? nil : try begin(action)
    let before = A.Failure.self == Never.self && !mustRestore ? nil : draft
    do throws(Stop<A.Failure>) {
      let output = try await runNested(action)
      recorder?.returned(action, since: begun)
      return output
    } catch {
      if let before { draft = before }
      throw stopped(action, error, since: begun)
    }
  }

  /// Runs a member that cannot fail in a transaction that records its members.
  @inlinable
  @inline(never)  // HP2
  mutating func runRecorded<A: Action<State>>(_ action: A) async throws(Veto) -> A.Output where A.Failure == Never {
    let begun = try begin(action)
    let before = mustRestore ? draft : nil
    do throws(Stop<Never>) {
      let output = try await runNested(action)
      recorder?.returned(action, since: begun)
      return output
    } catch {
      if let before { draft = before }
      switch error {
      case .vetoed(let veto): throw recorder!.vetoed(action, veto)
      }
    }
  }

  /// Whether a member that cannot fail may be refused after it has changed the draft.
  @usableFromInline
  var mustRestore: Bool { recorder?.mustRestore == true }

  @usableFromInline
  func stopped<A: Action<State>>(_ action: A, _ stop: Stop<A.Failure>, since begun: Duration?) -> any Error {
    if let recorder { return recorder.stopped(action, stop, since: begun) }
    switch stop {
    case .failed(let error): return error
    case .vetoed(let veto): return veto
    }
  }

  /// Runs a member in its own scope, because the member may make calls.
  @usableFromInline
  mutating func runNested<A: Action<State>>(_ action: A) async throws(Stop<A.Failure>) -> A.Output {
    try await runInScope { transaction throws(Stop<A.Failure>) in try await transaction.perform(action) }
  }

  /// Runs another transaction as a part of this one, so that its members become members of this transaction.
  @usableFromInline
  mutating func runMembers<A: Action<State>>(of action: A) async throws(A.Failure) -> A.Output {
    let before = A.Failure.self == Never.self ? nil : draft
    let first = recorder?.count
    do throws(A.Failure) {
      return try await runInScope { transaction throws(A.Failure) in
        var run = _TransactionRun(recorder: transaction.recorder, memberCount: transaction.memberCount)
        defer { transaction.memberCount = run.memberCount }
        return try await action._runMembers(&transaction.draft, &run)
      }
    } catch {
      if let before { draft = before }
      if let first { recorder?.undo(from: first) }
      throw error
    }
  }

  /// Runs a part of the transaction, and gives up the deferred calls of that part if it throws.
  private mutating func runInScope<Output, Failure: Error>(
    _ body: (inout Store.Transaction) async throws(Failure) -> Output
  ) async throws(Failure) -> Output {
    let context = recorder?.context
    if context == nil { memberCount += 1 }
    let scope = context?.nextScope() ?? memberCount
    var output: Output?
    var failure: Failure?
    await CallChain.nest(inScope: scope) {
      do throws(Failure) {
        output = try await body(&self)
      } catch {
        failure = error
      }
    }
    guard let failure else { return output! }
    TurnQueue.giveUpCalls(in: scope, through: context?.lastScope ?? memberCount)
    throw failure
  }

  private mutating func perform<A: Action<State>>(_ action: A) async throws(Stop<A.Failure>) -> A.Output {
    if recorder?.context != nil { return try await recorder!.run(action, &draft) }
    return try await action.runStopping(&draft)
  }
}
