/// The clock of a simulation: its time stands still while anything can run.
///
/// When nothing can, it moves on to the earliest deadline, and all who sleep until then can run. So a sleep of a day
/// costs nothing, and who is woken in which order follows from the deadlines, not from the machine. Give it to the code
/// under test wherever that takes an `any Clock<Duration>`.
///
/// ```swift
/// try Simulation.explore {
///   let clock = SimulationClock()
///   try await clock.sleep(for: .seconds(3_600))
/// }
/// ```
public struct SimulationClock: Clock {
  /// A moment, counted from the beginning of the simulation.
  public struct Instant: InstantProtocol {
    /// How long after the beginning.
    public let offset: Duration

    /// The moment that much later.
    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    /// How long it is from here to there.
    public func duration(to other: Instant) -> Duration {
      other.offset - offset
    }

    /// Whether one is earlier.
    public static func < (earlier: Instant, later: Instant) -> Bool {
      earlier.offset < later.offset
    }
  }

  private let executor: SimulatedExecutor

  /// The clock of the simulation that is running; must be called inside the body of one.
  public init() {
    guard let executor = SwiftRuntime.current else {
      preconditionFailure(
        """
        ActorStoreTesting: a SimulationClock was made outside of a simulation, where there is nobody to move its time. \
        Make it inside the body of Simulation.explore; elsewhere use a clock such as ContinuousClock.
        """
      )
    }
    self.executor = executor
  }

  /// The simulation's time.
  public var now: Instant { Instant(offset: executor.time) }

  /// One nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Sleeps until nothing else can run and this deadline is the earliest.
  ///
  /// Throws `CancellationError` as soon as the task is cancelled, and in a task that has left the simulation. A
  /// deadline that has passed lets other tasks in and returns. The tolerance is not used: virtual time is exact.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await executor.sleep(until: deadline.offset)
  }
}
