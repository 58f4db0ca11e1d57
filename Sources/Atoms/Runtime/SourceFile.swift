/// The file in which an atom is created.
///
/// It takes 12 bytes instead of the 17 bytes of a `StaticString`.
@safe struct SourceFile: @unchecked Sendable, CustomStringConvertible {
  // Invariant: the text is a constant of the program, so it exists as long as the process.

  private let start: UnsafePointer<UInt8>?
  /// The number of bytes, or the Unicode scalar if the text has no address.
  private let number: UInt32

  init(_ text: StaticString) {
    if text.hasPointerRepresentation {
      unsafe start = text.utf8Start
      number = UInt32(truncatingIfNeeded: text.utf8CodeUnitCount)
    } else {
      unsafe start = nil
      number = text.unicodeScalar.value
    }
  }

  var description: String {
    guard let start = unsafe start else { return Unicode.Scalar(number).map { String($0) } ?? "" }
    return unsafe String(decoding: UnsafeBufferPointer(start: start, count: Int(number)), as: UTF8.self)
  }
}
