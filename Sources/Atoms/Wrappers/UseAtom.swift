/// Reads and sets an atom like a variable.
///
/// ```swift
/// let textAtom = Atom("")
///
/// struct Editor {
///   @UseAtom(textAtom) var text
/// }
/// ```
///
/// Inside the closure of a derived atom, each read is a dependency, as for ``ReadableAtom/value``. A wrapper that the
/// closure declares and does not read is none.
///
/// The wrapper keeps the store that is current where the wrapper is created. Outside derivations, snapshots, and
/// transactions, the atom is in use there until the last copy of the wrapper is gone (A30 in <doc:AtomPromises>).
@propertyWrapper
public struct UseAtom<Value: Sendable>: Sendable {
  private let reference: AtomReference<Value>

  /// Creates a wrapper in the current store.
  ///
  /// - Parameter atom: The atom to read and set.
  public init(_ atom: some WritableAtom<Value>) { reference = AtomReference(atom.definition) }

  /// The value of the atom.
  public var wrappedValue: Value {
    get { reference.value }
    nonmutating set { reference.set(newValue) }
  }

  /// A binding to the value.
  public var projectedValue: AtomBinding<Value> { AtomBinding(reference) }
}

/// Reads an atom like a variable.
///
/// ```swift
/// let numbersAtom = DerivedAtom {
///   @UseAtomValue(textAtom) var text
///   return text.filter(\.isNumber)
/// }
/// ```
///
/// Inside the closure of a derived atom, each read is a dependency, as for ``ReadableAtom/value``. A wrapper that the
/// closure declares and does not read is none.
///
/// The wrapper keeps the store that is current where the wrapper is created. Outside derivations, snapshots, and
/// transactions, the atom is in use there until the last copy of the wrapper is gone (A30 in <doc:AtomPromises>).
@propertyWrapper
public struct UseAtomValue<Value: Sendable>: Sendable {
  private let reference: AtomReference<Value>

  /// Creates a wrapper in the current store.
  ///
  /// - Parameter atom: The atom to read.
  public init(_ atom: some ReadableAtom<Value>) { reference = AtomReference(atom.definition) }

  /// The value of the atom.
  public var wrappedValue: Value { reference.value }
}
