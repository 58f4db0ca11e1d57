/// What became of a dispatch: what the store decided, as against what the action threw.
public enum Outcome<Output: Sendable>: Sendable {
  /// The action ran to its end and its changes are the state.
  case committed(Output)
  /// A guard refused the action; it did not run.
  case vetoed(Veto)
  /// The task, or the ticket, was cancelled before the action began; it did not run and never will (P9).
  case cancelled
  /// The call was made below a running action and would have waited for itself: for the same store (P7), or for one
  /// that waits for it, by way of any number of stores (P8). The action is queued at the place of the call and runs
  /// later, as a sent one.
  ///
  /// Of an overlapping action that has already run it is the commit that comes later; what it returned is lost.
  case deferred
  /// The store was closed before the call; the action did not run.
  ///
  /// Of a cancelled task a dispatch is `.cancelled` all the same, as it is in place of `.deferred`.
  case closed

  /// What the action returned, if it was committed.
  public var output: Output? {
    if case .committed(let output) = self { output } else { nil }
  }

  /// Whether it was committed.
  public var isCommitted: Bool {
    if case .committed = self { true } else { false }
  }

  func map<NewOutput>(_ transform: (Output) -> NewOutput) -> Outcome<NewOutput> {
    switch self {
    case .committed(let output): .committed(transform(output))
    case .vetoed(let veto): .vetoed(veto)
    case .cancelled: .cancelled
    case .deferred: .deferred
    case .closed: .closed
    }
  }
}

extension Outcome: Equatable where Output: Equatable {}
