/// The line on which an atom is created, and its lifetime unless that is timed.
///
/// They share 4 bytes to keep atoms small.
struct LineAndLifetime: Sendable {
  private let bits: UInt32

  /// The lifetimes that are not timed, of which each has an index.
  private static let untimed: [AtomLifetime] = [.unstated, .whileUsed, .kept]

  init(line: UInt, lifetime: AtomLifetime) {
    let index = Self.untimed.firstIndex(of: lifetime) ?? Self.untimed.count
    bits = UInt32(min(line, 1 << 30 - 1)) << 2 | UInt32(index)
  }

  /// The line, or 2^30 - 1 for a higher one.
  var line: UInt32 { bits >> 2 }

  /// The lifetime, or `nil` if it is timed.
  var lifetime: AtomLifetime? {
    let index = Int(bits & 3)
    return index < Self.untimed.count ? Self.untimed[index] : nil
  }
}
