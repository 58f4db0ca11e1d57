// All of this is inlinable, so that the compiler can specialize it for a client's types. A rule that is created from a
// literal key path then accesses the child directly.

/// Rules for the children in a collection.
extension Forwarding {
  /// Creates a rule for the children in a collection.
  ///
  /// - Parameters:
  ///   - children: The key path of an array, an ``IdentifiedArray``, a dictionary, or another ``KeyedCollection``.
  ///   - missing: The effect of an event for a child that is missing.
  ///   - failure: Returns the parent's error for an error of a child.
  ///   - recipient: Returns the children that get an event, or `nil` if the event is not for them.
  @inlinable
  public init<Children: KeyedCollection<Key, Child>>(
    to children: any WritableKeyPath<Parent, Children> & Sendable,
    missing: Missing = .ignored,
    failure: @escaping @Sendable (Child.Failure) -> Parent.Failure,
    _ recipient: @escaping @Sendable (Parent.Event) -> Recipient?
  ) {
    self.init(recipient: recipient) { parent, key in
      parent[keyPath: children][key: key]
    } pass: { recipient, parent throws(Parent.Failure) in
      switch recipient {
      case .one(let key, let event):
        let exists = try parent[keyPath: children].update(key: key) { child throws(Parent.Failure) in
          try Self.react(&child, event, failure)
        }
        if exists { return }
        guard var child = try missing.child(key) else { return }
        try Self.react(&child, event, failure)
        parent[keyPath: children].add(child, key: key)
      case .all(let event):
        try Self.restoring(&parent[keyPath: children]) { children throws(Parent.Failure) in
          try children.updateAll { child throws(Parent.Failure) in try Self.react(&child, event, failure) }
        }
      }
    }
  }

  /// Creates a rule for the children in a collection that cannot refuse events.
  ///
  /// - Parameters:
  ///   - children: The key path of an array, an ``IdentifiedArray``, a dictionary, or another ``KeyedCollection``.
  ///   - missing: The effect of an event for a child that is missing.
  ///   - recipient: Returns the children that get an event, or `nil` if the event is not for them.
  @inlinable
  public init<Children: KeyedCollection<Key, Child>>(
    to children: any WritableKeyPath<Parent, Children> & Sendable,
    missing: Missing = .ignored,
    _ recipient: @escaping @Sendable (Parent.Event) -> Recipient?
  ) where Child.Failure == Never {
    self.init(to: children, missing: missing, failure: { error -> Parent.Failure in }, recipient)
  }
}

/// Rules for a child that has no siblings.
extension Forwarding where Key == NoKey {
  /// Creates a rule for a child.
  ///
  /// - Parameters:
  ///   - child: The key path of the child.
  ///   - failure: Returns the parent's error for an error of the child. If they have the same type, pass `{ $0 }`.
  ///   - event: Returns the child's event, or `nil` if the event is not for the child.
  @inlinable
  public init(
    to child: any WritableKeyPath<Parent, Child> & Sendable,
    failure: @escaping @Sendable (Child.Failure) -> Parent.Failure,
    _ event: @escaping @Sendable (Parent.Event) -> Child.Event?
  ) {
    self.init(event) { parent in
      parent[keyPath: child]
    } pass: { event, parent throws(Parent.Failure) in
      try Self.react(&parent[keyPath: child], event, failure)
    }
  }

  /// Creates a rule for a child that can be missing.
  ///
  /// - Parameters:
  ///   - child: The key path of the optional.
  ///   - missing: The effect of an event if the child is missing.
  ///   - failure: Returns the parent's error for an error of the child. If they have the same type, pass `{ $0 }`.
  ///   - event: Returns the child's event, or `nil` if the event is not for the child.
  @inlinable
  public init(
    to child: any WritableKeyPath<Parent, Child?> & Sendable,
    missing: Missing = .ignored,
    failure: @escaping @Sendable (Child.Failure) -> Parent.Failure,
    _ event: @escaping @Sendable (Parent.Event) -> Child.Event?
  ) {
    self.init(event) { parent in
      parent[keyPath: child]
    } pass: { event, parent throws(Parent.Failure) in
      if try Self.react(&parent[keyPath: child], event, failure) { return }
      guard var created = try missing.child(NoKey()) else { return }
      try Self.react(&created, event, failure)
      parent[keyPath: child] = created
    }
  }

  /// Creates a rule for a child that cannot refuse events.
  ///
  /// - Parameters:
  ///   - child: The key path of the child.
  ///   - event: Returns the child's event, or `nil` if the event is not for the child.
  @inlinable
  public init(
    to child: any WritableKeyPath<Parent, Child> & Sendable,
    _ event: @escaping @Sendable (Parent.Event) -> Child.Event?
  ) where Child.Failure == Never {
    self.init(to: child, failure: { error -> Parent.Failure in }, event)
  }

  /// Creates a rule for a child that can be missing and cannot refuse events.
  ///
  /// - Parameters:
  ///   - child: The key path of the optional.
  ///   - missing: The effect of an event if the child is missing.
  ///   - event: Returns the child's event, or `nil` if the event is not for the child.
  @inlinable
  public init(
    to child: any WritableKeyPath<Parent, Child?> & Sendable,
    missing: Missing = .ignored,
    _ event: @escaping @Sendable (Parent.Event) -> Child.Event?
  ) where Child.Failure == Never {
    self.init(to: child, missing: missing, failure: { error -> Parent.Failure in }, event)
  }

  @inlinable
  init(
    _ event: @escaping @Sendable (Parent.Event) -> Child.Event?,
    find: @escaping @Sendable (Parent) -> Child?,
    pass: @escaping @Sendable (Child.Event, inout Parent) throws(Parent.Failure) -> Void
  ) {
    self.init(recipient: { parent in event(parent).map { .all($0) } }) { parent, _ in
      find(parent)
    } pass: { recipient, parent throws(Parent.Failure) in
      switch recipient {
      case .one(_, let event), .all(let event): try pass(event, &parent)
      }
    }
  }
}

extension Forwarding {
  /// Gives an event to a child, and if the child refuses it, restores the child and throws the parent's error.
  @inlinable
  static func react(
    _ child: inout Child, _ event: Child.Event, _ failure: (Child.Failure) -> Parent.Failure
  ) throws(Parent.Failure) {
    try restoring(&child) { child throws(Parent.Failure) in
      do throws(Child.Failure) { try child.react(to: event) } catch { throw failure(error) }
    }
  }

  /// Gives an event to a child, or returns `false` if it is missing.
  @inlinable @discardableResult
  static func react(
    _ child: inout Child?, _ event: Child.Event, _ failure: (Child.Failure) -> Parent.Failure
  ) throws(Parent.Failure) -> Bool {
    if child == nil { return false }
    try react(&child!, event, failure)
    return true
  }

  /// Edits a value, and restores it if the edit throws.
  ///
  /// For children that cannot refuse events, it keeps no copy. A copy would share the storage of a collection, so the
  /// edit would copy all elements.
  @inlinable
  static func restoring<Value>(
    _ value: inout Value, _ edit: (inout Value) throws(Parent.Failure) -> Void
  ) throws(Parent.Failure) {
    if Child.Failure.self == Never.self { return try edit(&value) }
    let before = value
    do throws(Parent.Failure) { try edit(&value) } catch {
      value = before
      throw error
    }
  }
}
