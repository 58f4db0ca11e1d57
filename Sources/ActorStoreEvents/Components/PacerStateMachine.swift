/// The logic of a debounced or throttled series of values.
///
/// A timer runs exactly while a value is pending.
struct PacerStateMachine<Instant: InstantProtocol, Value> where Instant.Duration == Duration {
  /// The instructions for the caller after an event.
  struct Step {
    /// The value to deliver.
    var value: Value?
    /// The time until which the timer sleeps before it calls `wake`.
    var deadline: Instant?
  }

  private enum State {
    /// No value has arrived.
    case initial
    /// No value is pending. A throttled value that arrives before the instant is not delivered immediately.
    case quiet(until: Instant?)
    /// The timer delivers the value, unless a newer one arrives.
    case pending(Value, until: Instant)
  }

  private let pacing: Pacing
  private var state = State.initial
  /// The last time at which the timer woke too early.
  private var earlyWake: Instant?

  init(_ pacing: Pacing) { self.pacing = pacing }

  /// Adds a value.
  mutating func receive(_ value: Value, at now: Instant) -> Step {
    switch (state, pacing) {
    case (.initial, _):
      return deliver(value, at: now)
    case (.quiet, .debounced(let interval)):
      return delay(value, until: now.advanced(by: interval))
    case (.pending, .debounced(let interval)):
      state = .pending(value, until: now.advanced(by: interval))
      return Step()
    case (.quiet(let end?), .throttled(_, let edge)) where now < end:
      return edge == .leading ? Step() : delay(value, until: end)
    case (.quiet, .throttled(let interval, let edge)):
      return edge == .trailing ? delay(value, until: now.advanced(by: interval)) : deliver(value, at: now)
    case (.pending(_, let end), .throttled):
      state = .pending(value, until: end)
      return Step()
    }
  }

  /// Continues after the timer has slept.
  mutating func wake(at now: Instant) -> Step {
    guard case .pending(let value, let end) = state else { return Step() }
    // A stuck clock would wake the timer forever, so the second early wake delivers the value.
    let isStuck = earlyWake.map { now <= $0 } ?? false
    if now < end && !isStuck {
      earlyWake = now
      return Step(deadline: end)
    }
    return deliver(value, at: now)
  }

  /// Returns the pending value when the series has ended or the clock has failed.
  mutating func flush() -> Value? {
    guard case .pending(let value, _) = state else { return nil }
    state = .quiet(until: nil)
    return value
  }

  private mutating func deliver(_ value: Value, at now: Instant) -> Step {
    earlyWake = nil
    switch pacing {
    case .debounced: state = .quiet(until: nil)
    case .throttled(let interval, _): state = .quiet(until: now.advanced(by: interval))
    }
    return Step(value: value)
  }

  private mutating func delay(_ value: Value, until end: Instant) -> Step {
    state = .pending(value, until: end)
    return Step(deadline: end)
  }
}
