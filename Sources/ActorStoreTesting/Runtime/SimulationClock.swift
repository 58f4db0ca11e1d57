/// A clock whose virtual time advances when no task of the simulation can run, or when a timer fires early.
///
/// Time then advances to the earliest deadline, and all tasks that sleep until then become ready. By default, at most
/// one timer fires early in each schedule (``Simulation/Timers``). A sleep of a day takes almost no real time. The
/// deadlines and the schedule, not the machine, determine the order in which tasks wake. Pass the clock to code under
/// test that accepts an `any Clock<Duration>`.
///
/// ```swift
/// try Simulation.explore {
///   let clock = SimulationClock()
///   try await clock.sleep(for: .seconds(3_600))
/// }
/// ```
public struct SimulationClock: Clock {
  /// A moment in virtual time.
  public struct Instant: InstantProtocol {
    /// The time since the beginning of the simulation.
    public let offset: Duration

    /// Returns the instant that is later by a duration.
    ///
    /// - Parameter duration: The duration to add.
    /// - Returns: The later instant.
    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    /// Returns the duration from this instant to another one.
    ///
    /// - Parameter other: The other instant.
    /// - Returns: The duration, which is negative if the other instant is earlier.
    public func duration(to other: Instant) -> Duration {
      other.offset - offset
    }

    /// Returns whether the first instant is earlier than the second.
    ///
    /// - Parameters:
    ///   - earlier: The first instant.
    ///   - later: The second instant.
    /// - Returns: `true` if the first instant is earlier.
    public static func < (earlier: Instant, later: Instant) -> Bool {
      earlier.offset < later.offset
    }
  }

  private let executor: SimulatedExecutor

  /// Creates the clock of the running simulation.
  ///
  /// Create it inside the body of a simulation. Elsewhere, this initializer stops the program.
  public init() {
    guard let executor = SwiftRuntime.current else {
      fatalError(
        """
        ActorStoreTesting: a SimulationClock was created outside of a simulation, where nothing advances its time. \
        Create it inside the body of Simulation.explore. Elsewhere, use a clock such as ContinuousClock.
        """
      )
    }
    self.executor = executor
  }

  /// Creates the clock of the simulation that an executor runs.
  init(_ executor: SimulatedExecutor) { self.executor = executor }

  /// The current virtual time.
  ///
  /// On a thread other than the simulation's, it is always the beginning of the simulation.
  public var now: Instant { Instant(offset: executor.time) }

  /// The resolution of the clock, which is one nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Sleeps until nothing else can run and this deadline is the earliest.
  ///
  /// If the deadline has passed, the call may let other tasks run, and then returns.
  ///
  /// - Parameters:
  ///   - deadline: The instant at which to wake.
  ///   - tolerance: Ignored, because virtual time is exact.
  /// - Throws: `CancellationError` as soon as the task is canceled, or if the task has left the simulation.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await executor.sleep(until: deadline.offset)
  }
}
