/// A piece of state with a default value.
///
/// ```swift
/// let counter = Atom(0)
/// counter.value = 1
/// counter.update { $0 += 1 }
/// ```
///
/// Usually, atoms are global or static constants. They can also be created at any time. A value is released when the
/// last use of the atom ends, and with the last copy of the atom (A30 and A32 in <doc:AtomPromises>).
public struct Atom<Value: Sendable>: ResettableAtom {
  /// The identity of the atom.
  public let definition: AtomDefinition<Value>

  /// Creates an atom.
  ///
  /// - Parameters:
  ///   - defaultValue: The value in each store until it is set.
  ///   - lifetime: How long a value lives after its last use. `nil` is like ``AtomLifetime/whileUsed``, but debug
  ///     builds warn when a set value is reset. See A30 in <doc:AtomPromises>.
  ///   - keepAlive: The older spelling of `lifetime: .kept`. It has no effect if you pass a lifetime.
  ///   - fileID: The file for the label.
  ///   - line: The line for the label.
  public init(
    _ defaultValue: Value, lifetime: AtomLifetime? = nil, keepAlive: Bool = false, fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    definition = StoredDefinition(defaultValue, fileID, line, lifetime: AtomLifetime(lifetime, keepAlive: keepAlive))
  }

  /// Creates a copy of an atom from its identity.
  ///
  /// - Parameter definition: The identity of an atom of the same type.
  public init(definition: AtomDefinition<Value>) { self.definition = definition }
}
