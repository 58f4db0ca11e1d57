extension Simulation {
  /// The result of an exploration that found no failure.
  public struct Exploration: Hashable, Sendable, CustomStringConvertible {
    /// The number of schedules that ran.
    public internal(set) var schedules = 0
    /// The number of different schedules among them.
    public internal(set) var distinctSchedules = 0
    /// The total number of steps.
    ///
    /// In a step, a task runs until it suspends, or until another task could run.
    public internal(set) var steps = 0
    /// Whether every schedule of the strategy ran.
    ///
    /// The value is always `false` for strategies that choose at random. An exhaustive search can miss failures even if
    /// it is complete. <doc:FindingTheSchedule#What-it-cannot-find> lists its limits.
    public internal(set) var isComplete = false

    /// Whether a task of an exhaustive search yields in a loop, so that the search used fair yields.
    ///
    /// See <doc:FindingTheSchedule#What-it-cannot-find>.
    public internal(set) var hasFairYields = false

    /// A summary in one line.
    public var description: String {
      """
      \(schedules) schedule\(schedules == 1 ? "" : "s") (\(distinctSchedules) distinct), \(steps) steps, \
      \(isComplete ? "complete" : "not complete")\(hasFairYields ? "\(isComplete ? "" : ",") with fair yields" : "")
      """
    }
  }
}
