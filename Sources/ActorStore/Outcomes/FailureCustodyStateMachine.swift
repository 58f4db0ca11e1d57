/// The responsibility for the error of an action whose caller did not wait, as pure logic.
///
/// The error is the one that the action threw, or the reason that the action was not committed. A task that awaits the
/// action gets it. Otherwise, the ticket keeps the error while the ticket exists, because a task may still await the
/// action. Without a task or a ticket, `failed` or `dropped` returns the error, and the caller reports it.
struct FailureCustodyStateMachine: Sendable {
  private enum Custodian {
    case ticket
    /// A task awaits the action, or its ticket was canceled.
    case awaiter
    case none
  }

  private var custodian: Custodian
  private var kept: (any Error)?

  init(hasTicket: Bool) {
    custodian = hasTicket ? .ticket : .none
  }

  mutating func failed(_ error: any Error) -> (any Error)? {
    switch custodian {
    case .ticket:
      kept = error
      return nil
    case .awaiter: return nil
    case .none: return error
    }
  }

  /// Records that a task awaits the action and gets its error.
  ///
  /// Returns the error that is no longer kept. The caller releases it outside the lock.
  mutating func awaited() -> (any Error)? {
    custodian = .awaiter
    defer { kept = nil }
    return kept
  }

  /// Records that the action was canceled with its ticket, so its failure is not reported.
  ///
  /// Does nothing if the action has already failed.
  mutating func canceled() {
    if kept == nil, custodian == .ticket { custodian = .awaiter }
  }

  /// Records that the last copy of the ticket is gone.
  mutating func dropped() -> (any Error)? {
    guard custodian == .ticket else { return nil }
    custodian = .none
    defer { kept = nil }
    return kept
  }
}
