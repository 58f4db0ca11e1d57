// The functions are inlinable, so that clients specialize them for their types. The search of an array would otherwise
// call a function for each element.
extension StatePath {
  /// Returns the path to a child of the leaf.
  ///
  /// - Parameters:
  ///   - child: The key path of the child.
  ///   - name: The name of the step in descriptions, by default the name of the property.
  @inlinable
  public func appending<Part: Sendable>(
    _ child: any KeyPath<Leaf, Part> & Sendable, name: String? = nil
  ) -> StatePath<Root, Part> {
    StatePath<Root, Part>(steps + [PathStep(.child(child), name)]) { [follow] root throws(MissingStep) in
      try follow(root)[keyPath: child]
    }
  }

  /// Returns the path to a child of the leaf that can be missing.
  ///
  /// - Parameters:
  ///   - child: The key path of the optional.
  ///   - name: The name of the step in descriptions, by default the name of the property.
  @inlinable
  public func appending<Part: Sendable>(
    _ child: any KeyPath<Leaf, Part?> & Sendable, name: String? = nil
  ) -> StatePath<Root, Part> {
    appending(PathStep(.optional(child), name)) { $0[keyPath: child] }
  }

  /// Returns the path that follows this one and then another one.
  ///
  /// - Parameter path: A path that begins at the leaf.
  @inlinable
  public func appending<Part: Sendable>(_ path: StatePath<Leaf, Part>) -> StatePath<Root, Part> {
    StatePath<Root, Part>(steps + path.steps) { [follow, count = steps.count] root throws(MissingStep) in
      let leaf = try follow(root)
      do throws(MissingStep) {
        return try path.follow(leaf)
      } catch {
        throw MissingStep(index: count + error.index)
      }
    }
  }

  /// Returns the path to a child of the leaf.
  ///
  /// - Parameter child: The key path of the child.
  @inlinable
  public subscript<Part: Sendable>(
    dynamicMember child: any KeyPath<Leaf, Part> & Sendable
  ) -> StatePath<Root, Part> { appending(child) }

  /// Returns the path to a child of the leaf that can be missing.
  ///
  /// - Parameter child: The key path of the optional.
  @inlinable
  public subscript<Part: Sendable>(
    dynamicMember child: any KeyPath<Leaf, Part?> & Sendable
  ) -> StatePath<Root, Part> { appending(child) }

  /// Returns the path to the value for a key, or to the element with an ID.
  ///
  /// In a plain array, each search compares the IDs one by one, in each commit if the path is selected in a store. For
  /// a large collection, use an ``IdentifiedArray`` or a dictionary.
  ///
  /// - Parameter key: The key of the value, or the ID of the element.
  @inlinable
  public subscript(key key: Leaf.Key) -> StatePath<Root, Leaf.Value>
  where Leaf: KeyedCollection, Leaf.Key: Sendable, Leaf.Value: Sendable {
    appending(PathStep(.element(key))) { $0[key: key] }
  }

  @inlinable
  func appending<Part: Sendable>(
    _ step: PathStep, _ find: @escaping @Sendable (Leaf) -> Part?
  ) -> StatePath<Root, Part> {
    StatePath<Root, Part>(steps + [step]) { [follow, index = steps.count] root throws(MissingStep) in
      guard let part = find(try follow(root)) else { throw MissingStep(index: index) }
      return part
    }
  }
}
