/// Who answers for the error of an action whose caller did not wait: the logic alone.
///
/// The error is the awaiter's if somebody has begun to await, the ticket's as long as somebody holds one and might
/// still await it, and otherwise nobody's: then it has to be reported. Each method returns the error when that is so.
struct FailureCustody: Sendable {
  private enum Custodian {
    case ticket
    case awaiter
    case nobody
  }

  private var custodian: Custodian
  private var kept: (any Error)?

  /// For a call that gives no ticket, nobody is there from the start.
  init(hasTicket: Bool) {
    custodian = hasTicket ? .ticket : .nobody
  }

  mutating func failed(_ error: any Error) -> (any Error)? {
    switch custodian {
    case .ticket:
      kept = error
      return nil
    case .awaiter: return nil
    case .nobody: return error
    }
  }

  /// Somebody awaits, and so will get the error.
  ///
  /// Returns what is no longer kept, to be let go outside the lock.
  mutating func awaited() -> (any Error)? {
    custodian = .awaiter
    defer { kept = nil }
    return kept
  }

  /// The last copy of the ticket is gone.
  mutating func dropped() -> (any Error)? {
    guard custodian == .ticket else { return nil }
    custodian = .nobody
    defer { kept = nil }
    return kept
  }
}
