/// A transaction as an action, which takes the turn and represents the transaction to guards when it ends.
@frozen @usableFromInline
struct TransactionAction<State: Sendable, Output: Sendable, Failure: Error>: Action, CustomStringConvertible {
  @usableFromInline let label: StaticString
  @usableFromInline let guards: (any Guards<State>)?
  @usableFromInline let body: @Sendable (inout Store<State>.Transaction) async throws(Failure) -> Output

  @inlinable
  init(
    label: StaticString,
    guards: (any Guards<State>)?,
    body: @escaping @Sendable (inout Store<State>.Transaction) async throws(Failure) -> Output
  ) {
    self.label = label
    self.guards = guards
    self.body = body
  }

  @inlinable static var _execution: _ActionExecution { .transaction }

  @inlinable
  func run(_ state: inout State) async throws(Failure) -> Output {
    var transaction = Store<State>.Transaction(draft: state, guards: guards)
    let output = try await body(&transaction)
    state = transaction.draft
    return output
  }

  @usableFromInline var description: String { label.description }
}

/// A transaction that does not suspend, as an action.
@frozen @usableFromInline
struct TransactionMutation<State: Sendable, Output: Sendable, Failure: Error>: Mutation, CustomStringConvertible {
  @usableFromInline let label: StaticString
  @usableFromInline let guards: (any Guards<State>)?
  @usableFromInline let body: @Sendable (inout Store<State>.Transaction) throws(Failure) -> Output

  @inlinable
  init(
    label: StaticString,
    guards: (any Guards<State>)?,
    body: @escaping @Sendable (inout Store<State>.Transaction) throws(Failure) -> Output
  ) {
    self.label = label
    self.guards = guards
    self.body = body
  }

  @inlinable static var _execution: _ActionExecution { .synchronousTransaction }

  @inlinable
  func run(_ state: inout State) throws(Failure) -> Output {
    var transaction = Store<State>.Transaction(draft: state, guards: guards)
    let output = try body(&transaction)
    state = transaction.draft
    return output
  }

  @usableFromInline var description: String { label.description }
}
