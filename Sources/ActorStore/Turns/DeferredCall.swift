/// A deferred call, whose owner decides whether it runs.
final class DeferredCall: Sendable {
  private let queue: TurnQueue
  private let label: ActionLabel
  private let canSuspend: Bool
  private let place: DeferredPlace
  private let decided = FirstValue<TicketNumber?>()

  init(_ queue: TurnQueue, _ label: ActionLabel, canSuspend: Bool, _ place: DeferredPlace) {
    self.queue = queue
    self.label = label
    self.canSuspend = canSuspend
    self.place = place
  }

  /// Waits until the owner ends, and returns the ticket of the call, or `nil` if the owner failed.
  var ticket: TicketNumber? {
    get async { await decided.get() }
  }

  /// Lets the call run, because its owner has committed.
  func start() {
    switch place {
    case .queued(let ticket): decided.set(ticket)
    case .accepted(let owner): decided.set(queue.takeAccepted(from: owner, label, canSuspend: canSuspend))
    }
  }

  /// Gives up the call, because its owner failed.
  func giveUp() {
    switch place {
    case .queued(let ticket): queue.giveUp(ticket)
    case .accepted(let owner): queue.release(from: owner)
    }
    decided.set(nil)
  }
}

/// The place of a deferred call until its owner ends.
enum DeferredPlace: Sendable {
  /// The call has a position in the queue.
  case queued(TicketNumber)
  /// The store has accepted the call, which takes its ticket when its owner commits.
  case accepted(from: TurnID)
}
