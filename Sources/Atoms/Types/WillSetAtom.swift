/// An atom that transforms each value before it stores it.
///
/// ```swift
/// let percent = WillSetAtom(0) { min(max($0, 0), 100) }
/// percent.value = 300  // stores 100
/// ```
///
/// If the transformed value equals the stored one, the set changes nothing. When something that the closure read
/// changes, the closure runs again on the value that was set last. A reset stores the default value untransformed.
public struct WillSetAtom<Value: Sendable>: ResettableAtom {
  /// The identity of the atom.
  public let definition: AtomDefinition<Value>

  /// Creates an atom that transforms its values.
  ///
  /// - Parameters:
  ///   - initialValue: The value until the atom is set, which is not transformed.
  ///   - fileID: The file for the label.
  ///   - line: The line for the label.
  ///   - willSet: A closure that returns the value to store. It may read other atoms, and must not set any.
  public init(
    _ initialValue: Value,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    willSet: @escaping @Sendable (Value) -> Value
  ) {
    definition = WillSetDefinition(fileID, line, initialValue, willSet)
  }
}
