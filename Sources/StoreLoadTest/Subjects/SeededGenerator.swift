/// Random numbers that a seed decides (Knuth's MMIX generator, its high bits folded in).
///
/// The testing library has a better one, which on Apple's systems only tests can link.
struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(_ seed: UInt64) {
    state = seed
    // Seeds that are close to each other begin far apart.
    for _ in 0..<4 { _ = next() }
  }

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 31)
  }
}
