/// The reason that an action was not committed, as an error.
///
/// ``Outcome/get()`` throws it.
@frozen public enum NotCommitted: Error, Equatable, Sendable {
  /// A guard refused the action, so it changed nothing.
  ///
  /// See ``Outcome/vetoed(_:)``.
  case vetoed(Veto)
  /// The task or the ticket was canceled before the action began.
  ///
  /// The action did not run, and never will.
  case cancelled
  /// Waiting for the action would have caused a deadlock.
  ///
  /// The action still runs later, like a sent action, or only its commit follows later. See ``Outcome/deferred``.
  case deferred
  /// The store was closed before the call, so the action did not run.
  case closed
}

extension Outcome {
  /// Returns the output of a committed action, or throws the reason that the action was not committed.
  ///
  /// Use it where an action that is not committed is an error, so that no outcome is lost silently:
  ///
  /// ```swift
  /// let balance = try await store.dispatch(Withdraw(amount: 30)).get()
  /// ```
  ///
  /// A deferred action still runs later, or only its commit follows later. If you dispatch it again after
  /// ``NotCommitted/deferred``, it runs twice.
  @discardableResult
  public func get() throws(NotCommitted) -> Output {
    switch self {
    case .committed(let output): return output
    case .vetoed(let veto): throw .vetoed(veto)
    case .cancelled: throw .cancelled
    case .deferred: throw .deferred
    case .closed: throw .closed
    }
  }
}
