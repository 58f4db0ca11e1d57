import Synchronization

/// The environment of a case, with its options and its budget, which records violations.
final class Bench: Sendable {
  let options: Options
  /// The approximate duration of the case, in nanoseconds.
  let budget: Double
  private let monitor: Monitor
  private let started = now()
  private let violated: @Sendable (String) -> Void

  /// Creates an environment that calls `violated` as soon as it finds a violation.
  init(_ options: Options, budget: Double, _ monitor: Monitor, violated: @escaping @Sendable (String) -> Void) {
    self.options = options
    self.budget = budget
    self.monitor = monitor
    self.violated = violated
  }

  var seed: UInt64 { options.seed }

  /// Signals that the case makes progress.
  func beat() { monitor.beat() }

  /// Sets a description of the load, for the report of a stall.
  ///
  /// A change of the text also counts as progress.
  func watch(_ describe: @escaping @Sendable () -> String) { monitor.watch(describe) }

  /// Records a violation unless `seen` equals `expected`.
  func expect<Value: Equatable>(_ what: String, _ seen: Value, _ expected: Value) {
    if seen == expected { return }
    violated("\(what): expected \(expected), saw \(seen)")
  }

  /// Records a violation if the median ratio exceeds a limit.
  ///
  /// Ignores cases with fewer than 1,000 operations, whose ratios vary too much.
  func expectRatio(_ what: String, _ figures: Figures, atMost limit: Double) {
    guard let ratio = figures.ratio?.median, figures.operations >= 1_000, ratio > limit else { return }
    violated("\(what): expected a ratio of at most \(limit), saw \(ratio)")
  }

  /// Records a violation if the 99.9th percentile exceeds a multiple of the median.
  ///
  /// Ignores fewer than 10,000 calls, whose 99.9th percentile varies too much.
  func expectSteady(_ what: String, _ latencies: Latencies, atMost times: UInt64 = 20) {
    guard latencies.count >= 10_000, let summary = LatencySummary(latencies) else { return }
    if summary.p999 <= times * summary.p50 { return }
    violated(
      "\(what): expected p99.9 within \(times) medians, saw \(summary.p999) ns with a median of \(summary.p50) ns")
  }

  /// Records a violation if a number of heap bytes exceeds a limit.
  func expectBytes(_ seen: Int, atMost limit: Int) {
    if seen > limit { violated("expected at most \(limit) bytes, saw \(seen)") }
  }

  /// Records a violation if waiting tasks use more heap bytes than a limit.
  ///
  /// Checks nothing in a debug build, where tasks use several times as much memory.
  func expectBytesOfTasks(_ seen: Int, atMost limit: Int) {
    if !isDebug { expectBytes(seen, atMost: limit) }
  }

  // MARK: Duration

  /// The time since the case began, in nanoseconds.
  var elapsed: Double { Double(now() - started) }

  /// Returns whether the case continues after a number of operations.
  ///
  /// It ends when it reaches the number of `--dispatches` or, without that option, its budget.
  func goesOn(after operations: Int) -> Bool {
    if let dispatches = options.dispatches { return operations < dispatches }
    return operations == 0 || elapsed < budget
  }
}

/// The signs of progress that the watchdog observes.
final class Monitor: Sendable {
  private let beats = Atomic<Int>(0)
  private let current = Mutex<@Sendable () -> String>({ "nothing yet" })

  func beat() { beats.wrappingAdd(1, ordering: .relaxed) }

  func watch(_ describe: @escaping @Sendable () -> String) {
    current.withLock { $0 = describe }
    beat()
  }

  var pulse: Int { beats.load(ordering: .relaxed) }
  /// The current description of the load, which is computed without the lock.
  var underLoad: String {
    let describe = current.withLock { $0 }
    return describe()
  }
}
