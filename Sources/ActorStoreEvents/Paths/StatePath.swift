/// A path from a state to a part of it, through children, optionals, and the elements of collections.
///
/// ```swift
/// let path = StatePath(\Forum.posts)[key: 3].comments[key: "c1"]
/// print(path)                                   // posts[3].comments["c1"]
/// let comment = try path.get(from: forum)       // throws if an element is missing
/// for await comment in store.select(path).values { show(comment) }  // nil while it is missing
/// ```
///
/// A path is made of key paths and keys, so the compiler checks each step. Unlike a key path, it never traps on an
/// element that is gone, and it can name the step at which the search ended.
///
/// Append a step for a property with the property's name. Append a step for an element of a collection, or a value of a
/// dictionary, with `[key:]` and its ID or key. An optional is one step, which leads to the wrapped value. If the
/// property has the name of a member of this type, such as `description`, or needs a name for descriptions, use
/// `appending(_:name:)`.
///
/// Paths are equal if they are made of equal steps. All consumers of equal paths in one store share one selection. To
/// find a path by the type of its leaf, see ``ChildState``.
///
/// Following a path takes time for each step. A dictionary or an ``IdentifiedArray`` finds an element
/// directly. A plain array compares IDs one by one.
@frozen @dynamicMemberLookup
public struct StatePath<Root: Sendable, Leaf: Sendable>: Sendable {
  @usableFromInline let steps: [PathStep]
  @usableFromInline let follow: @Sendable (Root) throws(MissingStep) -> Leaf

  @inlinable
  init(_ steps: [PathStep], _ follow: @escaping @Sendable (Root) throws(MissingStep) -> Leaf) {
    self.steps = steps
    self.follow = follow
  }

  /// Creates the path that has no steps and leads to the root itself.
  public init() where Root == Leaf {
    self.init([]) { root throws(MissingStep) in root }
  }

  /// Creates a path to a child.
  ///
  /// - Parameters:
  ///   - child: The key path of the child.
  ///   - name: The name of the step in descriptions, by default the name of the property. Give a name to a computed
  ///     property, because only the names of stored properties are known at run time.
  @inlinable
  public init(_ child: any KeyPath<Root, Leaf> & Sendable, name: String? = nil) {
    self.init([PathStep(.child(child), name)]) { root throws(MissingStep) in root[keyPath: child] }
  }

  /// Creates a path to a child that can be missing.
  ///
  /// - Parameters:
  ///   - child: The key path of the optional.
  ///   - name: The name of the step in descriptions, by default the name of the property.
  @inlinable
  public init(_ child: any KeyPath<Root, Leaf?> & Sendable, name: String? = nil) {
    self.init([PathStep(.optional(child), name)]) { root throws(MissingStep) in
      guard let leaf = root[keyPath: child] else { throw MissingStep(index: 0) }
      return leaf
    }
  }

  /// Returns the leaf.
  ///
  /// - Parameter root: The state at which the path begins.
  /// - Throws: An error that names the first missing child or element, and the path to it.
  @inlinable
  public func get(from root: Root) throws(StatePathError) -> Leaf {
    do {
      return try follow(root)
    } catch {
      throw StatePathError(missing: steps[error.index], after: steps[..<error.index])
    }
  }

  /// Returns the leaf, or `nil` if it is missing.
  ///
  /// - Parameter root: The state at which the path begins.
  @inlinable
  public func find(in root: Root) -> Leaf? { try? follow(root) }
}

/// The index of the first step of a path that leads nowhere.
@frozen @usableFromInline struct MissingStep: Error {
  @usableFromInline let index: Int

  @inlinable
  init(index: Int) { self.index = index }
}

extension StatePath: Hashable {
  /// Returns whether two paths are made of equal steps.
  ///
  /// Equal steps have equal key paths and equal keys. Their names do not count. So `\Post.author` followed by
  /// `\Author.name` is not equal to `\Post.author.name`.
  public static func == (one: StatePath, other: StatePath) -> Bool { one.steps == other.steps }

  /// Hashes the steps.
  public func hash(into hasher: inout Hasher) { hasher.combine(steps) }
}

extension StatePath: CustomStringConvertible {
  /// The names of the steps and the keys, such as `posts[3].comments["c1"]`.
  ///
  /// It is `self` for a path without steps. Computing it takes microseconds.
  public var description: String { steps[...].pathDescription }
}
