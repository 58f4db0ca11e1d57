/// How much later a change of a dependency counts.
enum Pace: Hashable, Sendable, CustomStringConvertible {
  /// When the value has not changed for this time.
  case debounce(Duration)
  /// At most once in this time.
  case throttle(Duration)

  var description: String {
    switch self {
    case .debounce(let time): "debounced by \(time)"
    case .throttle(let time): "throttled to one in \(time)"
    }
  }

  /// The time to wait after a change.
  ///
  /// - Parameter elapsed: The time since the last run began, or `nil` if there was none.
  func delay(after elapsed: Duration?) -> Duration {
    switch self {
    case .debounce(let time): time
    case .throttle(let time): elapsed.map { max(.zero, time - $0) } ?? .zero
    }
  }

  /// A time in seconds.
  static func time(_ seconds: Double) -> Duration {
    precondition(seconds >= 0 && seconds < 1e9, "Atoms: \(seconds) is no number of seconds to wait.")
    return .seconds(seconds)
  }

  /// A time to wait.
  static func time(_ time: Duration) -> Duration {
    precondition(time >= .zero, "Atoms: \(time) is no time to wait.")
    return time
  }
}

/// The time to wait before a run.
struct Delay: Sendable {
  /// The paces of the dependencies that have changed.
  let paces: [Pace]
  /// Measures the time since the last operation began.
  let elapsed: (@Sendable () -> Duration)?

  /// The time that is left.
  ///
  /// Called without a lock, because it calls the clock.
  var remaining: Duration {
    let elapsed = elapsed?()
    return paces.reduce(.zero) { max($0, $1.delay(after: elapsed)) }
  }
}

/// The pace of a dependency, and the time since the read.
///
/// Create it without a lock, because the initializer calls the clock.
struct TimedPace: Sendable {
  let pace: Pace
  let elapsed: @Sendable () -> Duration

  init(_ pace: Pace, _ clock: any Clock<Duration>) {
    self.pace = pace
    elapsed = clock.stopwatch()
  }
}

extension Clock<Duration> {
  /// Measures the time from now on.
  func stopwatch() -> @Sendable () -> Duration {
    let start = now
    return { start.duration(to: now) }
  }
}
