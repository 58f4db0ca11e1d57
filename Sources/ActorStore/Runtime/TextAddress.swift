/// Returns the address of a label's text, or a smaller number if the label is a single Unicode scalar.
///
/// A literal exists as long as the program, so labels with the same address have the same text.
func addressOfText(_ label: StaticString) -> UInt {
  // Invariant: no code uses the address as a pointer.
  label.hasPointerRepresentation ? unsafe UInt(bitPattern: label.utf8Start) : UInt(label.unicodeScalar.value) + 1
}
