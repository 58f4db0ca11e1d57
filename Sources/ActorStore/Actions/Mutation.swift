/// An action that changes the state without suspending.
///
/// ```swift
/// struct Increment: Mutation {
///   func run(_ state: inout Counter) { state.count += 1 }
/// }
/// ```
///
/// One that cannot fail edits the state in place: its cost does not depend on the size of the state (P16). One that
/// can throw works on a copy, so that half of it is never seen (P4).
public protocol Mutation<State>: Action {
  /// Changes the state, synchronously.
  func run(_ state: inout State) throws(Failure) -> Output
}

extension Mutation {
  /// In place when it cannot fail.
  @inlinable public static var _execution: _ActionExecution { Failure.self == Never.self ? .inPlace : .synchronous }

  /// Calls `run` where the compiler cannot prefer the asynchronous requirement of the same name.
  @inlinable
  public func _runSynchronously(_ state: inout State) throws(Failure) -> Output {
    try run(&state)
  }
}
