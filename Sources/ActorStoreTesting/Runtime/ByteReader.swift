/// Reads numbers and strings from bytes.
struct ByteReader {
  /// The bytes end too early, or are not what they should be.
  struct Failure: Error {}

  private let bytes: [UInt8]
  var offset: Int
  let end: Int

  init(_ bytes: [UInt8], at offset: Int = 0, end: Int? = nil) {
    self.bytes = bytes
    self.offset = offset
    self.end = min(bytes.count, end ?? bytes.count)
  }

  mutating func byte() throws(Failure) -> UInt8 {
    guard offset >= 0, offset < end else { throw Failure() }
    offset += 1
    return bytes[offset - 1]
  }

  /// Reads a little-endian number.
  mutating func fixed<Number: FixedWidthInteger>(_: Number.Type) throws(Failure) -> Number {
    var number: Number = 0
    for index in 0..<Number.bitWidth / 8 { number |= Number(truncatingIfNeeded: try byte()) << Number(index * 8) }
    return number
  }

  /// Reads a number in LEB128.
  mutating func unsigned() throws(Failure) -> UInt64 {
    var number: UInt64 = 0
    var shift = 0
    while true {
      let byte = try byte()
      number |= UInt64(byte & 0x7f) << shift
      shift += 7
      if byte < 0x80 { return number }
    }
  }

  /// Reads a signed number in LEB128.
  mutating func signed() throws(Failure) -> Int {
    let start = offset
    let number = try unsigned()
    let bits = (offset - start) * 7
    // The last byte's highest bit is the sign.
    guard bits < 64, number >> (bits - 1) & 1 == 1 else { return Int(truncatingIfNeeded: number) }
    return Int(bitPattern: UInt(truncatingIfNeeded: number | ~0 << bits))
  }

  /// Reads a string that ends with a zero, or returns `nil` if it is empty.
  mutating func string() throws(Failure) -> String? {
    let start = offset
    while try byte() != 0 {}
    return offset - start > 1 ? String(decoding: bytes[start..<offset - 1], as: UTF8.self) : nil
  }
}
