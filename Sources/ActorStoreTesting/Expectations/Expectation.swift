import ActorStore

/// Waits for a value that meets a condition, and reports a failure if none does.
package struct Expectation<Value: Sendable>: Sendable {
  /// The expected value, for a sentence, such as "a value equal to 3".
  let wanted: @Sendable () -> String
  let limit: Duration
  let clock: (any Clock<Duration>)?
  let site: CallSite
  /// Describes the last value, by default with its dump.
  var describe: @Sendable (Value) -> String = { Dump.text(of: $0) }
  let fits: @Sendable (Result<Value, any Error>) -> Bool

  /// Returns the result that meets the condition, or reports a failure and returns `nil`.
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
    // A result counts even if the time is up at the same moment.
    if found.content != nil { return last.content }
    try fail(last.content, hasEnded: ending == .ended)
    return nil
  }

  /// Evaluates an expression after each signal, and returns the result that meets the condition, or reports a failure
  /// and returns `nil`.
  ///
  /// The expression runs only inside this call, on its actor.
  ///
  /// - Parameters:
  ///   - expression: The expression.
  ///   - signals: A stream that keeps the newest element only.
  ///   - signal: The continuation of the stream.
  package func wait(
    for expression: () throws -> Value, after signals: AsyncStream<Void>, _ signal: AsyncStream<Void>.Continuation
  ) async throws -> Result<Value, any Error>? {
    let clock = clock ?? defaultClock()
    let timer = Simulation.task { [limit] in
      await sleepAsLastResort(for: limit, clock)
      signal.finish()
    }
    defer { timer.cancel() }
    signal.yield()
    var last: Result<Value, any Error>?
    for await _ in signals {
      let result = Result { try expression() }
      if fits(result) { return result }
      last = result
    }
    try fail(last, hasEnded: false)
    return nil
  }

  /// Reports a failure.
  private func fail(_ last: Result<Value, any Error>?, hasEnded: Bool) throws {
    let reporter = IssueReporter()
    let why =
      hasEnded
      ? "no more values can come" : Task.isCancelled ? "the test was canceled" : "timed out after \(limit)"
    reporter.record("Expected \(wanted()), but \(why); \(last.map(text) ?? "there was no value").", at: site)
    try reporter.throwKept()
  }

  private enum Ending: Sendable {
    case ended
  }

  private func text(of result: Result<Value, any Error>) -> String {
    switch result {
    case .success(let value): "the last value was \(describe(value))"
    case .failure(let error): "the last error was \(error)"
    }
  }
}

/// A value that several tasks share.
private final class Slot<Value: Sendable>: Sendable {
  private let value = Locked<Value?>(nil)

  var content: Value? { value.withLock { $0 } }

  func put(_ content: Value) {
    // Release the old value outside of the lock.
    let old = value.withLock { value in
      defer { value = content }
      return value
    }
    withExtendedLifetime(old) {}
  }
}

/// Returns the simulation's clock inside a simulation, and a real-time clock elsewhere.
package func defaultClock() -> any Clock<Duration> {
  Simulation.isRunning ? SimulationClock() : ContinuousClock()
}
