/// An action that changes the state without suspending.
///
/// ```swift
/// struct Increment: Mutation {
///   func run(_ state: inout Counter) { state.count += 1 }
/// }
/// ```
///
/// A mutation that cannot fail edits the state in place, so its cost does not depend on the size of the state, as long
/// as no other code holds an old copy of the state. A mutation that can throw edits a copy, so a failed one leaves the
/// state unchanged. See P4 and P16 in <doc:Promises>.
public protocol Mutation<State>: Action {
  /// Changes the state synchronously.
  ///
  /// - Parameter state: The state itself if the mutation cannot fail, and otherwise a draft.
  /// - Returns: The result of the mutation, which ``Outcome/committed(_:)`` carries to the caller.
  func run(_ state: inout State) throws(Failure) -> Output
}

extension Mutation {
  /// A mutation runs in place if it cannot fail, and on a draft if it can.
  @inlinable public static var _execution: _ActionExecution { Failure.self == Never.self ? .inPlace : .synchronous }

  /// Calls the synchronous `run`.
  ///
  /// In a synchronous function, the compiler cannot prefer the asynchronous requirement of the same name.
  @inlinable
  public func _runSynchronously(_ state: inout State) throws(Failure) -> Output {
    try run(&state)
  }
}
