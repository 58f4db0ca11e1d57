/// A policy for when a component or a stream gets the values of a selection.
///
/// ```swift
/// store.select(\.query).connect(screen, strategy: .debounced(for: .milliseconds(300)))
/// for await price in store.select(\.price).values(strategy: .throttled(for: .seconds(1))) { send(price) }
/// ```
///
/// The current value always comes first, without delay. A strategy decides about later values.
///
/// A delivered value can be equal to the previous one, if the selection changed and changed back within an interval.
///
/// The handle decides which values count as changes. By default, a value that is not equal to the last one is a change.
/// To compare values in another way, create the handle with `store.select(selection, comparison)`. See
/// `SelectionComparison`, and ``ActorStore/SelectionComparison/onChange(of:)`` for a comparison by key paths.
public struct DeliveryStrategy: Sendable {
  /// The values of an interval that are delivered.
  public enum Edge: Hashable, Sendable {
    /// The first value, immediately. Later values in the same interval are dropped, so the last value can be missing.
    case leading
    /// The last value, at the end of the interval.
    case trailing
    /// The first value immediately, and the last one at the end of the interval if others have arrived.
    case both
  }

  /// The pacing, or `nil` if each value is delivered immediately.
  let pacing: Pacing?
  let clock: any Clock<Duration>

  /// Delivers each value as soon as possible.
  public static var immediate: DeliveryStrategy { DeliveryStrategy(pacing: nil, clock: ContinuousClock()) }

  /// Delivers a value when no newer one has arrived for an interval.
  ///
  /// The last value is always delivered. As long as each value arrives within the interval after the previous one, none
  /// is delivered.
  ///
  /// - Parameters:
  ///   - interval: The time without another value. If it is not positive, each value is delivered immediately.
  ///   - clock: The clock that measures the time.
  public static func debounced(
    for interval: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> DeliveryStrategy {
    DeliveryStrategy(interval, clock) { .debounced($0) }
  }

  /// Delivers at most one value per interval.
  ///
  /// An interval begins when a value is delivered, or, with ``Edge/trailing``, when a value arrives outside of any
  /// interval.
  ///
  /// - Parameters:
  ///   - interval: The length of an interval. If it is not positive, each value is delivered immediately.
  ///   - edge: The values of an interval to deliver. Except for ``Edge/leading``, the last value is always delivered.
  ///   - clock: The clock that measures the time.
  public static func throttled(
    for interval: Duration, edge: Edge = .both, clock: any Clock<Duration> = ContinuousClock()
  ) -> DeliveryStrategy {
    DeliveryStrategy(interval, clock) { .throttled($0, edge) }
  }

  private init(pacing: Pacing?, clock: any Clock<Duration>) {
    (self.pacing, self.clock) = (pacing, clock)
  }

  private init(_ interval: Duration, _ clock: any Clock<Duration>, _ pacing: (Duration) -> Pacing) {
    // Limit intervals to a century, because the deadline of a longer one can overflow a clock's instant.
    let longest = Duration.seconds(100 * 365 * 86_400)
    self.init(pacing: interval > .zero ? pacing(min(interval, longest)) : nil, clock: clock)
  }
}

/// The times at which values are delivered.
enum Pacing: Sendable {
  case debounced(Duration)
  case throttled(Duration, DeliveryStrategy.Edge)
}
