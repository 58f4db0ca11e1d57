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

/// The number of calls to a guarded store that have yet to be reported, and the calls that have yet to begin.
///
/// Most calls begin immediately and are only counted. For them, the count of waiting calls shows without a lock that
/// there is no entry to take. A relaxed count is enough, because each call is added by the task that takes it, or before
/// that task starts.
final class PendingCalls: Sendable {
  private let waitingCount = Atomic<Int>(0)
  private let waiting = Locked<[TicketNumber: WaitingCall]>([:])
  /// The number of calls that have yet to be reported.
  ///
  /// A call is counted before its turn can end. So once the last turn has ended, the count includes every accepted call
  /// that has yet to be reported.
  private let unreported = Atomic<Int>(0)
  private let isEndAwaited = Atomic<Bool>(false)
  private let waiters = Locked<[Parked<Void>]>([])

  // MARK: Calls that wait

  var noneWaits: Bool { waitingCount.load(ordering: .relaxed) == 0 }

  func addWaiting(_ call: WaitingCall, as ticket: TicketNumber) {
    waiting.withLock { $0[ticket] = call }
    waitingCount.wrappingAdd(1, ordering: .relaxed)
  }

  func takeWaiting(_ ticket: TicketNumber) -> WaitingCall? {
    if noneWaits { return nil }
    let call = waiting.withLock { $0.removeValue(forKey: ticket) }
    if call != nil { waitingCount.wrappingSubtract(1, ordering: .relaxed) }
    return call
  }

  // MARK: Calls to report

  var areReported: Bool { unreported.load(ordering: .sequentiallyConsistent) == 0 }

  func willReport() { unreported.wrappingAdd(1, ordering: .relaxed) }

  func didReport() {
    let left = unreported.wrappingSubtract(1, ordering: .sequentiallyConsistent).newValue
    if left == 0, isEndAwaited.load(ordering: .sequentiallyConsistent) { wake() }
  }

  /// Waits until each counted call has been reported.
  func waitUntilReported() async {
    await park { task in
      waiters.withLock { $0.append(task) }
      isEndAwaited.store(true, ordering: .sequentiallyConsistent)
      if areReported { wake() }
    }
  }

  private func wake() {
    let tasks = waiters.withLock { waiters in
      defer { waiters = [] }
      return waiters
    }
    for task in tasks { task.resume(returning: ()) }
  }
}
