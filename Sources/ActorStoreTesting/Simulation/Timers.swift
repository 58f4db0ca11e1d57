extension Simulation {
  /// Whether tasks that sleep on a ``SimulationClock`` can wake while other tasks are ready.
  ///
  /// A timeout can pass before the work that it limits has ended, even if the work takes little time. To find such
  /// races, a schedule can let a timer fire early. The time then advances to the earliest deadline, although other tasks
  /// could run. Without early timers, the time advances only when no task can run.
  ///
  /// The timer of a `TurnWatchdog` never fires early.
  public struct Timers: Hashable, Sendable {
    let maxEarly: Int

    /// Lets a number of timers fire early in each schedule.
    ///
    /// Timers with the same deadline count as one. With 0, timers fire only when no task can run. For example, a body
    /// can then sleep to wait until all other tasks wait.
    ///
    /// - Parameter count: The maximum number, which must not be negative.
    /// - Returns: The choice of timers.
    public static func race(upTo count: Int) -> Timers {
      if count < 0 { fatalError("ActorStoreTesting: the number of early timers is negative. Pass 0 or more.") }
      return Timers(maxEarly: count)
    }
  }
}
