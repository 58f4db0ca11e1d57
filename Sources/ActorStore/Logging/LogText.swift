/// A text under construction, as UTF-8.
///
/// Appending many short strings to a `String` takes several times as long.
struct LogText {
  private var bytes: [UInt8] = []

  init() { bytes.reserveCapacity(256) }

  var string: String { String(decoding: bytes, as: UTF8.self) }

  mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func append(_ text: String, _ number: some BinaryInteger) {
    append(text)
    append(UInt64(clamping: number))
  }

  mutating func append(_ text: String, _ duration: Duration) {
    append(text)
    append(duration)
  }

  private mutating func append(_ number: UInt64) {
    let start = bytes.count
    var rest = number
    repeat {
      bytes.append(0x30 + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }

  /// Appends a text, with a space in place of each newline and of the spaces that indent a line.
  ///
  /// In a difference, a mark may precede these spaces.
  mutating func append(onOneLine text: String) {
    if !text.utf8.contains(where: \.isNewline) { return append(text) }
    let start = bytes.count
    var isIndentation = true
    for byte in text.utf8 {
      if byte.isNewline {
        if bytes.count > start, bytes.last != .space { bytes.append(.space) }
        isIndentation = true
      } else if !isIndentation {
        bytes.append(byte)
      } else if byte.isMark {
        bytes.append(byte)
        bytes.append(.space)
      } else if byte != .space {
        bytes.append(byte)
        isIndentation = false
      }
    }
  }

  /// Appends a duration in the unit that suits it: `950 ns`, `1.2 us`, `35.0 ms`, or `120 s`.
  private mutating func append(_ duration: Duration) {
    if duration < .zero { append("-") }
    let (seconds, attoseconds) = (duration < .zero ? .zero - duration : duration).components
    // The number of seconds may be too large for nanoseconds.
    let nanoseconds = seconds < 100 ? UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds) / 1_000_000_000 : .max
    switch nanoseconds {
    case ..<1_000: append("", nanoseconds)
    case ..<1_000_000: append(tenths: nanoseconds / 100)
    case ..<1_000_000_000: append(tenths: nanoseconds / 100_000)
    case ..<100_000_000_000: append(tenths: nanoseconds / 100_000_000)
    default: append("", seconds)
    }
    append(nanoseconds < 1_000 ? " ns" : nanoseconds < 1_000_000 ? " us" : nanoseconds < 1_000_000_000 ? " ms" : " s")
  }

  private mutating func append(tenths: UInt64) {
    append("", tenths / 10)
    if tenths < 1_000 { append(".", tenths % 10) }
  }
}

extension UInt8 {
  fileprivate static var space: UInt8 { 0x20 }
  fileprivate var isNewline: Bool { self == 0x0A || self == 0x0D }
  /// Whether the character is `+`, `-`, or `!`.
  fileprivate var isMark: Bool { self == 0x2B || self == 0x2D || self == 0x21 }
}
