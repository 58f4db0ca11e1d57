/// A transaction as an action, which takes the turn and represents the transaction to guards when it ends.
struct TransactionAction<State: Sendable, Output: Sendable, Failure: Error>: Action, CustomStringConvertible {
  let label: StaticString
  let guards: (any Guards<State>)?
  let queue: TurnQueue
  let body: @Sendable (inout Store<State>.Transaction) async throws(Failure) -> Output

  static var _execution: _ActionExecution { .transaction }

  func run(_ state: inout State) async throws(Failure) -> Output {
    var transaction = Store<State>.Transaction(state: state, guards: guards, queue: queue)
    let output = try await body(&transaction)
    state = transaction.state
    return output
  }

  var description: String { label.description }
}
