import ActorStore

/// Comparisons of numbers, which run no user code.
extension Cell {
  /// Compares the cell's number with a number in memory.
  ///
  /// Called by the only possible writer.
  @inline(__always)  // HP20
  final func isEqual(toNumber value: ValueSlot) -> Bool {
    hasValue && areEqual(knownNumber, value.number(size: numberSize))
  }

  /// Compares two numbers, given as bits.
  @inline(__always)  // HP20
  final func areEqual(_ one: UInt64, _ other: UInt64) -> Bool {
    one == other || !comparesBits && areEqualFloats(one, other)
  }

  /// Compares two floating-point numbers whose bits differ.
  ///
  /// They can still be equal, such as 0.0 and -0.0.
  @inline(never)  // HP20
  private final func areEqualFloats(_ one: UInt64, _ other: UInt64) -> Bool {
    func areEqual<Number: BinaryFloatingPoint>(_ one: Number, _ other: Number) -> Bool {
      one == other || areSameThoughUnequal(one, other)
    }
    return numberSize == 8
      ? areEqual(Double(bitPattern: one), Double(bitPattern: other))
      : areEqual(
        Float(bitPattern: UInt32(truncatingIfNeeded: one)), Float(bitPattern: UInt32(truncatingIfNeeded: other)))
  }
}
