/// A named path from a parent to one child, or to each of its children by a key.
///
/// Declare these paths in ``ChildState/parents``.
@frozen public struct ParentPath<Child: Sendable>: Sendable {
  @usableFromInline let link: any ParentLink

  /// Creates a path without a key.
  ///
  /// ```swift
  /// ParentPath("author", StatePath(\Post.details).author)
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the path.
  ///   - path: The path from the parent to the child.
  @inlinable
  public init<Parent: Sendable>(_ name: String, _ path: StatePath<Parent, Child>) {
    link = TypedLink({ name }, path)
  }

  /// Creates a path with a key.
  ///
  /// ```swift
  /// ParentPath("pages") { id in StatePath(\Book.content).pages[key: id] }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the path.
  ///   - path: A closure that returns the path from the parent to the child with a key.
  @inlinable
  public init<Parent: Sendable, Key: Hashable & Sendable>(
    _ name: String, _ path: @escaping @Sendable (Key) -> StatePath<Parent, Child>
  ) {
    self.init({ name }, path)
  }

  @inlinable
  init<Parent: Sendable, Key: Hashable & Sendable>(
    _ name: @escaping @Sendable () -> String, _ path: @escaping @Sendable (Key) -> StatePath<Parent, Child>
  ) {
    link = TypedLink(name, path)
  }

  /// A single child.
  ///
  /// - Parameters:
  ///   - child: The key path of the child.
  ///   - name: The name of the path, by default the name of the property.
  @inlinable
  public static func child<Parent: Sendable>(
    _ child: any KeyPath<Parent, Child> & Sendable, name: String? = nil
  ) -> ParentPath {
    ParentPath(StatePath(child, name: name))
  }

  /// A single child that can be missing.
  ///
  /// - Parameters:
  ///   - child: The key path of the optional.
  ///   - name: The name of the path, by default the name of the property.
  @inlinable
  public static func child<Parent: Sendable>(
    _ child: any KeyPath<Parent, Child?> & Sendable, name: String? = nil
  ) -> ParentPath {
    ParentPath(StatePath(child, name: name))
  }

  /// The elements of a collection.
  ///
  /// The key is the ID of the element, or in a dictionary the key of the value.
  ///
  /// - Parameters:
  ///   - elements: The key path of the collection.
  ///   - name: The name of the path, by default the name of the property.
  @inlinable
  public static func element<Parent: Sendable, Elements: KeyedCollection & Sendable>(
    of elements: any KeyPath<Parent, Elements> & Sendable, name: String? = nil
  ) -> ParentPath where Elements.Value == Child, Elements.Key: Sendable {
    let elements = StatePath(elements, name: name)
    return ParentPath({ elements.description }) { (key: Elements.Key) in elements[key: key] }
  }

  @inlinable
  init<Parent: Sendable>(_ path: StatePath<Parent, Child>) {
    link = TypedLink({ path.description }, path)
  }
}
