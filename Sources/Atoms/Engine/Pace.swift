/// How much later a change of a dependency counts.
///
/// A pace without a time never lets a change count.
enum Pace: Hashable, Sendable, CustomStringConvertible {
  /// When the value has not changed for this time.
  case debounce(Duration?)
  /// At most once in this time.
  case throttle(Duration?)

  /// Times from this one on never end.
  ///
  /// Shorter times can be added to each other and to the time of a clock without overflow.
  private static let never = Duration.seconds(1_000_000_000)

  var description: String {
    switch self {
    case .debounce(let time?): "debounced by \(time)"
    case .throttle(let time?): "throttled to one in \(time)"
    case .debounce(nil): "debounced forever"
    case .throttle(nil): "throttled forever"
    }
  }

  /// When a change counts.
  ///
  /// - Parameters:
  ///   - now: The time at which the change was noticed.
  ///   - begun: The time at which the last operation began, or `nil` if it is unknown.
  func due(noticed now: Duration, begun: Duration?) -> Due {
    switch self {
    case .debounce(let time?): .at(now + time)
    case .throttle(let time?): .at(begun.map { max(now, $0 + time) } ?? now)
    case .debounce(nil), .throttle(nil): .never
    }
  }

  /// A time that is not negative, or `nil` if it never ends.
  static func time(_ time: some DurationConvertible) -> Duration? {
    let duration = time.duration
    return duration < never ? max(.zero, duration) : nil
  }
}

/// When a change counts.
enum Due: Comparable, Sendable {
  /// At a time of the graph's clock.
  case at(Duration)
  case never
}

/// The pace of a dependency, and the time of the read.
struct TimedPace: Sendable {
  let pace: Pace
  let time: Duration
}
