/// How long a store keeps a value after the last use of its atom.
///
/// ```swift
/// let draftAtom = Atom("", lifetime: .kept)
/// let searchAtom = AsyncAtom(lifetime: .kept(for: .seconds(60))) { try await search() }
/// ```
///
/// A30 in <doc:AtomPromises> lists the uses of an atom. A value that was set but never used is kept, whatever the
/// lifetime.
public struct AtomLifetime: Hashable, Sendable {
  /// The time in nanoseconds for which a value outlives its last use.
  private let nanoseconds: Int64

  /// The value is reset when the last use ends.
  ///
  /// This is also what happens without a lifetime, but then a debug build warns when it resets a value that was set.
  public static let whileUsed = AtomLifetime(nanoseconds: 0)

  /// The value lives as long as the atom.
  public static let kept = AtomLifetime(nanoseconds: .max)

  /// The value is reset a certain time after the last use ends, unless another use begins first.
  ///
  /// Until then, the atom stays in use, and so do the atoms that it has read. A store also keeps a member of a family.
  /// If only this atom has used another timed atom, the other atom's time begins when this one's is over.
  ///
  /// Cost: at most one sleeping task for each atom and store. Another use does not end the task early.
  ///
  /// - Parameter time: The time, on the clock of the store. A negative time counts as zero. A hundred years or more
  ///   count as forever.
  /// - Returns: The lifetime.
  public static func kept(for time: Duration) -> AtomLifetime {
    // The components of a longer time may overflow.
    if time >= .seconds(hundredYears) { return kept }
    if time <= .zero { return whileUsed }
    let (seconds, attoseconds) = time.components
    return AtomLifetime(nanoseconds: seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }

  private static let hundredYears: Int64 = 100 * 365 * 86_400

  /// The default lifetime, which code has not chosen.
  static let unstated = AtomLifetime(nanoseconds: -1)

  /// Whether code has chosen the lifetime.
  var isStated: Bool { self != .unstated }

  /// Whether the value lives as long as the atom.
  var isForever: Bool { self == .kept }

  /// The time for which the value outlives its last use, or `nil` if no time is counted.
  var time: Duration? { nanoseconds > 0 && !isForever ? .nanoseconds(nanoseconds) : nil }

  private init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The lifetime that an initializer of an atom got, in either spelling.
  init(_ lifetime: AtomLifetime?, keepAlive: Bool) { self = lifetime ?? (keepAlive ? .kept : .unstated) }
}
