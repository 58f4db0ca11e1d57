/// An atom whose value can be read.
///
/// Atoms can be copied and sent freely. The state itself is in an ``AtomStore``.
///
/// Do not conform your own types to this protocol. Use the atom types of this module.
public protocol ReadableAtom<Value>: Sendable {
  /// The type of the state.
  associatedtype Value: Sendable

  /// The identity of the atom.
  var definition: AtomDefinition<Value> { get }

  /// Creates a copy of an atom from its identity.
  ///
  /// - Parameter definition: The identity of an atom of the same type.
  init(definition: AtomDefinition<Value>)
}

/// An atom whose value can be set.
public protocol WritableAtom<Value>: ReadableAtom {}

/// An atom that can be reset.
public protocol ResettableAtom<Value>: WritableAtom {}

extension ReadableAtom {
  /// The value in the current store.
  ///
  /// Inside the closure of a derived atom, the read becomes a dependency. See ``AtomStore/get(_:)``.
  @inlinable
  public var value: Value { AtomStore.currentValue(of: definition) }

  /// Gives the atom a name for logs, graphs, and error messages.
  ///
  /// Without a name, the label is the file and line that created the atom.
  ///
  /// - Parameter label: The name.
  /// - Returns: The same atom.
  public func debugLabel(_ label: String) -> Self {
    definition.label = label
    return self
  }
}

extension WritableAtom {
  /// The value in the current store.
  ///
  /// See ``AtomStore/get(_:)`` and ``AtomStore/set(_:_:)``. `counter.value += 1` is a read and a set, and another
  /// thread may set in between. ``update(_:)`` is one step.
  @inlinable
  public var value: Value {
    get { AtomStore.currentValue(of: definition) }
    nonmutating set { ValueSlot.with(newValue) { AtomStore.writeCurrent(definition, to: $0) } }
  }

  /// Sets the value in the current store, like an assignment to `value`.
  ///
  /// See ``AtomStore/set(_:_:)``.
  ///
  /// - Parameter value: The new value.
  @inlinable
  public func set(_ value: Value) { self.value = value }

  /// Atomically changes the atom's value in the current store.
  ///
  /// See ``AtomStore/update(_:_:)``.
  ///
  /// - Parameter body: A closure that changes the value. It can run more than once.
  /// - Returns: The closure's result.
  @discardableResult
  public func update<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try AtomStore.current.update(self, body)
  }
}
