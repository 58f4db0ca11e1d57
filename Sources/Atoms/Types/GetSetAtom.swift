/// An atom with a getter and a setter.
///
/// ```swift
/// let celsius = Atom(20.0)
/// let fahrenheit = GetSetAtom {
///   celsius.value * 9 / 5 + 32
/// } set: {
///   celsius.value = ($0 - 32) * 5 / 9
/// }
/// ```
///
/// The setter runs as a transaction, so all its sets become visible at once. If something that it read changes later,
/// it runs again with the value that was set last, in the revision of that change. Atoms that the setter sets do not
/// cause another run. A value derived from them causes one only if its other inputs change. After
/// ``ResettableAtom/reset()``, the setter does not run again until the atom is set.
///
/// If a change may affect a value that a setter has read, directly or through derived atoms, the store computes that
/// value as it was before the change and as it is after it, and compares the two. Other changes only search for such
/// setters.
public struct GetSetAtom<Value: Sendable>: ResettableAtom {
  /// The identity of the atom.
  public let definition: AtomDefinition<Value>

  /// Creates an atom with a getter and a setter.
  ///
  /// - Parameters:
  ///   - lifetime: How long a value lives after its last use. `nil` is like ``AtomLifetime/whileUsed``, but debug
  ///     builds warn when a set value is reset. See A30 in <doc:AtomPromises>.
  ///   - keepAlive: The older spelling of `lifetime: .kept`. It has no effect if you pass a lifetime.
  ///   - fileID: The file for the label.
  ///   - line: The line for the label.
  ///   - get: A closure that computes the value, like that of a ``DerivedAtom``.
  ///   - set: A closure that sets other atoms. It can run more than once, so it must have no other effects.
  public init(
    lifetime: AtomLifetime? = nil,
    keepAlive: Bool = false,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    get: @escaping @Sendable () -> Value,
    set: @escaping @Sendable (Value) -> Void
  ) {
    definition = GetSetDefinition(
      fileID, line, lifetime: AtomLifetime(lifetime, keepAlive: keepAlive), get: get, set: set)
  }

  /// Creates a copy of an atom from its identity.
  ///
  /// - Parameter definition: The identity of an atom of the same type.
  public init(definition: AtomDefinition<Value>) { self.definition = definition }
}
