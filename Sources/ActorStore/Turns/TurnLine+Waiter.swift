/// Who waits for a turn, and what it is told.
extension TurnLine {
  /// Who waits for a turn.
  enum Waiter: Sendable {
    case parked(Parked<Wakeup>)
    /// It has not begun to run: it will find out for itself what it was started for.
    case held(UnstartedTask)

    func resume(returning wakeup: Wakeup) {
      switch self {
      case .parked(let task): task.resume(returning: wakeup)
      case .held(let task): task.start()
      }
    }
  }

  /// Why a waiter is resumed.
  enum Wakeup: Sendable {
    case hasTurn
    /// Its place was given up.
    case withdrawn
    /// It gives way to another wait, which would close a cycle.
    case deferred
    /// It is next, and only a mutation is ahead of it.
    case soon
    /// It is next.
    case next
  }

  /// How a wait for a turn ended.
  @usableFromInline enum Arrival: Sendable {
    case hasTurn
    /// The place was given up.
    case withdrawn
    /// The caller is not to wait any longer: another task runs its action at its place (P8).
    case deferred
  }

  /// Whom to resume when the turn was handed on.
  struct Next: Sendable {
    var waiter: Waiter?
    /// Who comes after that, and what it is told.
    var early: (waiter: Waiter, wakeup: Wakeup)?
  }
}
