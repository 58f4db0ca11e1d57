import Synchronization

/// What a case gets: how long it may take, the clock and the seed, somewhere to say what is wrong.
final class Bench: Sendable {
  let options: Options
  /// How long the case may take, about, in nanoseconds.
  let budget: Double
  private let monitor: Monitor
  private let started = now()
  private let violated: @Sendable (String) -> Void

  /// `violated` is told of each violation, as soon as it is found.
  init(_ options: Options, budget: Double, _ monitor: Monitor, violated: @escaping @Sendable (String) -> Void) {
    self.options = options
    self.budget = budget
    self.monitor = monitor
    self.violated = violated
  }

  var seed: UInt64 { options.seed }

  /// Says that the case goes on.
  func beat() { monitor.beat() }

  /// Names what is under load, for the report of a stall: as long as the text changes something moves.
  func watch(_ describe: @escaping @Sendable () -> String) { monitor.watch(describe) }

  /// Records a violation unless `seen` is what is expected.
  func expect<Value: Equatable>(_ what: String, _ seen: Value, _ expected: Value) {
    if seen == expected { return }
    violated("\(what): expected \(expected), saw \(seen)")
  }

  /// Records a violation if the middle ratio is above a limit; of a few operations a ratio says nothing.
  func expectRatio(_ what: String, _ figures: Figures, atMost limit: Double) {
    guard let ratio = figures.ratio?.median, figures.operations >= 1_000, ratio > limit else { return }
    violated("\(what): expected a ratio of at most \(limit), saw \(ratio)")
  }

  /// Records a violation if one call of a thousand takes very much longer than most; of a few calls that says nothing.
  func expectSteady(_ what: String, _ latencies: Latencies, atMost times: UInt64 = 20) {
    guard latencies.count >= 10_000, let summary = LatencySummary(latencies) else { return }
    if summary.p999 <= times * summary.p50 { return }
    violated("\(what): expected p99.9 within \(times) medians, saw \(summary.p999) ns and \(summary.p50) ns")
  }

  /// Records a violation if something takes more of the heap.
  func expectBytes(_ seen: Int, atMost limit: Int) {
    if seen > limit { violated("expected at most \(limit) bytes, saw \(seen)") }
  }

  /// The same of what tasks take while they wait; not in a debug build, where they take several times as much.
  func expectBytesOfTasks(_ seen: Int, atMost limit: Int) {
    if !isDebug { expectBytes(seen, atMost: limit) }
  }

  // MARK: How much

  /// How long the case has run, in nanoseconds.
  var elapsed: Double { Double(now() - started) }

  /// Whether there is time, or a count, left for more, after so many operations.
  func goesOn(after operations: Int) -> Bool {
    if let dispatches = options.dispatches { return operations < dispatches }
    return operations == 0 || elapsed < budget
  }
}

/// What who watches the run has to know of it.
final class Monitor: Sendable {
  private let beats = Atomic<Int>(0)
  private let current = Mutex<@Sendable () -> String>({ "nothing yet" })

  func beat() { beats.wrappingAdd(1, ordering: .relaxed) }

  func watch(_ describe: @escaping @Sendable () -> String) {
    current.withLock { $0 = describe }
    beat()
  }

  var pulse: Int { beats.load(ordering: .relaxed) }
  /// What is under load; called without the lock.
  var underLoad: String {
    let describe = current.withLock { $0 }
    return describe()
  }
}
