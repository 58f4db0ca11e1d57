public import Observation

/// One property of an `@Observable` object, as a plain value.
///
/// ```swift
/// let volumeAtom = PublishedAtom(settings, \.volume)
/// ```
///
/// An equal value does not count as a change. For an object that any thread can read, the atom follows changes like a
/// derivation of an ``ObservableObjectAtom``. For an object that belongs to an actor, the actor reads the value.
public struct PublishedAtom<Value: Sendable>: ReadableAtom {
  /// The identity of the atom.
  public let definition: AtomDefinition<Value>

  /// Creates an atom with a property of an object.
  ///
  /// - Parameters:
  ///   - object: The object, which any thread can read. Each store evaluates the expression at the first use of the
  ///     atom, and again at the next use after a release.
  ///   - property: The property.
  ///   - lifetime: How long a value lives after its last use. `nil` is like ``AtomLifetime/whileUsed``, but debug
  ///     builds warn when a set value is reset. See A30 in <doc:AtomPromises>.
  ///   - keepAlive: The older spelling of `lifetime: .kept`. It has no effect if you pass a lifetime.
  ///   - fileID: The file for the label.
  ///   - line: The line for the label.
  public init<Object: Observable & AnyObject & Sendable>(
    _ object: @autoclosure @escaping @Sendable () -> Object,
    _ property: any KeyPath<Object, Value> & Sendable,
    lifetime: AtomLifetime? = nil,
    keepAlive: Bool = false,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    let object = ObservableObjectAtom(object(), fileID: fileID, line: line)
    self.init(object, property, lifetime: lifetime, keepAlive: keepAlive, fileID: fileID, line: line)
  }

  /// Creates an atom with a property of the object in another atom.
  ///
  /// - Parameters:
  ///   - object: The atom with the object, which can be injected.
  ///   - property: The property.
  ///   - lifetime: How long a value lives after its last use. `nil` is like ``AtomLifetime/whileUsed``, but debug
  ///     builds warn when a set value is reset. See A30 in <doc:AtomPromises>.
  ///   - keepAlive: The older spelling of `lifetime: .kept`. It has no effect if you pass a lifetime.
  ///   - fileID: The file for the label.
  ///   - line: The line for the label.
  public init<Object: Observable & AnyObject & Sendable>(
    _ object: ObservableObjectAtom<Object>,
    _ property: any KeyPath<Object, Value> & Sendable,
    lifetime: AtomLifetime? = nil,
    keepAlive: Bool = false,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    definition = DerivedDefinition(fileID, line, lifetime: AtomLifetime(lifetime, keepAlive: keepAlive)) {
      object.value[keyPath: property]
    }
  }

  /// Creates a copy of an atom from its identity.
  ///
  /// - Parameter definition: The identity of an atom of the same type.
  public init(definition: AtomDefinition<Value>) { self.definition = definition }
}
