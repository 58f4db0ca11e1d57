/// A piece of state with a default value.
///
/// ```swift
/// let counter = Atom(0)
/// counter.value = 1
/// counter.update { $0 += 1 }
/// ```
///
/// Usually, atoms are global or static constants. They can also be created at any time. An atom's values are released
/// with its last copy.
public struct Atom<Value: Sendable>: ResettableAtom {
  /// The identity of the atom.
  public let definition: AtomDefinition<Value>

  /// Creates an atom.
  ///
  /// - Parameters:
  ///   - defaultValue: The value in each store until it is set.
  ///   - fileID: The file for the label.
  ///   - line: The line for the label.
  public init(_ defaultValue: Value, fileID: StaticString = #fileID, line: UInt = #line) {
    definition = StoredDefinition(defaultValue, fileID, line)
  }
}
