/// A small, fast random number generator whose seed determines its numbers.
///
/// It has a module of its own, because both the test library and the load test need it, and on Apple platforms the load
/// test cannot link the test library.
///
/// Source: Steele, Lea, and Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(_ seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Returns a number from 0 up to, but not including, `bound`, or 0 if there is no such number.
  package mutating func below(_ bound: Int) -> Int {
    bound <= 1 ? 0 : Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }
}
