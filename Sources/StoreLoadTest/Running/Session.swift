import Foundation
import Synchronization

/// A run of the load test, which collects results, and reports them once when it finishes, stalls, or is interrupted.
final class Session: Sendable {
  enum End: String {
    case finished, stalled, interrupted

    /// The exit status of the process.
    var status: Int32 {
      switch self {
      case .finished: 0
      case .stalled: Self.violated
      case .interrupted: 130
      }
    }

    /// The exit status after a violation.
    static let violated: Int32 = 1
  }

  private struct State: Sendable {
    var results: [CaseResult] = []
    var violations = 0
    var isSaid = false
  }

  let options: Options
  let monitor = Monitor()
  private let progress: ProgressBar
  private let output: any ResultPrinter
  private let state = Mutex(State())

  init(_ options: Options) {
    self.options = options
    output =
      if options.isJSON { JSONPrinter() } else if Terminal.isOutput { TablePrinter() } else { LinePrinter() }
    progress = ProgressBar()
  }

  /// Runs the selected scenarios, one case at a time.
  @concurrent
  func run() async -> Never {
    let interruption = onInterruption { self.end(.interrupted) }
    output.begin(report([]))
    startWatchdog(monitor) {
      self.progress.stop()
      say("StoreLoadTest: no progress for ten seconds; \($0)")
      self.end(.stalled)
    }
    let scenarios = Scenario.all.filter {
      options.scenarios.isEmpty ? !$0.isOptional : options.scenarios.contains($0.name)
    }
    let cases = scenarios.flatMap { scenario in scenario.cases(options).map { (scenario, $0) } }
    let weights = cases.reduce(0) { $0 + $1.1.weight }
    var done = 0.0
    for (scenario, each) in cases {
      let share = each.weight / weights
      progress.show("\(scenario.name): \(each.name)", from: done, to: done + share, in: options.seconds * share)
      await run(each, of: scenario, for: options.seconds * 1e9 * share)
      done += share
    }
    withExtendedLifetime(interruption) {}
    end(.finished)
  }

  private func run(_ each: Case, of scenario: Scenario, for budget: Double) async {
    let name = "\(scenario.name): \(each.name)"
    let found = Tally()
    let violated = { @Sendable [self] (violation: String) in
      found.add(1)
      self.violated("\(name): \(violation) (seed \(options.seed))")
    }
    monitor.watch { name }
    let memory = PeakMemory()
    let figures = await measure(each, for: budget, violated: violated)
    let missedLimit = each.limit?.missed(by: figures)
    if options.enforcesLimits, let missedLimit {
      violated("\(missedLimit.explanation) in the best of \(Bench.measurements) measurements")
    }
    let result = CaseResult(
      name: scenario.name, case: each.name, operations: figures.operations,
      nanosecondsPerOperation: figures.nanoseconds, latencyNanoseconds: figures.latencies.flatMap(LatencySummary.init),
      baseline: figures.baseline, ratio: figures.ratio, peakMemoryBytes: memory.bytes, heapBytes: figures.heapBytes,
      kinds: figures.kinds, violations: found.total, missedLimit: missedLimit)
    state.withLock { $0.results.append(result) }
    progress.clear()
    output.measured(result)
  }

  /// Measures a case.
  ///
  /// If the options enforce limits, measures the case up to five times while it misses its limit.
  ///
  /// Another program can disturb a measurement, but a case that is too slow misses its limit each time. Returns the
  /// best measurement.
  private func measure(
    _ each: Case,
    for budget: Double,
    violated: @escaping @Sendable (String) -> Void
  ) async -> Figures {
    var best = await each.run(Bench(options, budget: budget, monitor, violated: violated))
    guard options.enforcesLimits, let limit = each.limit else { return best }
    for _ in 1..<Bench.measurements {
      guard let least = limit.missed(by: best)?.seen else { break }
      let figures = await each.run(Bench(options, budget: budget, monitor, violated: violated))
      if let seen = limit.value(figures), seen < least { best = figures }
    }
    return best
  }

  /// Counts a violation, and reports it immediately if it is one of the first.
  ///
  /// The number of reports is limited, because one broken promise can cause a million violations.
  private func violated(_ violation: String) {
    let number = state.withLock { state in
      state.violations += 1
      return state.violations
    }
    if number > Self.violationsSaid { return }
    progress.clear()
    say("violation: \(violation)" + (number == Self.violationsSaid ? "; further violations are not listed" : ""))
  }

  private static let violationsSaid = 100

  // MARK: Ending

  private func report(_ results: [CaseResult], violations: Int = 0, _ end: End? = nil) -> Report {
    let isIncomplete = end == .stalled || end == .interrupted
    return Report(
      machine: .this, seed: options.seed, scenarios: results, violations: violations,
      incomplete: isIncomplete ? end?.rawValue : nil)
  }

  /// Reports the results and ends the process.
  ///
  /// A second caller waits until the first one ends the process.
  private func end(_ end: End) -> Never {
    let (results, violations, isSaid) = state.withLock { state in
      defer { state.isSaid = true }
      return (state.results, state.violations, state.isSaid)
    }
    if isSaid { while true { Thread.sleep(forTimeInterval: 1) } }
    progress.stop()
    let report = report(results, violations: violations, end)
    var status = violations > 0 && end == .finished ? End.violated : end.status
    output.end(report)
    if let path = options.report {
      do {
        try HTMLPage(report).text.write(toFile: path, atomically: false, encoding: .utf8)
      } catch {
        say("StoreLoadTest: cannot write the report to \(path): \(error.localizedDescription)")
        status = max(status, End.violated)
      }
    }
    exit(status)
  }
}

/// Writes a line to standard error.
func say(_ line: String) {
  FileHandle.standardError.write(Data((line + "\n").utf8))
}
