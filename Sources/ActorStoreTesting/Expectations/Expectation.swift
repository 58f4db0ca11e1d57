import ActorStore

/// Waits for a value that fits, and says what is wrong when none comes.
struct Expectation<Value: Sendable>: Sendable {
  /// What is waited for, for a sentence: "equal to 3".
  let wanted: @Sendable () -> String
  let limit: Duration
  let clock: (any Clock<Duration>)?
  let site: CallSite
  /// How the last value is shown; by default its text.
  var describe: @Sendable (Value) -> String = { Dump.text(of: $0) }
  let fits: @Sendable (Result<Value, any Error>) -> Bool

  /// Returns what fitted; nil, and it has been reported, when nothing did.
  func wait(for expected: some Expectable<Value> & Sendable) async throws -> Result<Value, any Error>? {
    let last = Slot<Result<Value, any Error>>()
    let clock = clock ?? defaultClock()
    let found = Slot<Void>()
    let ending = await within(limit, of: clock) { [fits] () async -> Ending? in
      await expected.follow { result in
        if found.content != nil { return true }
        let isFitting = fits(result)
        last.put(result)
        if isFitting { found.put(()) }
        return isFitting
      }
      return Task.isCancelled ? nil : .ended
    }
    // Also when the time was up in the same moment.
    if found.content != nil { return last.content }
    let reporter = IssueReporter()
    let why = ending == .ended ? "no more is to come" : Task.isCancelled ? "the test was cancelled" : "after \(limit)"
    reporter.record("Not \(wanted()); \(why), \(last.content.map(text) ?? "and there was no value").", at: site)
    try reporter.throwKept()
    return nil
  }

  private enum Ending: Sendable {
    case ended
  }

  private func text(of result: Result<Value, any Error>) -> String {
    switch result {
    case .success(let value): "and the last was: \(describe(value))"
    case .failure(let error): "and the last threw \(error)"
    }
  }
}

/// A place for a value that is seen by several tasks.
private final class Slot<Value: Sendable>: Sendable {
  private let value = Locked<Value?>(nil)

  var content: Value? { value.withLock { $0 } }

  func put(_ content: Value) {
    // What was there is let go of after the lock.
    let old = value.withLock { value in
      defer { value = content }
      return value
    }
    withExtendedLifetime(old) {}
  }
}

/// Virtual time inside a simulation, real time elsewhere.
func defaultClock() -> any Clock<Duration> {
  Simulation.isRunning ? SimulationClock() : ContinuousClock()
}
