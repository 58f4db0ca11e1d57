import Foundation
import Synchronization

/// A run of the load test: what has been measured so far, and how it is said, once, however the run ends.
final class Session: Sendable {
  enum End: String {
    case finished, violated, stalled, interrupted

    /// The exit status of the process.
    var status: Int32 {
      switch self {
      case .finished: 0
      case .violated, .stalled: 1
      case .interrupted: 130
      }
    }
  }

  private struct State: Sendable {
    var results: [CaseResult] = []
    var violations: [String] = []
    var isSaid = false
  }

  let options: Options
  let monitor = Monitor()
  private let progress: ProgressBar
  private let output: any Output
  private let state = Mutex(State())

  init(_ options: Options) {
    self.options = options
    output =
      if options.isJSON { JSONOutput() } else if Terminal.isOutput { TableOutput() } else { LineOutput() }
    progress = ProgressBar()
  }

  /// Runs the scenarios that were asked for, one case after the other.
  @concurrent
  func run() async -> Never {
    let interruption = onInterruption { self.end(.interrupted) }
    output.begin(report([]))
    startWatchdog(monitor) {
      self.progress.stop()
      say("StoreLoadTest: nothing has moved for ten seconds; \(self.monitor.underLoad)")
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
    let hasViolations = state.withLock { !$0.violations.isEmpty }
    end(hasViolations ? .violated : .finished)
  }

  private func run(_ each: Case, of scenario: Scenario, for budget: Double) async {
    let bench = Bench(options, budget: budget, monitor)
    monitor.watch { "\(scenario.name): \(each.name)" }
    let memory = PeakMemory()
    let figures = await each.run(bench)
    let violations = bench.violations.map {
      "\(scenario.name): \(each.name): \($0) (seed \(options.seed))"
    }
    let result = CaseResult(
      name: scenario.name, case: each.name, operations: figures.operations,
      nanosecondsPerOperation: figures.nanoseconds, latencyNanoseconds: figures.latencies.flatMap(LatencySummary.init),
      baseline: figures.baseline, ratio: figures.ratio, peakMemoryBytes: memory.bytes, heapBytes: figures.heapBytes,
      violations: violations.count)
    state.withLock { state in
      state.results.append(result)
      state.violations += violations
    }
    progress.clear()
    output.measured(result)
    for violation in violations { say("violation: \(violation)") }
  }

  // MARK: The end

  private func report(_ results: [CaseResult], _ end: End? = nil) -> Report {
    let isIncomplete = end == .stalled || end == .interrupted
    return Report(
      machine: .this, seed: options.seed, scenarios: results, incomplete: isIncomplete ? end?.rawValue : nil)
  }

  /// Says what was measured and ends the process; whoever comes second waits for that.
  private func end(_ end: End) -> Never {
    let (results, isSaid) = state.withLock { state in
      defer { state.isSaid = true }
      return (state.results, state.isSaid)
    }
    if isSaid { while true { Thread.sleep(forTimeInterval: 1) } }
    progress.stop()
    let report = report(results, end)
    output.end(report)
    if let path = options.report {
      do {
        try HTMLPage(report).text.write(toFile: path, atomically: false, encoding: .utf8)
      } catch {
        say("StoreLoadTest: the report could not be written to \(path): \(error.localizedDescription)")
      }
    }
    exit(end.status)
  }
}

/// Writes a line to standard error.
func say(_ line: String) {
  FileHandle.standardError.write(Data((line + "\n").utf8))
}
