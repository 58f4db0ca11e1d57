/// A transaction as an action, which takes the turn and represents the transaction to guards when it ends.
///
/// It keeps nothing from a run. The store that runs it creates the `_TransactionRun`. So a client that gets a
/// transaction from a guard or a stream of transitions can dispatch it again, even to another store.
@frozen @usableFromInline
struct TransactionAction<State: Sendable, Output: Sendable, Failure: Error>: Action, CustomStringConvertible {
  @usableFromInline let label: StaticString
  @usableFromInline let body: @Sendable (inout Store<State>.Transaction) async throws(Failure) -> Output

  @inlinable
  init(
    label: StaticString,
    body: @escaping @Sendable (inout Store<State>.Transaction) async throws(Failure) -> Output
  ) {
    self.label = label
    self.body = body
  }

  @inlinable static var _execution: _ActionExecution { .transaction }

  /// Runs the body without guards and middleware, for code that calls the action directly.
  @inlinable
  func run(_ state: inout State) async throws(Failure) -> Output {
    var transaction = Store<State>.Transaction(draft: state, recorder: nil)
    let output = try await body(&transaction)
    state = transaction.draft
    return output
  }

  @usableFromInline
  func _runMembers(_ state: inout State, _ run: inout _TransactionRun) async throws(Failure) -> Output {
    var transaction = Store<State>.Transaction(draft: state, run)
    defer { run.memberCount = transaction.memberCount }
    let output = try await body(&transaction)
    state = transaction.draft
    return output
  }

  @inlinable var _label: StaticString? { label }
  @usableFromInline var description: String { label.description }
}

/// A transaction that does not suspend, as an action.
@frozen @usableFromInline
struct TransactionMutation<State: Sendable, Output: Sendable, Failure: Error>: Mutation, CustomStringConvertible {
  @usableFromInline let label: StaticString
  @usableFromInline let body: @Sendable (inout Store<State>.Transaction) throws(Failure) -> Output

  @inlinable
  init(
    label: StaticString,
    body: @escaping @Sendable (inout Store<State>.Transaction) throws(Failure) -> Output
  ) {
    self.label = label
    self.body = body
  }

  @inlinable static var _execution: _ActionExecution { .synchronousTransaction }

  /// Runs the body without guards and middleware, for code that calls the action directly.
  @inlinable
  func run(_ state: inout State) throws(Failure) -> Output {
    var transaction = Store<State>.Transaction(draft: state, recorder: nil)
    let output = try body(&transaction)
    state = transaction.draft
    return output
  }

  @usableFromInline
  func _applyMembers(_ state: inout State, _ run: inout _TransactionRun) throws(Failure) -> Output {
    var transaction = Store<State>.Transaction(draft: state, run)
    defer { run.memberCount = transaction.memberCount }
    let output = try body(&transaction)
    state = transaction.draft
    return output
  }

  @inlinable var _label: StaticString? { label }
  @usableFromInline var description: String { label.description }
}
