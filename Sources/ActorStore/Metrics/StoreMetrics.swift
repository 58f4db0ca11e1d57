/// Figures about the actions and the queues of any number of stores, for monitoring a server.
///
/// ```swift
/// let metrics = StoreMetrics()
/// let shop = Store(Shop(), guards: [metrics.makeGuard()])
/// let chat = Store(Chat(), guards: [metrics.makeGuard()])
///
/// print(metrics.prometheusText)
/// ```
///
/// Metrics count by type of action, over all of their stores. The name of a closure or a transaction is its label.
/// Actions with the same name have one series, and so do stores with the same name. The metrics do not hold the stores.
///
/// Each name takes at most 34 KB, regardless of the number of reports. After 1,000 names, all further actions are
/// counted as `"other"`. For each store, the metrics take about 190 bytes, or about 320 bytes if the store has no other
/// guard. They add a constant time to creating and releasing a store. Counting a report takes less time than reading
/// the clock twice, which a store with metrics does for each action.
public final class StoreMetrics: Sendable {
  let clock: any Clock<Duration>
  let table: ActionTable
  let gauges = QueueGauges()

  /// Creates metrics without figures.
  ///
  /// - Parameter clock: The clock for the times that actions wait and run. If an earlier guard of a store names another
  ///   clock, the store uses that one.
  public convenience init(clock: any Clock<Duration> = ContinuousClock()) {
    self.init(clock: clock, limit: 1_000)
  }

  /// - Parameter limit: The number of names of actions, without `"other"`.
  init(clock: any Clock<Duration>, limit: Int) {
    self.clock = clock
    table = ActionTable(limit: limit)
  }

  /// Returns a guard that counts the reports of each store to which it is passed.
  ///
  /// - Parameter state: The type of the stores' state, which is usually inferred.
  public func makeGuard<State: Sendable>(for state: State.Type = State.self) -> any ReportGuard<State> {
    MetricsGuard<State>(self)
  }
}
