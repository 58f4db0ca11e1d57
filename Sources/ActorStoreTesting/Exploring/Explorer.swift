import SeededRandom

/// Runs the schedules of a strategy until one fails, and then analyzes the failure.
struct Explorer {
  let strategy: Simulation.Strategy
  let limit: Int?
  let maxSteps: Int
  let timers: Simulation.Timers
  let body: @Sendable () async throws -> Void

  func explore() throws(Simulation.Failure) -> Simulation.Exploration {
    requireSense()
    CancellationProbe.prepare()
    var progress = Progress(points: OptionalPoints(earlyTimers: timers.maxEarly))
    switch strategy {
    case .fifo:
      try run(.fifo, as: strategy, &progress)
      progress.exploration.isComplete = true
    case .replay(let schedule):
      progress.points.hasFairYields = schedule.hasFairYields
      let run = try run(.replay(schedule.decisions), as: strategy, &progress)
      if !run.fitsScript {
        throw failure(run, as: strategy, progress, error: Simulation.ScheduleDoesNotFit())
      }
      progress.exploration.isComplete = true
    case .exhaustive(let maxPreemptions, .anything):
      try search(ExhaustiveSearch(maxPreemptions: maxPreemptions), &progress)
    case .exhaustive(_, .storesAndAtoms):
      try search(ReducedSearch(), &progress)
    case .random, .pct, .mixed:
      try sample(&progress)
    }
    return progress.exploration
  }

  private func requireSense() {
    switch strategy {
    case .pct(let depth, _):
      if depth < 1 { fatalError("ActorStoreTesting: `depth` is less than 1, so it orders nothing. Pass 1 or more.") }
    case .exhaustive(let maxPreemptions?, let sharing):
      if maxPreemptions < 0 { fatalError("ActorStoreTesting: `maxPreemptions` is negative. Pass 0 or more, or nil.") }
      if sharing != .anything {
        fatalError(
          "ActorStoreTesting: a search with `sharing` cannot limit preemptions. Omit `sharing` or `maxPreemptions`.")
      }
    default: break
    }
  }

  private struct Progress {
    var exploration = Simulation.Exploration()
    var points: OptionalPoints
    var seen: Set<UInt64> = []
    var isExhaustible = true
    /// The number of schedules that do not exist on several threads.
    var infeasibleSchedules = 0
    let nestedSteps = NestedSteps()
  }

  private func sample(_ progress: inout Progress) throws(Simulation.Failure) {
    let length = strategy.needsLength ? try run(.fifo, as: .fifo, &progress).steps : 0
    for number in 0..<(limit ?? 1_000) where !Task.isCancelled {
      let sample = strategy.sample(number)
      let rule: Chooser.Rule =
        switch sample {
        case .random(let seed): .random(RandomRule(seed: seed))
        case .pct(let depth, let seed): .priorities(PriorityRule(seed: seed, depth: depth, length: length))
        default: .fifo
        }
      try run(rule, as: sample, &progress)
    }
  }

  private func search(_ search: some ScheduleSearch, _ progress: inout Progress) throws(Simulation.Failure) {
    var current = search
    progress.points.includeCancellations = false
    while let script = current.script, progress.exploration.schedules < limit ?? 1_000_000, !Task.isCancelled {
      let points = progress.points
      let run = try run(current.rule(script), as: strategy, &progress)
      // With other points, the decisions of earlier runs lead elsewhere.
      if progress.points == points { current.advance(past: run) } else { current = search }
    }
    progress.exploration.isComplete = current.script == nil && progress.isExhaustible && progress.points.includeUnsafe
    progress.exploration.hasFairYields = progress.points.hasFairYields
  }

  // MARK: One schedule

  @discardableResult
  private func run(
    _ rule: Chooser.Rule,
    as strategy: Simulation.Strategy,
    _ progress: inout Progress
  ) throws(Simulation.Failure) -> SimulatedRun {
    let run = executeFast(rule, progress)
    if run.isInfeasible, self.strategy.hasManySchedules {
      avoidInfeasibleSchedules(&progress)
      return run
    }
    let number = progress.exploration.schedules
    progress.exploration.schedules += 1
    progress.exploration.steps += run.steps
    if progress.seen.insert(run.fingerprint).inserted { progress.exploration.distinctSchedules += 1 }
    if addPoints(&progress, shownBy: run) { return run }
    if !run.isExhaustible { progress.isExhaustible = false }
    if run.hasFailed { throw failure(run, as: strategy, progress) }
    // Run a few schedules twice. A run that depends on more than its schedule cannot be replayed.
    if number < 2 || number % 500 == 0, !executeFast(rule, progress).isSame(as: run) {
      throw failure(run, as: strategy, progress, error: Simulation.NotReproducible(after: nil))
    }
    return run
  }

  /// Adds the optional points that a run has shown to matter, and returns whether the search must begin again.
  private func addPoints(_ progress: inout Progress, shownBy run: SimulatedRun) -> Bool {
    guard case .exhaustive = strategy, !run.hasFailed || run.verdict == .stepLimit else { return false }
    let old = progress.points
    if run.hasSeenCancellation { progress.points.includeCancellations = true }
    if run.hasForced, run.hasYielded { progress.points.hasFairYields = true }
    return progress.points != old
  }

  /// Leaves out the points at which the running task may hold a lock, if they only cost time.
  private func avoidInfeasibleSchedules(_ progress: inout Progress) {
    progress.infeasibleSchedules += 1
    if progress.infeasibleSchedules >= 10 { progress.points.includeUnsafe = false }
  }

  /// Runs a schedule in the fastest way.
  private func executeFast(_ rule: Chooser.Rule, _ progress: Progress) -> SimulatedRun {
    let run = SimulatedExecutor.run(rule, maxSteps: maxSteps, progress.points, progress.nestedSteps, body)
    return run.mustBeRepeated ? execute(rule, progress.points) : run
  }

  func execute(_ rule: Chooser.Rule, _ points: OptionalPoints, _ recording: Recording? = nil) -> SimulatedRun {
    SimulatedExecutor.run(rule, maxSteps: maxSteps, points, recording: recording, body)
  }

  private func failure(
    _ run: SimulatedRun,
    as strategy: Simulation.Strategy,
    _ progress: Progress,
    error: (any Error)? = nil
  ) -> Simulation.Failure {
    FailureAnalysis(
      run: run,
      strategy: strategy,
      schedulesRun: progress.exploration.schedules,
      explorer: self,
      points: progress.points,
      error: error
    ).failure()
  }
}

/// A search that tries schedules one after another.
private protocol ScheduleSearch {
  /// The decisions with which the next run begins, or `nil` if the search is over.
  var script: [Int]? { get }
  /// The rule that follows the decisions and then continues as the search needs it.
  func rule(_ script: [Int]) -> Chooser.Rule
  /// Advances to the next schedule, given the last run.
  mutating func advance(past run: SimulatedRun)
}

extension ExhaustiveSearch: ScheduleSearch {
  fileprivate func rule(_ script: [Int]) -> Chooser.Rule { .search(script) }
  fileprivate mutating func advance(past run: SimulatedRun) { advance(past: run.choices) }
}

extension ReducedSearch: ScheduleSearch {
  fileprivate func rule(_ script: [Int]) -> Chooser.Rule { .reduced(script) }
  fileprivate mutating func advance(past run: SimulatedRun) { advance(past: run.trace) }
}

extension Simulation.Strategy {
  /// Whether the strategy can leave out a schedule and run another one.
  fileprivate var hasManySchedules: Bool {
    switch self {
    case .random, .pct, .mixed, .exhaustive: true
    case .fifo, .replay: false
    }
  }

  /// Whether the strategy needs the number of steps in a run.
  fileprivate var needsLength: Bool {
    switch self {
    case .pct, .mixed: true
    case .fifo, .random, .exhaustive, .replay: false
    }
  }

  /// Returns a strategy whose first schedule is the one with the given number in this strategy.
  fileprivate func sample(_ number: Int) -> Simulation.Strategy {
    let offset = UInt64(number)
    switch self {
    case .random(let seed): return .random(seed: seed &+ offset)
    case .pct(let depth, let seed): return .pct(depth: depth, seed: seed &+ offset)
    case .mixed(let seed) where number % 3 < 2: return .random(seed: seed &+ offset)
    case .mixed(let seed): return .pct(depth: 1 + number / 3 % 3, seed: seed &+ offset)
    case .fifo, .exhaustive, .replay: return self
    }
  }
}
