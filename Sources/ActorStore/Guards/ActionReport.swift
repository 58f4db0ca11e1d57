/// How a call to a store ended, for guards.
@frozen public enum ReportedOutcome: Sendable {
  /// The action was committed, or the group returned.
  case committed
  /// The action or the group threw an error.
  ///
  /// If it was an action, the state remained unchanged.
  case failed(any Error)
  /// A guard or a middleware refused the action.
  ///
  /// If it was a transaction, a member was refused, or the body threw a veto.
  indirect case vetoed(Veto)
  /// The task or the ticket was canceled before the action or the group began.
  case cancelled
  /// Waiting would have caused a deadlock, so the action, or the commit of an overlapping action, follows later.
  ///
  /// Another report follows.
  case deferred
  /// The call was deferred, and never takes effect, because the action that it belongs to failed or was rolled back.
  case givenUp
  /// The store was closed before the call.
  case closed
  /// The action was a member of a transaction that was not committed, or of one inside it that failed.
  case undone

  /// An outcome without its error or veto.
  @frozen public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// See ``ReportedOutcome/committed``.
    case committed
    /// See ``ReportedOutcome/failed(_:)``.
    case failed
    /// See ``ReportedOutcome/vetoed(_:)``.
    case vetoed
    /// See ``ReportedOutcome/cancelled``.
    case cancelled
    /// See ``ReportedOutcome/deferred``.
    case deferred
    /// See ``ReportedOutcome/givenUp``.
    case givenUp
    /// See ``ReportedOutcome/closed``.
    case closed
    /// See ``ReportedOutcome/undone``.
    case undone
  }

  /// The outcome without its error or veto.
  public var kind: Kind {
    switch self {
    case .committed: .committed
    case .failed: .failed
    case .vetoed: .vetoed
    case .cancelled: .cancelled
    case .deferred: .deferred
    case .givenUp: .givenUp
    case .closed: .closed
    case .undone: .undone
    }
  }
}

/// The report that a guard gets when a call to a store ends.
@frozen public struct ActionReport<State: Sendable>: Sendable {
  /// How the call ended.
  public let outcome: ReportedOutcome
  /// The position of the call in the store's queue, or `nil` if it got none.
  ///
  /// Later calls have larger tickets. An overlapping action has the ticket with which it started. A member has the
  /// ticket of its transaction. A deferred call may get another ticket before it runs.
  public var ticket: UInt64? { number == .none ? nil : number.number }
  @usableFromInline let number: TicketNumber
  /// The number of commits, up to and including the action's own if it was committed.
  ///
  /// For other outcomes, it is the number of commits when the call ended. A member has the revision of its transaction.
  /// Each revision belongs to exactly one commit, and the revisions have no gap.
  public let revision: UInt64
  /// The number of the member in its transaction, starting at 1, or `nil` if the action is not a member.
  public let member: Int?
  /// The number of actions that waited for their turn when the call was made, not counting the holder of the turn.
  public let queueLength: Int
  /// The time from the call until the action began, or `nil` if no guard of the store has a clock.
  ///
  /// It is zero if the turn was free, and for a member. For an overlapping action, it is the wait for its start. If the
  /// action did not begin, it is the time until the call ended.
  public let waited: Duration?
  /// The time that the action ran, or `nil` if it did not run or no guard of the store has a clock.
  ///
  /// It includes the middleware, even one that refused the action, but not the commit and the calls of guards.
  public let ran: Duration?
  // An object, so that the size of a report does not depend on the state (HP14).
  @usableFromInline let states: ReportedStates<State>?

  /// The state that the commit replaced.
  ///
  /// It is `nil` if the action was not committed, if it is a member of a transaction, or if no guard of the store
  /// requests states.
  @inlinable public var old: State? { states?.old }
  /// The committed state, under the same conditions as ``old``.
  @inlinable public var new: State? { states?.new }

  @inlinable
  init(
    outcome: ReportedOutcome,
    ticket: TicketNumber,
    revision: UInt64,
    member: Int? = nil,
    queueLength: Int,
    waited: Duration? = nil,
    ran: Duration? = nil,
    states: ReportedStates<State>? = nil
  ) {
    self.outcome = outcome
    number = ticket
    self.revision = revision
    self.member = member
    self.queueLength = queueLength
    self.waited = waited
    self.ran = ran
    self.states = states
  }

  package init(
    outcome: ReportedOutcome,
    ticket: UInt64?,
    revision: UInt64,
    member: Int? = nil,
    queueLength: Int = 0,
    waited: Duration? = nil,
    ran: Duration? = nil,
    states: ReportedStates<State>? = nil
  ) {
    self.init(
      outcome: outcome, ticket: TicketNumber(number: ticket ?? 0), revision: revision, member: member,
      queueLength: queueLength, waited: waited, ran: ran, states: states)
  }
}

/// The report that a guard gets when the call of a group ends.
public struct GroupReport: Sendable {
  /// How the call ended.
  ///
  /// It is ``ReportedOutcome/committed``, ``ReportedOutcome/failed(_:)``,
  /// ``ReportedOutcome/cancelled``, or ``ReportedOutcome/closed``.
  public let outcome: ReportedOutcome
  /// Whether the group was sent rather than dispatched.
  public let isSent: Bool
  /// The time that the group ran, or `nil` if it did not run or no guard of the store has a clock.
  public let ran: Duration?

  package init(outcome: ReportedOutcome, isSent: Bool, ran: Duration?) {
    self.outcome = outcome
    self.isSent = isSent
    self.ran = ran
  }
}

/// The states around a commit.
@usableFromInline package final class ReportedStates<State: Sendable>: Sendable {
  @usableFromInline package let old: State
  @usableFromInline package let new: State

  @usableFromInline
  package init(old: State, new: State) {
    self.old = old
    self.new = new
  }
}
