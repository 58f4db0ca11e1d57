/// How long a value lives in a store, after the last use of its atom has ended.
///
/// ```swift
/// let draftAtom = Atom("", lifetime: .kept)
/// let searchAtom = AsyncAtom(lifetime: .kept(for: .seconds(60))) { try await search() }
/// ```
///
/// A30 in <doc:AtomPromises> lists the uses of an atom. A value that nothing has ever used stays with any lifetime.
public struct AtomLifetime: Hashable, Sendable {
  /// The time in nanoseconds for which a value outlives its last use.
  private let nanoseconds: Int64

  /// The value is reset when the last use ends, which is the default.
  ///
  /// If you pass this value, the store does not warn that it has reset a value that was set.
  public static let whileUsed = AtomLifetime(nanoseconds: 0)

  /// The value lives as long as the atom.
  public static let kept = AtomLifetime(nanoseconds: .max)

  /// The value is reset a certain time after the last use has ended, unless another use begins before.
  ///
  /// Until then, the atom is in use. So the atoms that it has read stay in use, too, and a store keeps a member of a
  /// family. When the time is over, the times of atoms that only this one has used begin.
  ///
  /// Cost: one sleeping task for each atom whose time is running, or was running when another use began.
  ///
  /// - Parameter time: The time, on the clock of the store. A negative time counts as zero, and a time of a hundred
  ///   years or more as forever.
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
