/// The store's decision about an action.
///
/// The errors of an action are thrown instead.
@frozen public enum Outcome<Output: Sendable>: Sendable {
  /// The action ran to completion, and its changes are committed.
  case committed(Output)
  /// A guard or a middleware refused the action, so it changed nothing.
  ///
  /// The action did not run, unless a middleware retried it and the last attempt was refused. A transaction may have
  /// run in part before one of its members was refused. In each case, the store discarded the draft.
  case vetoed(Veto)
  /// The task or the ticket was canceled before the action began.
  ///
  /// The action did not run, and never will. If an action ahead may suspend, a dispatch returns this without waiting
  /// for its turn. If only mutations are ahead, it returns this when its turn arrives.
  case cancelled
  /// The call would have waited for itself, so it did not wait.
  ///
  /// The call was nested in a running action. That action has the turn that the call needs, or the turn's holder waits
  /// for that action, through any number of stores. The deferred action belongs to its owner, the innermost running
  /// action that the call is nested in. It runs in a task of its own after the owner has committed, even if the store
  /// was closed in the meantime. If the owner fails or is rolled back, the deferred action never runs. If the call is
  /// nested only in groups, the deferred action has no owner, and runs when its turn arrives.
  ///
  /// If the owner has a deferred call to a store, its later calls to that store are deferred, too.
  ///
  /// A call of an overlapping action also returns this if the turn's holder waits for the overlapping action when it is
  /// ready to commit. In that case, only the commit follows later, by the same rule, and the output is lost.
  case deferred
  /// The store was closed before the call, so the action did not run.
  ///
  /// In a canceled task, a dispatch returns ``cancelled`` rather than ``closed`` or ``deferred``.
  case closed

  /// The action's output, or `nil` if the action was not committed.
  public var output: Output? {
    if case .committed(let output) = self { output } else { nil }
  }

  /// Whether the action was committed.
  public var isCommitted: Bool {
    if case .committed = self { true } else { false }
  }

  /// The reason that the action was not committed, or `nil` if it was.
  @usableFromInline
  var reason: NotCommitted? {
    switch self {
    case .committed: nil
    case .vetoed(let veto): .vetoed(veto)
    case .cancelled: .cancelled
    case .deferred: .deferred
    case .closed: .closed
    }
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
