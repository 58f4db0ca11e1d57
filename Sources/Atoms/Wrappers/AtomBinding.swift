/// Reads and sets an atom, or a part of its value.
///
/// ```swift
/// struct NameField {
///   @AtomBinding var name: String
/// }
///
/// @UseAtom(personAtom) var person
/// let field = NameField(name: $person.name)
/// ```
///
/// A closure can take a binding as a parameter. Inside the closure, the parameter reads and sets the value like a
/// variable:
///
/// ```swift
/// func edit(_ body: (AtomBinding<String>) -> Void) { body($person.name) }
/// edit { $name in name += "!" }
/// ```
///
/// A set of a part is one step. It leaves the other parts as they are, even if another thread sets them at the same
/// time.
@propertyWrapper
@dynamicMemberLookup
public struct AtomBinding<Value: Sendable>: Sendable {
  private let get: @Sendable () -> Value
  private let set: @Sendable (Value) -> Void
  private let update: @Sendable ((inout Value) -> Void) -> Void

  init(_ reference: AtomReference<Value>) {
    get = { reference.value }
    set = { reference.set($0) }
    update = { reference.update($0) }
  }

  private init<Whole>(_ whole: AtomBinding<Whole>, _ path: any WritableKeyPath<Whole, Value> & Sendable) {
    get = { whole.get()[keyPath: path] }
    set = { value in whole.update { $0[keyPath: path] = value } }
    update = { body in whole.update { body(&$0[keyPath: path]) } }
  }

  /// Creates a copy of a binding.
  ///
  /// This initializer lets a function or a closure take a binding as a parameter.
  ///
  /// - Parameter projectedValue: The binding.
  public init(projectedValue: AtomBinding<Value>) { self = projectedValue }

  /// The value, or the part of it.
  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }

  /// The binding, to pass it on.
  public var projectedValue: AtomBinding<Value> { self }

  /// A binding to a part of the value.
  ///
  /// - Parameter path: The path of the part.
  public subscript<Part: Sendable>(
    dynamicMember path: any WritableKeyPath<Value, Part> & Sendable
  ) -> AtomBinding<Part> {
    AtomBinding<Part>(self, path)
  }
}
