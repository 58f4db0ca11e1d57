/// Analyzes a failed run by repeating, minimizing, and recording it.
struct FailureAnalysis {
  let run: SimulatedRun
  let strategy: Simulation.Strategy
  let schedulesRun: Int
  let explorer: Explorer
  let points: OptionalPoints

  /// An error that the run itself did not throw.
  var error: (any Error)?

  /// The approximate number of steps to spend on minimizing a run.
  private static let minimizerSteps = 2_000_000
  /// The approximate time to wait for another thread before reporting a deadlock, in milliseconds.
  private static let grace = 100

  func failure() -> Simulation.Failure {
    let again = explorer.execute(.replay(run.decisions), points)
    let repeats = again.isSame(as: run)
    let minimized = repeats ? simplest() : run.decisions
    let (recorded, recording) = record(minimized)
    let isReproducible =
      repeats && (!run.hasFailed || recorded.fails(like: run)) && !(error is Simulation.NotReproducible)
    let verdict = verdict([run, again, recorded])
    let error = isReproducible ? error ?? recorded.error : Simulation.NotReproducible(after: run.error)
    let report = FailureReport(
      verdict: verdict,
      error: error,
      strategy: strategy,
      schedulesRun: schedulesRun,
      decisionsFound: run.decisions,
      schedule: Simulation.Schedule(
        decisions: isReproducible ? recorded.decisions : run.decisions, hasFairYields: points.hasFairYields),
      timers: explorer.timers,
      recording: recording,
      otherRecording: isReproducible ? nil : record(minimized).recording
    )
    return Simulation.Failure(
      verdict: verdict,
      error: error,
      strategy: strategy,
      schedulesRun: schedulesRun,
      schedule: report.schedule,
      description: report.text
    )
  }

  private func record(_ decisions: [Int]) -> (run: SimulatedRun, recording: Recording) {
    let recording = Recording()
    let run = explorer.execute(.replay(decisions), points, recording)
    recording.end()
    return (run, recording)
  }

  /// Returns the minimized decisions, or the run's own decisions if it cannot be minimized.
  private func simplest() -> [Int] {
    if case .replay = strategy { return run.decisions }
    // Only a run that fails and ends can be minimized.
    guard run.hasFailed, run.verdict != .stepLimit, run.verdict != .blocked else { return run.decisions }
    var minimizer = Minimizer(budget: min(400, Self.minimizerSteps / max(1, run.steps)))
    return minimizer.minimize(run.decisions) { explorer.execute(.replay($0), points).fails(like: run) }
  }

  /// Returns the verdict, or an escape if another thread reaches a run that seemed to deadlock.
  private func verdict(_ runs: [SimulatedRun]) -> Simulation.Verdict {
    guard run.verdict == .deadlock || run.verdict == .stalled else { return run.verdict }
    for _ in 0..<Self.grace {
      if runs.contains(where: \.executor.wasReachedByAnotherThread) { return .escaped(.otherThread) }
      CurrentThread.rest()
    }
    return run.verdict
  }
}
