extension Simulation {
  /// The schedules that an exploration runs.
  ///
  /// A depth must be at least 1, and a number of preemptions at least 0. Schedule number `i` of a strategy with a seed,
  /// counted from 0, has the seed `seed + i`. So each schedule is also the first one of a strategy with its own seed.
  public enum Strategy: Hashable, Sendable {
    /// One schedule, which runs tasks in the order in which they become ready.
    case fifo
    /// Schedules that choose among all ready tasks at random.
    ///
    /// In a quarter of the schedules, all tasks have the same chance. In the others, each task has a random weight, so
    /// that some tasks hardly ever run while others take turns.
    case random(seed: UInt64)
    /// Schedules of probabilistic concurrency testing (Burckhardt et al., ASPLOS 2010).
    ///
    /// The task with the highest random priority runs. At `depth - 1` random steps, the running task loses its
    /// priority. Such schedules find bugs in which a task pauses while others take many steps. The depth is the number
    /// of orderings that the bug needs. Depths of 1 to 3 find most bugs. An additional first run estimates the length
    /// of a run.
    case pct(depth: Int, seed: UInt64)
    /// Two schedules of ``random(seed:)``, then one of ``pct(depth:seed:)``, again and again, with depths from 1 to 3.
    ///
    /// Each of the two finds bugs that the other misses.
    case mixed(seed: UInt64)
    /// Every schedule, once.
    ///
    /// A schedule decides which task continues at each point in <doc:FindingTheSchedule#What-it-finds>. With
    /// `maxPreemptions`, the search tries only schedules that switch away from a task that could continue at most that
    /// many times. Two preemptions are enough for most bugs. Without a limit, the number of schedules can grow as the
    /// factorial of the number of steps, so search only small bodies without a limit.
    ///
    /// With ``Simulation/Sharing/storesAndAtoms``, the search skips schedules that are equivalent to another schedule.
    /// The promises of that case must hold. You cannot combine it with `maxPreemptions`.
    ///
    /// An actor processes its mailbox in one step. A task that continues for 200 choices has to yield, because it may
    /// be waiting for another task. The search is then not complete, unless the task yields in a loop. If it does, the
    /// search begins again with fair yields (``Simulation/Exploration/hasFairYields``).
    case exhaustive(maxPreemptions: Int? = nil, sharing: Sharing = .anything)
    /// One schedule, from a report.
    case replay(Schedule)
  }
}

extension Simulation.Strategy: CustomStringConvertible {
  /// The strategy as Swift source code.
  public var description: String {
    switch self {
    case .fifo: ".fifo"
    case .random(let seed): ".random(seed: \(seed))"
    case .pct(let depth, let seed): ".pct(depth: \(depth), seed: \(seed))"
    case .mixed(let seed): ".mixed(seed: \(seed))"
    case .exhaustive(let maxPreemptions?, sharing: _): ".exhaustive(maxPreemptions: \(maxPreemptions))"
    case .exhaustive(nil, .anything): ".exhaustive()"
    case .exhaustive(nil, let sharing): ".exhaustive(sharing: .\(sharing))"
    case .replay(let schedule): ".replay(\"\(schedule)\")"
    }
  }
}
