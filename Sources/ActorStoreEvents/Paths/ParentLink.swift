/// A key on a path, of any type.
@usableFromInline typealias PathKey = any Hashable & Sendable

/// A path from a parent to a child, with both types erased.
@usableFromInline protocol ParentLink: AnyObject, Sendable {
  /// The name, which is computed each time.
  var name: String { get }
  /// The type of the parent.
  var parent: any Sendable.Type { get }
  /// The type of the parent if it is itself a child, or `nil`.
  var declaredParent: (any ChildState.Type)? { get }
  /// The type of the key, or `nil` if there is no key.
  var keyType: Any.Type? { get }

  /// Whether a key has the type that the path needs.
  func accepts(_ key: PathKey) -> Bool

  /// The steps from the parent to the child with a key, or `nil` if the key has another type.
  func steps(_ key: PathKey?) -> [PathStep]?

  /// The path from the parent to a leaf, or `nil` if the key has another type.
  ///
  /// - Parameter rest: The path from the child to the leaf.
  func prepended<Leaf: Sendable>(to rest: any Sendable, leaf: Leaf.Type, _ key: PathKey?) -> (any Sendable)?
}

/// A path from a parent to a child.
@usableFromInline final class TypedLink<Parent: Sendable, Child: Sendable>: ParentLink {
  private let computedName: @Sendable () -> String
  private let path: @Sendable (PathKey?) -> StatePath<Parent, Child>?
  private let isKey: @Sendable (PathKey) -> Bool
  @usableFromInline let keyType: Any.Type?
  @usableFromInline let declaredParent = Parent.self as? any ChildState.Type

  /// Creates a path without a key.
  @usableFromInline
  init(_ name: @escaping @Sendable () -> String, _ path: StatePath<Parent, Child>) {
    computedName = name
    self.path = { _ in path }
    isKey = { _ in false }
    keyType = nil
  }

  /// Creates a path with a key.
  @usableFromInline
  init<ID: Hashable & Sendable>(
    _ name: @escaping @Sendable () -> String, _ path: @escaping @Sendable (ID) -> StatePath<Parent, Child>
  ) {
    computedName = name
    self.path = { key in (key as? ID).map(path) }
    isKey = { key in key is ID }
    keyType = ID.self
  }

  @usableFromInline var name: String { computedName() }
  @usableFromInline var parent: any Sendable.Type { Parent.self }

  @usableFromInline func accepts(_ key: PathKey) -> Bool { isKey(key) }

  @usableFromInline func steps(_ key: PathKey?) -> [PathStep]? { path(key)?.steps }

  @usableFromInline
  func prepended<Leaf: Sendable>(to rest: any Sendable, leaf: Leaf.Type, _ key: PathKey?) -> (any Sendable)? {
    guard let path = path(key), let rest = rest as? StatePath<Child, Leaf> else { return nil }
    return path.appending(rest)
  }
}

extension ChildState {
  /// The declared paths, without the types of the parents.
  ///
  /// With `\.link`, each call would create the key path again, because this code is generic.
  static var links: [any ParentLink] { parents.map { $0.link } }
}
