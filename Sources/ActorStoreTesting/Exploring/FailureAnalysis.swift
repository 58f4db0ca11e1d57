/// Finds out what can be said about a run that failed: whether it fails again, by how little, and what each task did.
struct FailureAnalysis {
  let run: SimulatedRun
  let strategy: Simulation.Strategy
  let schedulesRun: Int
  let explorer: Explorer

  /// What is wrong beyond the run itself.
  var error: (any Error)?

  /// Simplifying a long run is worth so many steps of waiting.
  private static let minimiserSteps = 2_000_000
  /// How long a thread from outside is waited for before a deadlock is called proven, in milliseconds.
  private static let grace = 100

  func failure() -> Simulation.Failure {
    let again = explorer.execute(.replay(run.decisions))
    let isReproducible = again.isSame(as: run)
    let decisions = isReproducible ? simplest() : run.decisions
    let recording = Recording()
    let recorded = explorer.execute(.replay(decisions), recording)
    recording.end()
    let verdict = verdict([run, again, recorded])
    let error = isReproducible ? error ?? recorded.error : Simulation.NotReproducible(after: error ?? run.error)
    let report = FailureReport(
      verdict: verdict,
      error: error,
      strategy: strategy,
      schedulesRun: schedulesRun,
      decisionsFound: run.decisions,
      schedule: Simulation.Schedule(decisions: decisions),
      recording: recording
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

  /// The simplest decisions that fail in the same way.
  private func simplest() -> [Int] {
    if case .replay = strategy { return run.decisions }
    // Without an end there is nothing simple about it.
    guard run.hasFailed, run.verdict != .stepLimit else { return run.decisions }
    var minimiser = Minimizer(budget: min(400, Self.minimiserSteps / max(1, run.steps)))
    return minimiser.minimise(run.decisions) { explorer.execute(.replay($0)).fails(like: run) }
  }

  /// What looked like a deadlock was none if a thread from outside came after all.
  private func verdict(_ runs: [SimulatedRun]) -> Simulation.Verdict {
    guard run.verdict == .deadlock || run.verdict == .stalled else { return run.verdict }
    for _ in 0..<Self.grace {
      if runs.contains(where: \.executor.wasReachedByAnotherThread) { return .escaped(.otherThread) }
      CurrentThread.rest()
    }
    return run.verdict
  }
}
