/// A time as a `Duration` or as a number of seconds.
///
/// Parameters of this type accept `0.3`, `.seconds(1)`, and `.milliseconds(300)`.
public protocol DurationConvertible: Sendable {
  /// The time.
  var duration: Duration { get }
}

extension Duration: DurationConvertible {
  /// This duration.
  public var duration: Duration { self }
}

extension Double: DurationConvertible {
  /// The number of seconds as a duration.
  ///
  /// Numbers beyond 2⁶³, including infinity, become 2⁶³ seconds, and those below −2⁶³ become −2⁶³ seconds. NaN traps
  /// with a message in every build.
  public var duration: Duration {
    // A precondition has no message in a release build.
    if isNaN { fatalError("Atoms: NaN is no number of seconds. To wait forever, pass .infinity.") }
    let longest = Double(Int64.max)
    return Duration.seconds(max(-longest, min(self, longest)))
  }
}

extension DurationConvertible where Self == Duration {
  /// A number of seconds.
  public static func seconds(_ seconds: some BinaryInteger) -> Duration { Duration.seconds(seconds) }

  /// A number of seconds, converted like a `Double`.
  public static func seconds(_ seconds: Double) -> Duration { seconds.duration }

  /// A number of milliseconds.
  public static func milliseconds(_ milliseconds: some BinaryInteger) -> Duration {
    Duration.milliseconds(milliseconds)
  }
}

extension DurationConvertible where Self == Double {
  /// A time that never ends.
  public static var infinity: Double { Double.infinity }
}
