import ActorStore

/// A guard that counts and times actions with swift-metrics.
struct MetricsReporter<State: Sendable>: ReportGuard {
  var reportClock: (any Clock<Duration>)? { ContinuousClock() }

  func didEnd<A: Action<State>>(_ action: A, report: ActionReport<State>) {
    let (name, outcome) = (("action", "\(A.self)"), report.outcome.kind)
    Counter(label: "store_actions", dimensions: [name, ("outcome", outcome.rawValue)]).increment()
    // If an overlapping action is deferred, its next report has the time again.
    if outcome != .deferred, let ran = report.ran {
      Timer(label: "store_action_run", dimensions: [name]).record(duration: ran)
    }
  }
}
