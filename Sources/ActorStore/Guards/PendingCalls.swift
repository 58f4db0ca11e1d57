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
///
/// Each guarded store has one, so it is small.
struct PendingCalls: ~Copyable, Sendable {
  // Not private, because Swift 6.3.1 cannot link a private type of a structure that another file stores.
  enum Entry: Sendable {
    case call(WaitingCall)
    /// A task that waits for the reports, under a number that no ticket has.
    case waiter(Parked<Void>)
  }

  private let waitingCount = Atomic<UInt32>(0)
  /// Twice the number of calls that have yet to be reported, and one more if a task has waited for their reports.
  ///
  /// A call is counted before its turn can end. So once the last turn has ended, the count includes every accepted call
  /// that has yet to be reported.
  private let unreported = Atomic<UInt32>(0)
  private let entries = Locked<[TicketNumber: Entry]>([:])

  // MARK: Calls that wait

  var noneWaits: Bool { waitingCount.load(ordering: .relaxed) == 0 }

  borrowing func addWaiting(_ call: WaitingCall, as ticket: TicketNumber) {
    entries.withLock { $0[ticket] = .call(call) }
    waitingCount.wrappingAdd(1, ordering: .relaxed)
  }

  borrowing func takeWaiting(_ ticket: TicketNumber) -> WaitingCall? {
    if noneWaits { return nil }
    guard case .call(let call) = entries.withLock({ $0.removeValue(forKey: ticket) }) else { return nil }
    waitingCount.wrappingSubtract(1, ordering: .relaxed)
    return call
  }

  // MARK: Calls to report

  var areReported: Bool { unreported.load(ordering: .sequentiallyConsistent) < 2 }

  borrowing func willReport() { unreported.wrappingAdd(2, ordering: .relaxed) }

  borrowing func didReport() {
    if unreported.wrappingSubtract(2, ordering: .sequentiallyConsistent).newValue == 1 { wake() }
  }

  /// Waits until each counted call has been reported.
  borrowing func waitUntilReported() async {
    await park { task in
      entries.withLock { entries in
        var number = UInt64.max
        while entries[TicketNumber(number: number)] != nil { number -= 1 }
        entries[TicketNumber(number: number)] = .waiter(task)
      }
      if unreported.bitwiseOr(1, ordering: .sequentiallyConsistent).newValue == 1 { wake() }
    }
  }

  private borrowing func wake() {
    let woken = entries.withLock { entries in
      let woken = entries.filter { if case .waiter = $0.value { true } else { false } }
      for number in woken.keys { entries[number] = nil }
      return woken
    }
    for case .waiter(let task) in woken.values { task.resume(returning: ()) }
  }
}
