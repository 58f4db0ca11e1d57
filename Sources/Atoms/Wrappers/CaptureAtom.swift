/// Reads and sets an atom like a variable, without dependencies.
///
/// Inside the closure of a derived atom, a read gets the value that the closure would get from a ``UseAtom``, but a
/// later change of the atom does not make the closure run again.
///
/// The wrapper keeps the store that is current where the wrapper is created. Outside derivations, snapshots, and
/// transactions, the atom is in use there until the last copy of the wrapper is gone (A30 in <doc:AtomPromises>).
@propertyWrapper
public struct CaptureAtom<Value: Sendable>: Sendable {
  private let reference: AtomReference<Value>

  /// Creates a wrapper in the current store.
  ///
  /// - Parameter atom: The atom to read and set.
  public init(_ atom: some WritableAtom<Value>) { reference = AtomReference(atom.definition) }

  /// The value of the atom.
  public var wrappedValue: Value {
    get { reference.capturedValue }
    nonmutating set { reference.set(newValue) }
  }
}

/// Reads an atom like a variable, without dependencies.
///
/// Inside the closure of a derived atom, a read gets the value that the closure would get from a ``UseAtomValue``, but
/// a later change of the atom does not make the closure run again.
///
/// The wrapper keeps the store that is current where the wrapper is created. Outside derivations, snapshots, and
/// transactions, the atom is in use there until the last copy of the wrapper is gone (A30 in <doc:AtomPromises>).
@propertyWrapper
public struct CaptureAtomValue<Value: Sendable>: Sendable {
  private let reference: AtomReference<Value>

  /// Creates a wrapper in the current store.
  ///
  /// - Parameter atom: The atom to read.
  public init(_ atom: some ReadableAtom<Value>) { reference = AtomReference(atom.definition) }

  /// The value of the atom.
  public var wrappedValue: Value { reference.capturedValue }
}

/// Watches an atom like a variable.
///
/// ```swift
/// @CaptureAtomPublisher(textAtom) var texts
/// for await text in texts { print(text) }
/// ```
///
/// The wrapper keeps the store that is current where the wrapper is created. Outside derivations, snapshots, and
/// transactions, the atom is in use there until the last copy of the wrapper is gone (A30 in <doc:AtomPromises>).
@propertyWrapper
public struct CaptureAtomPublisher<Value: Sendable>: Sendable {
  private let reference: AtomReference<Value>

  /// Creates a wrapper in the current store.
  ///
  /// - Parameter atom: The atom to watch.
  public init(_ atom: some ReadableAtom<Value>) { reference = AtomReference(atom.definition) }

  /// A new stream of the current and later values at each read.
  ///
  /// See ``AtomStore/values(of:bufferingPolicy:)``.
  public var wrappedValue: AsyncStream<Value> { reference.values }

  /// Calls a closure with the current and later values.
  func observe(_ body: @escaping @Sendable (Value) -> Void) -> AtomObservation { reference.observe(body) }
}
