import Synchronization

/// The facts about a call that are known when it is made.
struct WaitingCall: Sendable {
  /// The number of calls that waited when this one was made.
  let ahead: UInt32
  /// The time of the call, if a guard requests times.
  let time: Duration?
  /// Whether the call has been reported as deferred.
  var isDeferred = false
}

/// A call whose action has begun.
@frozen @usableFromInline struct GuardedCall: Sendable {
  @usableFromInline let ticket: TicketNumber
  @usableFromInline var ahead: UInt32 = 0
  /// Whether the call has been reported as deferred.
  @usableFromInline var isDeferred = false
  /// The time from the call until the action began, if a guard requests times.
  @usableFromInline var waited: Duration?
  /// The time at which the action began, if a guard requests times.
  @usableFromInline var begun: Duration?
}

/// The calls to a guarded store that have yet to begin, by ticket.
///
/// Most calls begin immediately and are never added. For them, the count shows without a lock that there is no entry to
/// take. A relaxed count is enough, because each call is added by the task that takes it, or before that task starts.
final class WaitingCalls: Sendable {
  private let count = Atomic<Int>(0)
  private let calls = Locked<[TicketNumber: WaitingCall]>([:])

  var isEmpty: Bool { count.load(ordering: .relaxed) == 0 }

  func add(_ call: WaitingCall, as ticket: TicketNumber) {
    calls.withLock { $0[ticket] = call }
    count.wrappingAdd(1, ordering: .relaxed)
  }

  func take(_ ticket: TicketNumber) -> WaitingCall? {
    let call = calls.withLock { $0.removeValue(forKey: ticket) }
    if call != nil { count.wrappingSubtract(1, ordering: .relaxed) }
    return call
  }
}
