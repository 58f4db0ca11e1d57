extension Simulation {
  /// What an exploration that found nothing wrong did.
  public struct Exploration: Hashable, Sendable, CustomStringConvertible {
    /// How many schedules were run.
    public internal(set) var schedules = 0
    /// How many of them were different.
    public internal(set) var distinctSchedules = 0
    /// The steps of all of them: a step is a task running until it suspends.
    public internal(set) var steps = 0
    /// Every schedule of the strategy was run; never true of strategies that choose at random.
    public internal(set) var isComplete = false

    /// One line.
    public var description: String {
      """
      \(schedules) schedule\(schedules == 1 ? "" : "s") (\(distinctSchedules) distinct), \(steps) steps, \
      \(isComplete ? "complete" : "not complete")
      """
    }
  }
}
