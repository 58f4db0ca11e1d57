/// The line in which an atom is created, and whether its lifetime is one of the usual ones.
///
/// They share 4 bytes, because each atom has them.
struct LineAndLifetime: Sendable {
  private let bits: UInt32

  private static let usual: [AtomLifetime] = [.unstated, .whileUsed, .kept]

  init(line: UInt, lifetime: AtomLifetime) {
    let index = Self.usual.firstIndex(of: lifetime) ?? Self.usual.count
    bits = UInt32(clamping: min(line, 1 << 30 - 1)) << 2 | UInt32(index)
  }

  /// The line, or 2^30 - 1 for a higher one.
  var line: UInt32 { bits >> 2 }

  /// The lifetime, or `nil` if it counts a time.
  var lifetime: AtomLifetime? {
    switch bits & 3 {
    case 0: .unstated
    case 1: .whileUsed
    case 2: .kept
    default: nil
    }
  }
}
