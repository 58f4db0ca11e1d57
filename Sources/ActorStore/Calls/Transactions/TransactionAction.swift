/// A transaction as an action, which takes the turn and represents the transaction to guards when it ends.
@frozen @usableFromInline
struct TransactionAction<State: Sendable, Output: Sendable, Failure: Error>: RecordedTransaction,
  CustomStringConvertible
{
  @usableFromInline let label: StaticString
  @usableFromInline let recorder: MemberRecorder<State>?
  @usableFromInline let body: @Sendable (inout Store<State>.Transaction) async throws(Failure) -> Output

  @inlinable
  init(
    label: StaticString,
    recorder: MemberRecorder<State>?,
    body: @escaping @Sendable (inout Store<State>.Transaction) async throws(Failure) -> Output
  ) {
    self.label = label
    self.recorder = recorder
    self.body = body
  }

  @inlinable static var _execution: _ActionExecution { .transaction }

  @inlinable
  func run(_ state: inout State) async throws(Failure) -> Output {
    var transaction = Store<State>.Transaction(draft: state, recorder: recorder)
    let output = try await body(&transaction)
    state = transaction.draft
    return output
  }

  @inlinable var _label: StaticString? { label }
  @usableFromInline var description: String { label.description }
}

/// A transaction that does not suspend, as an action.
@frozen @usableFromInline
struct TransactionMutation<State: Sendable, Output: Sendable, Failure: Error>: Mutation, RecordedTransaction,
  CustomStringConvertible
{
  @usableFromInline let label: StaticString
  @usableFromInline let recorder: MemberRecorder<State>?
  @usableFromInline let body: @Sendable (inout Store<State>.Transaction) throws(Failure) -> Output

  @inlinable
  init(
    label: StaticString,
    recorder: MemberRecorder<State>?,
    body: @escaping @Sendable (inout Store<State>.Transaction) throws(Failure) -> Output
  ) {
    self.label = label
    self.recorder = recorder
    self.body = body
  }

  @inlinable static var _execution: _ActionExecution { .synchronousTransaction }

  @inlinable
  func run(_ state: inout State) throws(Failure) -> Output {
    var transaction = Store<State>.Transaction(draft: state, recorder: recorder)
    let output = try body(&transaction)
    state = transaction.draft
    return output
  }

  @inlinable var _label: StaticString? { label }
  @usableFromInline var description: String { label.description }
}
