import SeededRandom

/// Runs the schedules of a strategy until one fails, and then analyzes the failure.
struct Explorer {
  let strategy: Simulation.Strategy
  let limit: Int?
  let maxSteps: Int
  let body: @Sendable () async throws -> Void

  func explore() throws(Simulation.Failure) -> Simulation.Exploration {
    var progress = Progress()
    requireSense()
    switch strategy {
    case .fifo:
      try run(.fifo, as: strategy, &progress)
      progress.exploration.isComplete = true
    case .replay(let schedule):
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
    var seen: Set<UInt64> = []
    var isExhaustible = true
  }

  private func sample(_ progress: inout Progress) throws(Simulation.Failure) {
    let length = strategy.needsLength ? try run(.fifo, as: .fifo, &progress).steps : 0
    for number in 0..<(limit ?? 1_000) where !Task.isCancelled {
      let sample = strategy.sample(number)
      let rule: Chooser.Rule =
        switch sample {
        case .random(let seed): .random(SplitMix64(seed))
        case .pct(let depth, let seed): .priorities(PriorityRule(seed: seed, depth: depth, length: length))
        default: .fifo
        }
      try run(rule, as: sample, &progress)
    }
  }

  private func search(_ search: some ScheduleSearch, _ progress: inout Progress) throws(Simulation.Failure) {
    var search = search
    while let script = search.script, progress.exploration.schedules < limit ?? 1_000_000, !Task.isCancelled {
      search.advance(past: try run(search.rule(script), as: strategy, &progress))
    }
    progress.exploration.isComplete = search.script == nil && progress.isExhaustible
  }

  // MARK: One schedule

  @discardableResult
  private func run(
    _ rule: Chooser.Rule,
    as strategy: Simulation.Strategy,
    _ progress: inout Progress
  ) throws(Simulation.Failure) -> SimulatedRun {
    let run = execute(rule)
    let number = progress.exploration.schedules
    progress.exploration.schedules += 1
    progress.exploration.steps += run.steps
    if progress.seen.insert(run.fingerprint).inserted { progress.exploration.distinctSchedules += 1 }
    if !run.isExhaustible { progress.isExhaustible = false }
    if run.hasFailed { throw failure(run, as: strategy, progress) }
    // Run a few schedules twice. A run that depends on more than its schedule cannot be replayed.
    if number < 2 || number % 500 == 0, !execute(rule).isSame(as: run) {
      throw failure(run, as: strategy, progress, error: Simulation.NotReproducible(after: nil))
    }
    return run
  }

  func execute(_ rule: Chooser.Rule, _ recording: Recording? = nil) -> SimulatedRun {
    SimulatedExecutor.run(rule, maxSteps: maxSteps, recording: recording, body)
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
    case .mixed(let seed) where number % 2 == 0: return .random(seed: seed &+ offset)
    case .mixed(let seed): return .pct(depth: 1 + number / 2 % 3, seed: seed &+ offset)
    case .fifo, .exhaustive, .replay: return self
    }
  }
}
