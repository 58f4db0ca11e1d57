/// Returns whether two values have the same bits in memory.
///
/// If so, they are the same value: the same numbers, and references to the same objects. The reverse is not true,
/// because the unused bytes between stored properties, and those of the smaller cases of an enumeration, have no
/// defined content.
func haveSameBits<Value>(_ one: Value, _ other: Value) -> Bool {
  // Invariant: the pointers cover exactly two live values of one type, and do not leave the closures.
  unsafe withUnsafeBytes(of: one) { one in
    unsafe withUnsafeBytes(of: other) { other in unsafe one.elementsEqual(other) }
  }
}
