extension Simulation {
  /// Which schedules an exploration runs.
  ///
  /// A depth is at least 1 and a number of preemptions at least 0. The schedule with number `i` of those with a seed
  /// has the seed `seed + i`, counted from 0, so one that failed is the first of a strategy with its own seed.
  public enum Strategy: Hashable, Sendable {
    /// One schedule: first come, first served.
    case fifo
    /// At each choice, any of the tasks that can run.
    case random(seed: UInt64)
    /// Probabilistic concurrency testing (Burckhardt et al., ASPLOS 2010): the task of the highest random priority
    /// runs, and at `depth - 1` random steps the running one loses its priority.
    ///
    /// Finds what random choices hardly ever do: a task that stands still while others take many steps. `depth` is
    /// how many orderings the bug needs, at least 1; 1 to 3 find most. The length of a run is estimated by a first one.
    case pct(depth: Int, seed: UInt64)
    /// ``random(seed:)`` and ``pct(depth:seed:)`` of the depths 1, 2 and 3 in turns: what one is blind to the other
    /// finds.
    case mixed(seed: UInt64)
    /// Every schedule once.
    ///
    /// With `maxPreemptions`, only those in which a task that could go on has to stand back at most that often:
    /// most bugs need two. Without, the number of schedules grows as the factorial of the steps: for small bodies.
    /// What an actor does with its mailbox is one step. A task that goes on for 200 choices has to stand back, because
    /// it may be waiting for another; the search then counts as not complete.
    case exhaustive(maxPreemptions: Int? = nil)
    /// One schedule, as a report printed it.
    case replay(Schedule)
  }
}

extension Simulation.Strategy: CustomStringConvertible {
  /// As it is written in Swift.
  public var description: String {
    switch self {
    case .fifo: ".fifo"
    case .random(let seed): ".random(seed: \(seed))"
    case .pct(let depth, let seed): ".pct(depth: \(depth), seed: \(seed))"
    case .mixed(let seed): ".mixed(seed: \(seed))"
    case .exhaustive(let maxPreemptions?): ".exhaustive(maxPreemptions: \(maxPreemptions))"
    case .exhaustive(nil): ".exhaustive()"
    case .replay(let schedule): ".replay(\"\(schedule)\")"
    }
  }
}
