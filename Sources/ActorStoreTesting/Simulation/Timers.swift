extension Simulation {
  /// Whether tasks that sleep on a ``SimulationClock`` can wake while other tasks are ready.
  ///
  /// A timeout can expire before the work that it limits has ended, even if the work takes little time. To find such
  /// races, a schedule can let a timer fire early. Time then advances to the earliest deadline, although other tasks
  /// can run. Without early timers, time advances only when no task can run.
  ///
  /// The timer of a `TurnWatchdog` never fires early.
  public struct Timers: Hashable, Sendable {
    let maxEarly: Int

    /// Lets a number of timers fire early in each schedule.
    ///
    /// Timers with the same deadline count as one. With 0, timers fire only when no task can run, so a body can sleep
    /// until all other tasks wait.
    ///
    /// - Parameter count: The maximum number of early timers in a schedule. It must not be negative.
    /// - Returns: The limit.
    public static func race(upTo count: Int) -> Timers {
      if count < 0 { fatalError("ActorStoreTesting: the number of early timers is negative. Pass 0 or more.") }
      return Timers(maxEarly: count)
    }
  }
}
