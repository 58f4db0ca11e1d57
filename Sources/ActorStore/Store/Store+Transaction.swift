extension Store {
  /// Runs several actions on one draft, in one turn: one commit, one notification, all or nothing.
  ///
  /// The body runs as an action does, in its place among the others (P1, P2), in this task (P3), off the caller's
  /// actor. When it returns, what its members have made of the state is committed. An error that leaves it undoes all
  /// and is thrown; a ``Veto`` that leaves it undoes all and is the outcome `.vetoed(_:)`, also one the body has made
  /// itself. The other outcomes are those of `dispatch(_:)`.
  ///
  /// Guards are asked for each member, on the draft it starts from, and told if it fails. `didUpdate` comes once, after
  /// the commit, and `didFail` if an error or a veto has undone all; the action they get then is described by `label`.
  ///
  /// - Parameters:
  ///   - label: What the transaction is called in diagnostics and by guards.
  ///   - body: Runs the members. It must be able to outlive the call, because a deferred one runs later (P7).
  @discardableResult
  public nonisolated(nonsending) func transaction<Output: Sendable, Failure: Error>(
    label: StaticString = "transaction",
    _ body: @escaping @Sendable (inout Transaction) async throws(Failure) -> Output
  ) async throws(Failure) -> Outcome<Output> {
    let action = TransactionAction(label: label, guards: guards, body: body)
    return try await submit(action, .text(label)) { output, _ in output }
  }

  /// Runs several actions on one draft where nothing but a veto is thrown: then it needs no `try`.
  ///
  /// As `transaction(label:_:)` otherwise.
  @discardableResult
  public nonisolated(nonsending) func transaction<Output: Sendable>(
    label: StaticString = "transaction",
    _ body: @escaping @Sendable (inout Transaction) async throws(Veto) -> Output
  ) async -> Outcome<Output> {
    let action = TransactionAction(label: label, guards: guards, body: body)
    do throws(Veto) {
      return try await submit(action, .text(label)) { output, _ in output }
    } catch {
      return .vetoed(error)
    }
  }

  /// Takes a place in the queue for a transaction, which runs in a task of its own; returns at once.
  ///
  /// As ``send(_:policy:)`` does for an action.
  @discardableResult
  public nonisolated func sendTransaction<Output: Sendable, Failure: Error>(
    label: StaticString = "transaction",
    _ body: @escaping @Sendable (inout Transaction) async throws(Failure) -> Output
  ) -> Ticket<Output, Failure> {
    submit(TransactionAction(label: label, guards: guards, body: body), .text(label), .serial)
  }

  /// Runs a transaction that has begun; the guards are asked by the transaction itself.
  @usableFromInline
  nonisolated(nonsending) func runTransaction<A: Action<State>, Reply: Sendable>(
    _ action: A,
    _ ticket: TicketNumber,
    reply: @Sendable (A.Output, State) -> Reply
  ) async throws(A.Failure) -> Outcome<Reply> {
    do throws(A.Failure) {
      return try await runOnDraft(action, ticket, reply: reply)
    } catch {
      if let veto = error as? Veto { return .vetoed(veto) }
      throw error
    }
  }
}
