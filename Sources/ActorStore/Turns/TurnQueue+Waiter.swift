/// Waiters for a turn, and the reasons to resume them.
extension TurnQueue {
  enum Waiter: Sendable {
    case parked(RaisableTask<Wakeup>)
    /// A task that has not started, and that determines the reason for itself when it starts.
    case unstarted(UnstartedTask)

    /// Raises the priority of the task, which may run escalation handlers of the user.
    func raisePriority(to priority: UInt8) {
      switch self {
      case .parked(let task): task.raisePriority(to: priority)
      case .unstarted(let task): task.raisePriority(to: priority)
      }
    }

    /// The task, which has not been resumed or started.
    var reference: TaskReference {
      switch self {
      case .parked(let task): task.reference
      case .unstarted(let task): task.reference
      }
    }

    func resume(returning wakeup: Wakeup) {
      switch self {
      case .parked(let task): task.resume(returning: wakeup)
      case .unstarted(let task): task.start()
      }
    }
  }

  /// The reason to resume a waiter.
  enum Wakeup: Sendable {
    case hasTurn
    /// Its ticket was withdrawn.
    case withdrawn
    /// It gives way to another wait, because the two close a cycle.
    case deferred
    /// It is next, and only a mutation is ahead of it.
    case soon
    /// It is next.
    case next
  }

  /// The end of a wait for a turn.
  @usableFromInline enum Arrival: Sendable {
    case hasTurn
    /// The ticket was withdrawn.
    case withdrawn
    /// The caller must not wait any longer. Another task runs its action with its ticket (P8).
    case deferred
  }

  /// The waiters to resume after a hand-off.
  struct WakeUps: Sendable {
    /// The new holder, if it is parked.
    var holder: Resumption<Waiter>?
    /// The waiter that wakes before its turn.
    var next: (waiter: Resumption<Waiter>, wakeup: Wakeup)?
  }
}
