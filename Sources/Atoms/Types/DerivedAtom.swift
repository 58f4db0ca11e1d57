/// A value computed from other atoms.
///
/// ```swift
/// let price = Atom(100)
/// let count = Atom(2)
/// let total = DerivedAtom { price.value * count.value }
/// ```
///
/// The closure runs when the value is read or watched and something that it read in its last run has changed. If it
/// returns a value that equals the former one, nothing that depends on it runs.
public struct DerivedAtom<Value: Sendable>: ReadableAtom {
  /// The identity of the atom.
  public let definition: AtomDefinition<Value>

  /// Creates a derived atom.
  ///
  /// - Parameters:
  ///   - lifetime: How long a value lives after its last use. `nil` is like ``AtomLifetime/whileUsed``, but debug
  ///     builds warn when a set value is reset. See A30 in <doc:AtomPromises>.
  ///   - keepAlive: The older spelling of `lifetime: .kept`. It has no effect if you pass a lifetime.
  ///   - fileID: The file for the label.
  ///   - line: The line for the label.
  ///   - get: A closure that computes the value. It must depend only on the atoms that it reads, and it must not set
  ///     any. It runs on the thread that reads the atom, and can run on several threads at the same time.
  public init(
    lifetime: AtomLifetime? = nil,
    keepAlive: Bool = false,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ get: @escaping @Sendable () -> Value
  ) {
    definition = DerivedDefinition(fileID, line, lifetime: AtomLifetime(lifetime, keepAlive: keepAlive), get)
  }

  /// Creates a copy of an atom from its identity.
  ///
  /// - Parameter definition: The identity of an atom of the same type.
  public init(definition: AtomDefinition<Value>) { self.definition = definition }
}
