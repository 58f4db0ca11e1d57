/// When a component or a stream gets the values of a selection.
///
/// ```swift
/// store.select(\.query).connect(screen, strategy: .debounced(for: .milliseconds(300)))
/// for await price in store.select(\.price).values(strategy: .throttled(for: .seconds(1))) { send(price) }
/// ```
///
/// The current value always comes first, without delay. A strategy decides about later values.
///
/// A value can be equal to the last delivered one, if it changed and changed back within an interval.
///
/// The handle decides which values count as changes: by default those that are not equal to the last one, and with
/// `store.select(selection, comparison)` others. See `SelectionComparison`, and
/// ``ActorStore/SelectionComparison/onChange(of:)`` for a comparison of key paths.
public struct DeliveryStrategy: Sendable {
  /// The values to deliver of those that follow each other quickly.
  public enum Edge: Hashable, Sendable {
    /// The first value, immediately. Later values in the same interval are dropped, so the last value can be missing.
    case leading
    /// The last value, at the end of the interval.
    case trailing
    /// The first value immediately, and the last one, if others have followed, at the end of the interval.
    case both
  }

  /// The pacing, or `nil` if each value is delivered immediately.
  let pacing: Pacing?
  let clock: any Clock<Duration>

  /// Each value is delivered as soon as possible.
  public static var immediate: DeliveryStrategy { DeliveryStrategy(pacing: nil, clock: ContinuousClock()) }

  /// A value is delivered when no other one has followed for some time.
  ///
  /// The last value is always delivered. While values follow each other faster, none is delivered.
  ///
  /// - Parameters:
  ///   - interval: The time without another value. If it is not positive, each value is delivered immediately.
  ///   - clock: The clock that measures the time.
  public static func debounced(
    for interval: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> DeliveryStrategy {
    DeliveryStrategy(interval, clock) { .debounced($0) }
  }

  /// At most one value is delivered in an interval.
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
    // A century, because with a longer interval, the deadline can overflow in a clock.
    let longest = Duration.seconds(100 * 365 * 86_400)
    self.init(pacing: interval > .zero ? pacing(min(interval, longest)) : nil, clock: clock)
  }
}

/// The times at which values are delivered.
enum Pacing: Sendable {
  case debounced(Duration)
  case throttled(Duration, DeliveryStrategy.Edge)
}
