extension TextBuffer {
  mutating func append(_ text: StaticString, _ number: UInt64) {
    append(text)
    append(number)
  }

  /// Appends a duration in the unit that suits it: `950 ns`, `1.2 us`, `35.0 ms`, or `120 s`.
  mutating func append(_ text: StaticString, _ duration: Duration) {
    append(text)
    if duration.attoseconds < 0 { append("-") }
    let nanoseconds = duration.wholeNanoseconds
    switch nanoseconds {
    case ..<1_000: append(nanoseconds)
    case ..<1_000_000: append(tenths: nanoseconds / 100)
    case ..<1_000_000_000: append(tenths: nanoseconds / 100_000)
    case ..<100_000_000_000: append(tenths: nanoseconds / 100_000_000)
    default: append(UInt64(clamping: duration.attoseconds.magnitude / 1_000_000_000_000_000_000))
    }
    append(nanoseconds < 1_000 ? " ns" : nanoseconds < 1_000_000 ? " us" : nanoseconds < 1_000_000_000 ? " ms" : " s")
  }

  private mutating func append(tenths: UInt64) {
    append(tenths / 10)
    if tenths < 1_000 { append(".", tenths % 10) }
  }
}

extension Duration {
  /// The whole nanoseconds without the sign, or `UInt64.max` for 100 seconds or more.
  fileprivate var wholeNanoseconds: UInt64 {
    // Dividing 128 bits takes several times as long.
    if let attoseconds = UInt64(exactly: attoseconds.magnitude) { return attoseconds / 1_000_000_000 }
    // The components of a very long duration overflow.
    if attoseconds.magnitude >= 100_000_000_000_000_000_000 { return .max }
    return UInt64(attoseconds.magnitude / 1_000_000_000)
  }
}
