/// A state that declares where its parents keep it, so that it can be found by its type.
///
/// ```swift
/// struct Comment: ChildState, Identifiable {
///   static let parents: [ParentPath<Comment>] = [.element(of: \Post.comments), .element(of: \Comment.replies)]
///
///   let id: String
///   var text = ""
///   var replies: [Comment] = []
/// }
///
/// let comment = try select(Comment.self, from: forum, 3, "c1")  // posts[3].comments["c1"]
/// let reply = try select(Comment.self, from: forum, 3, "c1", "r2")
/// ```
///
/// Each element of ``parents`` leads from one parent's type to this type. Declared paths are joined, so a leaf is found
/// from the root or any ancestor. A type that only contains others needs no declaration. A path from a type to itself,
/// such as that of the replies above, is repeated as often as the keys require.
public protocol ChildState: Sendable {
  /// The paths from the parents, in any order.
  ///
  /// Use a stored property, because each search reads it.
  static var parents: [ParentPath<Self>] { get }
}

/// Finds a state by its type and one key per collection on the way.
///
/// ```swift
/// let comment = try select(Comment.self, from: forum, 3, "c1")
/// let left = try select(Pane.self, from: window, via: "left")
/// ```
///
/// The search for the path takes microseconds. To find the same state again, keep the path:
/// ``StatePath/init(_:from:_:via:)``.
///
/// - Parameters:
///   - leaf: The type of the state.
///   - root: The root, or any ancestor.
///   - keys: The keys, from the root to the leaf. Their types must be those of the collections: the literal `3` is an
///     `Int`, and a `UInt8` key needs `UInt8(3)`.
///   - names: Names of steps, from the root to the leaf, if several paths fit the keys. Other steps may be between
///     them.
/// - Returns: The state.
/// - Throws: An error that names the path up to the failure.
public func select<Root: Sendable, Leaf: ChildState>(
  _ leaf: Leaf.Type, from root: Root, _ keys: any (Hashable & Sendable)..., via names: String...
) throws(StatePathError) -> Leaf {
  try StatePath(leaf, from: Root.self, keys: keys, via: names).get(from: root)
}

extension StatePath where Leaf: ChildState {
  /// Finds the path to a state by the types of both ends and one key per collection on the way.
  ///
  /// ```swift
  /// let path = try StatePath(Comment.self, from: Forum.self, 3, "c1")  // posts[3].comments["c1"]
  /// ```
  ///
  /// The path joins declarations of ``ChildState/parents``. It must use all keys, each with the type that its
  /// collection needs. Optionals and single children use none. Within a run of steps without keys, the path visits no
  /// type twice, unless one of the names leads there again.
  ///
  /// Only the declarations determine the path. So it exists even if the elements do not.
  ///
  /// - Parameters:
  ///   - leaf: The type of the state at the end.
  ///   - root: The type of the root, or of any ancestor.
  ///   - keys: The keys, from the root to the leaf.
  ///   - names: Names of steps, from the root to the leaf, if several paths fit the keys. Other steps may be between
  ///     them.
  /// - Throws: An error if no path or more than one path fits the keys and the names.
  public init(
    _ leaf: Leaf.Type, from root: Root.Type, _ keys: any (Hashable & Sendable)..., via names: String...
  ) throws(StatePathError) {
    try self.init(leaf, from: root, keys: keys, via: names)
  }

  init(
    _ leaf: Leaf.Type, from root: Root.Type, keys: [any Hashable & Sendable], via names: [String]
  ) throws(StatePathError) {
    self = try PathResolver(Root.self, Leaf.self, keys, names).path()
  }
}
