/// The reason that an action was not committed, as an error.
///
/// ``Outcome/get()`` throws it.
@frozen public enum NotCommitted: Error, Equatable, Sendable {
  /// A guard or a middleware refused the action, so it changed nothing.
  ///
  /// See ``Outcome/vetoed(_:)``.
  case vetoed(Veto)
  /// The task or the ticket was canceled before the action began.
  ///
  /// The action did not run, and never will.
  case cancelled
  /// Waiting for the action would have caused a deadlock.
  ///
  /// The action, or only its commit, follows after the action that made the call has committed. If that action fails,
  /// it never follows. See ``Outcome/deferred``.
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
  /// Discard an outcome only where nothing depends on the commit (see <doc:ChoosingAnAction>).
  ///
  /// A deferred action still runs after the action that made the call has committed. If you dispatch it again after
  /// ``NotCommitted/deferred``, it runs twice. If the action that made the call throws the error, it gives up the
  /// deferred action, so neither takes effect. So use `get()` inside an action that must be all or nothing.
  @discardableResult
  public func get() throws(NotCommitted) -> Output {
    if case .committed(let output) = self { return output }
    throw reason!
  }
}
