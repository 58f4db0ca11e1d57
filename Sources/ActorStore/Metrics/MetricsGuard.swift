/// A guard that counts reports.
///
/// Each store has its own, with a gauge.
final class MetricsGuard<State: Sendable>: PerStoreGuard {
  private let metrics: StoreMetrics
  private let gauge: QueueGauge?
  /// The part of the table that counts the reports, unless another thread uses it.
  private let part: ActionTable.Part

  init(_ metrics: StoreMetrics, gauge: QueueGauge? = nil) {
    self.metrics = metrics
    self.gauge = gauge
    part = metrics.table.part(for: gauge ?? metrics)
    if let gauge { metrics.gauges.insert(gauge) }
  }

  deinit {
    if let gauge { metrics.gauges.remove(gauge) }
  }

  var reportClock: (any Clock<Duration>)? { metrics.clock }

  func didEnd<A: Action<State>>(_ action: A, report: ActionReport<State>) {
    gauge?.note(report.queueLength)
    // Passing the report to another function would look up its type at run time.
    let sample = ActionSample(
      report.outcome.kind, isMember: report.member != nil, waited: report.waited, ran: report.ran)
    let key: ActionKey = if let label = action._label { .label(label) } else { .type(A.self) }
    if !part.tryToAdd(sample, of: key) { metrics.table.add(sample, of: key, startingAt: part) }
  }

  func makeGuard(for store: GuardedStore) -> MetricsGuard<State>? {
    MetricsGuard(metrics, gauge: QueueGauge(store))
  }
}
