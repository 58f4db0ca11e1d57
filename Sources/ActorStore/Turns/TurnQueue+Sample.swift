import Synchronization

/// Samples of the holder, for a watchdog.
extension TurnQueue {
  /// The holder at one moment.
  struct Sample: Sendable {
    /// The holder's ticket, or `.none` if the store is idle.
    var holder = TicketNumber.none
    /// Details if the holder has the expected ticket.
    var details: HeldTurn?
  }

  struct HeldTurn: Sendable {
    let label: ActionLabel
    let phase: TurnPhase
    let queuedCount: Int
    /// The labels of the first few waiting calls.
    let firstQueued: [ActionLabel]
  }

  /// Returns the holder's ticket, or `.none` if the store is idle.
  func sampleHolder() -> TicketNumber {
    touch(isWrite: false)
    return stateMachine.withLock { $0.holder?.ticket ?? .none }
  }

  /// Returns the current holder, and its details if it has an expected ticket.
  ///
  /// Takes constant time, so it does not hold up the calls to a store with many waiters.
  ///
  /// - Parameter expected: A ticket, or `.none` to request no details.
  func sample(expecting expected: TicketNumber) -> Sample {
    touch(isWrite: false)
    return stateMachine.withLock { stateMachine in
      guard let holder = stateMachine.holder else { return Sample() }
      if holder.ticket != expected { return Sample(holder: holder.ticket) }
      let hasBegun = holder.ticket.number == begun.load(ordering: .relaxed)
      return Sample(
        holder: holder.ticket,
        details: HeldTurn(
          label: holder.label, phase: hasBegun ? .running : holder.phase, queuedCount: stateMachine.queuedCount,
          firstQueued: stateMachine.firstQueuedLabels(5)))
    }
  }

  /// The label of the holder, or `nil` if the store is idle.
  var holderLabel: ActionLabel? {
    touch(isWrite: false)
    return stateMachine.withLock { $0.holder?.label }
  }
}
