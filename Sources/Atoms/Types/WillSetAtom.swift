/// An atom that transforms the values it is set to.
///
/// ```swift
/// let percent = WillSetAtom(0) { min(max($0, 0), 100) }
/// percent.value = 300
/// print(percent.value)  // 100
/// ```
///
/// The closure runs when the value is needed. If the transformed value equals the former one, nothing that depends on
/// the atom runs. When something that the closure read changes, the closure runs again on the value that was set last.
/// A reset restores the default value untransformed.
public struct WillSetAtom<Value: Sendable>: ResettableAtom {
  /// The identity of the atom.
  public let definition: AtomDefinition<Value>

  /// Creates an atom that transforms its values.
  ///
  /// - Parameters:
  ///   - initialValue: The value until the atom is set, which is not transformed.
  ///   - lifetime: How long a value lives after its last use. `nil` is like ``AtomLifetime/whileUsed``, but debug
  ///     builds warn when a set value is reset. See A30 in <doc:AtomPromises>.
  ///   - keepAlive: The older spelling of `lifetime: .kept`. It has no effect if you pass a lifetime.
  ///   - fileID: The file for the label.
  ///   - line: The line for the label.
  ///   - willSet: A closure that returns the value to store. It may read other atoms, and must not set any.
  public init(
    _ initialValue: Value,
    lifetime: AtomLifetime? = nil,
    keepAlive: Bool = false,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    willSet: @escaping @Sendable (Value) -> Value
  ) {
    definition = WillSetDefinition(
      fileID, line, lifetime: AtomLifetime(lifetime, keepAlive: keepAlive), initialValue, willSet)
  }

  /// Creates a copy of an atom from its identity.
  ///
  /// - Parameter definition: The identity of an atom of the same type.
  public init(definition: AtomDefinition<Value>) { self.definition = definition }
}
