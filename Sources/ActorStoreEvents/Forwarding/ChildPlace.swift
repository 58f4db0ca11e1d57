/// A place for children in their parent, and access to one of them.
///
/// A place accesses one child without touching or copying the others.
public struct ChildPlace<Parent: Sendable, Key: Hashable & Sendable, Child: Sendable>: Sendable {
  /// Returns a child, or `nil` if it is missing.
  let get: @Sendable (Parent, Key) -> Child?
  /// Edits a child in place, or returns `false` if it is missing.
  let update: @Sendable (inout Parent, Key, (inout Child) -> Void) -> Bool
  /// Edits all children in place, in the order of their collection.
  let updateAll: @Sendable (inout Parent, (inout Child) -> Void) -> Void
  /// Adds a child that is missing.
  let insert: @Sendable (inout Parent, Key, Child) -> Void
}

/// The key of a child that has no siblings in its place.
public struct OnlyChild: Hashable, Sendable {
  init() {}
}

extension ChildPlace where Key == OnlyChild {
  /// A child that always exists.
  public static func child(_ path: any WritableKeyPath<Parent, Child> & Sendable) -> Self {
    Self { parent, _ in
      parent[keyPath: path]
    } update: { parent, _, edit in
      edit(&parent[keyPath: path])
      return true
    } updateAll: { parent, edit in
      edit(&parent[keyPath: path])
    } insert: { parent, _, child in
      parent[keyPath: path] = child
    }
  }

  /// A child that can be missing.
  public static func optional(_ path: any WritableKeyPath<Parent, Child?> & Sendable) -> Self {
    Self { parent, _ in
      parent[keyPath: path]
    } update: { parent, _, edit in
      parent[keyPath: path].edit(edit)
    } updateAll: { parent, edit in
      _ = parent[keyPath: path].edit(edit)
    } insert: { parent, _, child in
      parent[keyPath: path] = child
    }
  }
}

extension ChildPlace {
  /// The values of a dictionary, by key.
  public static func values(of path: any WritableKeyPath<Parent, [Key: Child]> & Sendable) -> Self {
    Self { parent, key in
      parent[keyPath: path][key]
    } update: { parent, key, edit in
      guard let index = parent[keyPath: path].index(forKey: key) else { return false }
      edit(&parent[keyPath: path].values[index])
      return true
    } updateAll: { parent, edit in
      parent[keyPath: path].editAll(edit)
    } insert: { parent, key, child in
      parent[keyPath: path][key] = child
    }
  }
}

extension ChildPlace where Child: Identifiable, Key == Child.ID {
  /// The elements of an array, by ID.
  ///
  /// Finding an element searches the array. For large collections, use an ``IdentifiedArray``.
  public static func elements(of path: any WritableKeyPath<Parent, [Child]> & Sendable) -> Self {
    Self { parent, id in
      parent[keyPath: path].first { $0.id == id }
    } update: { parent, id, edit in
      guard let index = parent[keyPath: path].firstIndex(where: { $0.id == id }) else { return false }
      edit(&parent[keyPath: path][index])
      return true
    } updateAll: { parent, edit in
      for index in parent[keyPath: path].indices { edit(&parent[keyPath: path][index]) }
    } insert: { parent, id, child in
      requireID(id, of: child)
      parent[keyPath: path].append(child)
    }
  }
}

extension ChildPlace where Child: Identifiable, Key == Child.ID {
  /// The elements of an identified array, each of which is found in constant time.
  public static func elements(of path: any WritableKeyPath<Parent, IdentifiedArray<Child>> & Sendable) -> Self {
    Self { parent, id in
      parent[keyPath: path][id: id]
    } update: { parent, id, edit in
      parent[keyPath: path].update(id: id, edit) != nil
    } updateAll: { parent, edit in
      for index in parent[keyPath: path].indices { edit(&parent[keyPath: path][index]) }
    } insert: { parent, id, child in
      requireID(id, of: child)
      parent[keyPath: path].append(child)
    }
  }
}

extension Dictionary {
  /// Edits all values in place.
  ///
  /// A loop over the keys would keep a copy of the dictionary, so the first edit would copy all values.
  fileprivate mutating func editAll(_ body: (inout Value) -> Void) {
    var index = startIndex
    while index < endIndex {
      body(&values[index])
      formIndex(after: &index)
    }
  }
}

extension Optional {
  /// Edits the value in place, or returns `false` if there is none.
  fileprivate mutating func edit(_ body: (inout Wrapped) -> Void) -> Bool {
    if self == nil { return false }
    body(&self!)
    return true
  }
}

/// Stops the program if a child that was created for an event has another ID.
///
/// Otherwise, no later event would reach the child.
private func requireID<Child: Identifiable>(_ id: Child.ID, of child: Child) {
  if child.id == id { return }
  fatalError(
    "ActorStoreEvents: the \(Child.self) that was created for an event with the ID \(id) has the ID \(child.id). Create "
      + "it with the ID of the event: missing: .created { id in ... }.")
}
