import ActorStore

/// A guard that records a span for each action that ran.
struct SpanReporter<State: Sendable>: ReportGuard {
  var tracer: any Tracer = InstrumentationSystem.tracer
  var reportClock: (any Clock<Duration>)? { ContinuousClock() }

  func didEnd<A: Action<State>>(_ action: A, report: ActionReport<State>) {
    // A member is reported after its whole transaction, so its end is not known.
    guard let ran = report.ran, report.member == nil, report.outcome.kind != .deferred else { return }
    let end = DefaultTracerClock.now.nanosecondsSinceEpoch
    let start = end - UInt64(ran / .nanoseconds(1))
    let span = tracer.startSpan("\(A.self)", at: DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: start))
    span.attributes["store.outcome"] = report.outcome.kind.rawValue
    if case .failed(let error) = report.outcome {
      span.recordError(error)
      span.setStatus(SpanStatus(code: .error))
    }
    span.end(at: DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: end))
  }
}
