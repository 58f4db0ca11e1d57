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

  /// Records a violation if the heap grows by more than a limit in each of five measurements.
  ///
  /// The allocator and the runtime keep some memory for reuse. So the heap can grow without a leak, but not in each
  /// measurement. Stops at the first measurement within the limit, and returns the smallest growth.
  func expectNoLeak(_ what: String, atMost limit: Int, _ growth: () async -> Int) async -> Int {
    var least = await growth()
    for _ in 1..<Self.measurements where least > limit { least = min(least, await growth()) }
    if least > limit { violated("\(what): expected a growth of at most \(limit) bytes, saw \(least)") }
    return least
  }

  /// The number of measurements before the load test judges a figure that another program can disturb.
  static let measurements = 5

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
