/// The file in which an atom is created.
///
/// It takes 8 bytes instead of the 17 bytes of a `StaticString`.
@safe struct SourceFile: @unchecked Sendable, CustomStringConvertible {
  // Invariant: the text is a constant of the program, so it exists as long as the process. A null byte follows it.

  /// The address of the text, or its only Unicode scalar if it has no address.
  private let start: UInt

  init(_ text: StaticString) {
    start =
      text.hasPointerRepresentation
      ? unsafe UInt(bitPattern: text.utf8Start) : UInt(truncatingIfNeeded: text.unicodeScalar.value)
  }

  var description: String {
    if start <= 0x10FFFF { return Unicode.Scalar(UInt32(start)).map { String($0) } ?? "" }
    return unsafe UnsafePointer<UInt8>(bitPattern: start).map { unsafe String(cString: $0) } ?? ""
  }
}
