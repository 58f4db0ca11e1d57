/// The file in which an atom is created.
///
/// It takes 8 bytes instead of the 17 bytes of a `StaticString`.
@safe struct SourceFile: @unchecked Sendable, CustomStringConvertible {
  // Invariant: the text is a constant of the program, so it exists as long as the process. It is null-terminated.

  /// The address of the text, or its only Unicode scalar with `scalarBit` if it has no address.
  private let bits: UInt

  /// The highest bit, which is 0 in the addresses of constants.
  private static var scalarBit: UInt { ~(.max >> 1) }

  init(_ text: StaticString) {
    bits =
      text.hasPointerRepresentation
      ? unsafe UInt(bitPattern: text.utf8Start) : UInt(text.unicodeScalar.value) | Self.scalarBit
  }

  var description: String {
    if bits & Self.scalarBit != 0 {
      return Unicode.Scalar(UInt32(bits & ~Self.scalarBit)).map { String($0) } ?? ""
    }
    return unsafe UnsafePointer<UInt8>(bitPattern: bits).map { unsafe String(cString: $0) } ?? ""
  }
}
