/// A path from a parent to a child, without the types of both.
protocol ParentLink: AnyObject, Sendable {
  typealias Key = any Hashable & Sendable

  /// The name, which is computed each time.
  var name: String { get }
  /// The type of the parent.
  var parent: any Sendable.Type { get }
  /// The type of the key, or `nil` if there is no key.
  var keyType: Any.Type? { get }

  /// Whether a key has the type of the key.
  func accepts(_ key: Key) -> Bool

  /// The steps from the parent to the child with a key, or `nil` if the key has another type.
  func steps(_ key: Key?) -> [PathStep]?

  /// The path from the parent to a leaf, or `nil` if the key has another type.
  ///
  /// - Parameter rest: The path from the child to the leaf.
  func prepended<Leaf: Sendable>(to rest: any Sendable, leaf: Leaf.Type, _ key: Key?) -> (any Sendable)?
}

/// A path from a parent to a child.
final class TypedLink<Parent: Sendable, Child: Sendable>: ParentLink {
  private let computedName: @Sendable () -> String
  private let path: @Sendable (Key?) -> StatePath<Parent, Child>?
  private let isKey: @Sendable (Key) -> Bool
  let keyType: Any.Type?

  /// Creates a path without a key.
  init(_ name: @escaping @Sendable () -> String, _ path: StatePath<Parent, Child>) {
    computedName = name
    self.path = { _ in path }
    isKey = { _ in false }
    keyType = nil
  }

  /// Creates a path with a key.
  init<ID: Hashable & Sendable>(
    _ name: @escaping @Sendable () -> String, _ path: @escaping @Sendable (ID) -> StatePath<Parent, Child>
  ) {
    computedName = name
    self.path = { key in (key as? ID).map(path) }
    isKey = { key in key is ID }
    keyType = ID.self
  }

  var name: String { computedName() }
  var parent: any Sendable.Type { Parent.self }

  func accepts(_ key: Key) -> Bool { isKey(key) }

  func steps(_ key: Key?) -> [PathStep]? { path(key)?.steps }

  func prepended<Leaf: Sendable>(to rest: any Sendable, leaf: Leaf.Type, _ key: Key?) -> (any Sendable)? {
    guard let path = path(key), let rest = rest as? StatePath<Child, Leaf> else { return nil }
    return path.appending(rest)
  }
}

extension ChildState {
  /// The declared paths, without the types of the parents.
  static var links: [any ParentLink] { parents.map(\.link) }
}
