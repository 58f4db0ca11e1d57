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
///
/// An element of a collection can be bound by its identity, with ``element(id:)`` and ``elements``, or by its index, as
/// in `$items[0].name`. An identity follows the element through insertions and moves. An index is a place, whatever
/// element is there. See A39 in <doc:AtomPromises>.
@propertyWrapper
@dynamicMemberLookup
public struct AtomBinding<Value: Sendable>: Sendable {
  let target: any BindingTarget<Value>

  init(_ target: any BindingTarget<Value>) { self.target = target }

  /// Creates a copy of a binding.
  ///
  /// This initializer lets a function or a closure take a binding as a parameter.
  ///
  /// - Parameter projectedValue: The binding.
  public init(projectedValue: AtomBinding<Value>) { self = projectedValue }

  /// The value, or the part of it.
  public var wrappedValue: Value {
    get { target.value }
    nonmutating set { target.set(newValue) }
  }

  /// The binding, to pass it on.
  public var projectedValue: AtomBinding<Value> { self }

  /// A binding to a part of the value.
  ///
  /// - Parameter path: The path of the part.
  public subscript<Part: Sendable>(
    dynamicMember path: any WritableKeyPath<Value, Part> & Sendable
  ) -> AtomBinding<Part> {
    AtomBinding<Part>(PartTarget(whole: target, path: path))
  }
}
