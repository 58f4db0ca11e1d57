/// A running checksum over the lines of a file, which detects damage.
///
/// The checksum of a line depends on that of the line before it, so it also detects missing and swapped lines.
///
/// Source: the 64-bit FNV-1a hash, by Fowler, Noll, and Vo (RFC 9923).
struct LineSum: Hashable {
  /// The number of hexadecimal digits of a checksum.
  static let digits = 16

  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }

  /// The checksum in hexadecimal digits.
  var text: String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: Self.digits - text.utf8.count) + text
  }
}
