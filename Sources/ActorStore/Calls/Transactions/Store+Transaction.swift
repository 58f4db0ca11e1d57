extension Store {
  /// Runs several actions atomically, on one draft, in one turn, and with one commit.
  ///
  /// The body runs like an action, in call order, in the current task, and off the caller's actor. When it returns, the
  /// draft is committed. If it throws an error, the transaction is rolled back, and the call throws the same error. If
  /// it throws a ``Veto``, the transaction is rolled back, and the outcome is ``Outcome/vetoed(_:)``, even if the body
  /// created the veto itself. The other outcomes are those of ``dispatch(_:policy:)->Outcome<A.Output>``.
  ///
  /// The store asks the guards about each member, with the draft that the member starts from. After the commit, the
  /// store calls `didUpdate` once. When the transaction has ended, the guards get a report of each member and one of
  /// the transaction. The description of the transaction's action is `label`.
  ///
  /// A body without `await` can run only mutations and synchronous closures. The transaction then costs as much as a
  /// mutation that can fail.
  ///
  /// - Parameters:
  ///   - label: The name of the transaction in diagnostics and for guards.
  ///   - body: A closure that runs the members. It escapes, because a deferred transaction runs after the call returns.
  /// - Returns: ``Outcome/committed(_:)`` with the body's result, or the reason that the transaction was not committed.
  @inlinable
  @inline(__always)  // HP1
  @discardableResult
  public nonisolated(nonsending) func transaction<Output: Sendable, Failure: Error>(
    label: StaticString = "transaction",
    _ body: @escaping @Sendable (inout Transaction) throws(Failure) -> Output
  ) async throws(Failure) -> Outcome<Output> {
    let action = TransactionMutation(label: label, body: body)
    return try await execute(action, .text(label)) { output, _ in output }
  }

  /// Runs several mutations atomically, with a body that throws only vetoes.
  ///
  /// The call needs no `try`. Otherwise, it is like the method of the same name whose body can throw other errors.
  @inlinable
  @inline(__always)  // HP1
  @discardableResult
  public nonisolated(nonsending) func transaction<Output: Sendable>(
    label: StaticString = "transaction",
    _ body: @escaping @Sendable (inout Transaction) throws(Veto) -> Output
  ) async -> Outcome<Output> {
    let action = TransactionMutation(label: label, body: body)
    do throws(Veto) {
      return try await execute(action, .text(label)) { output, _ in output }
    } catch {
      return .vetoed(error)
    }
  }

  /// Runs several actions atomically, with a body that may suspend.
  ///
  /// Otherwise, the call is like the method of the same name whose body does not suspend. It costs as much as
  /// dispatching an asynchronous action.
  @inlinable
  @inline(__always)  // HP1
  @discardableResult
  public nonisolated(nonsending) func transaction<Output: Sendable, Failure: Error>(
    label: StaticString = "transaction",
    _ body: @escaping @Sendable (inout Transaction) async throws(Failure) -> Output
  ) async throws(Failure) -> Outcome<Output> {
    let action = TransactionAction(label: label, body: body)
    return try await execute(action, .text(label)) { output, _ in output }
  }

  /// Runs several actions atomically, with a body that may suspend and throws only vetoes.
  @inlinable
  @inline(__always)  // HP1
  @discardableResult
  public nonisolated(nonsending) func transaction<Output: Sendable>(
    label: StaticString = "transaction",
    _ body: @escaping @Sendable (inout Transaction) async throws(Veto) -> Output
  ) async -> Outcome<Output> {
    let action = TransactionAction(label: label, body: body)
    do throws(Veto) {
      return try await execute(action, .text(label)) { output, _ in output }
    } catch {
      return .vetoed(error)
    }
  }

  /// Sends a transaction that does not suspend, and returns its ticket immediately.
  ///
  /// It is like ``send(_:policy:)`` for a mutation.
  ///
  /// - Parameters:
  ///   - label: The name of the transaction in diagnostics and for guards.
  ///   - body: A closure that runs the members.
  /// - Returns: The ticket, with which you can await the outcome or cancel the transaction.
  @discardableResult
  public nonisolated func sendTransaction<Output: Sendable, Failure: Error>(
    label: StaticString = "transaction",
    _ body: @escaping @Sendable (inout Transaction) throws(Failure) -> Output
  ) -> Ticket<Output, Failure> {
    enqueue(TransactionMutation(label: label, body: body), .text(label), .serial)
  }

  /// Sends a transaction that may suspend, and returns its ticket immediately.
  ///
  /// It is like ``send(_:policy:)`` for an asynchronous action.
  @discardableResult
  public nonisolated func sendTransaction<Output: Sendable, Failure: Error>(
    label: StaticString = "transaction",
    _ body: @escaping @Sendable (inout Transaction) async throws(Failure) -> Output
  ) -> Ticket<Output, Failure> {
    enqueue(TransactionAction(label: label, body: body), .text(label), .serial)
  }
}
