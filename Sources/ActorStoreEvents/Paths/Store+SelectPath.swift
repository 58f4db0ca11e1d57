public import ActorStore

extension Selection {
  /// Creates a selection of the leaf of a path, which is `nil` while the leaf is missing.
  ///
  /// Equal paths are the same selection. To watch a leaf that is not `Equatable`, pass the selection to a store
  /// with a comparison: `store.select(Selection(path), .always)`.
  ///
  /// - Parameter path: The path. Each commit follows it once.
  public init<Leaf: Sendable>(_ path: StatePath<State, Leaf>) where Value == Leaf? {
    self.init(id: path) { state in path.find(in: state) }
  }
}

extension Store {
  /// Returns a handle to the leaf of a path, without repeated values.
  ///
  /// ```swift
  /// let path = StatePath(\Forum.posts)[key: 3].comments[key: "c1"]
  /// for await comment in store.select(path).values { show(comment) }  // nil while it is missing
  /// ```
  ///
  /// All consumers of equal paths share one selection, so each commit follows the path once. While the leaf or an
  /// element on the way is missing, the value is `nil`. If the leaf is added again, its values follow.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - fileID: The file of the call, for the labels of atoms.
  ///   - line: The line of the call, for the labels of atoms.
  public nonisolated func select<Leaf: Equatable & Sendable>(
    _ path: StatePath<State, Leaf>, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Selected<State, Leaf?> {
    select(Selection(path), fileID: fileID, line: line)
  }

  /// Returns a handle to a state that is found by its type and one key per collection on the way.
  ///
  /// ```swift
  /// for await comment in try store.select(Comment.self, 3, "c1").values { show(comment) }
  /// ```
  ///
  /// - Parameters:
  ///   - leaf: The type of the state.
  ///   - keys: The keys, from the root to the leaf.
  ///   - names: Names of steps, from the root to the leaf, if several paths fit the keys.
  ///   - fileID: The file of the call, for the labels of atoms.
  ///   - line: The line of the call, for the labels of atoms.
  /// - Throws: An error if no path or more than one path fits the keys and the names. A missing element is not an
  ///   error. The value is then `nil`.
  public nonisolated func select<Leaf: ChildState & Equatable>(
    _ leaf: Leaf.Type, _ keys: any (Hashable & Sendable)..., via names: String...,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws(StatePathError) -> Selected<State, Leaf?> {
    select(try StatePath(leaf, from: State.self, keys: keys, via: names), fileID: fileID, line: line)
  }
}
