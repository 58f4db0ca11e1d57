/// One child of a state, at any depth, and the events that it gets.
///
/// ```swift
/// store.events(of: Forum.post[3])
/// store.events(of: Forum.post[3].appending(Post.comment["c1"]))
/// ```
///
/// You get a scope from the ``Forwarding`` rule of the child, so a stream and `react(to:)` always agree on the child's
/// events.
@frozen public struct EventScope<Root: EventDriven, Child: EventDriven>: Sendable {
  /// Returns the child, or `nil` if it is missing.
  @usableFromInline let find: @Sendable (Root) -> Child?
  /// Returns the event that the child gets, or `nil` if it gets none.
  @usableFromInline let event: @Sendable (Root.Event) -> Child.Event?

  @inlinable
  init(find: @escaping @Sendable (Root) -> Child?, event: @escaping @Sendable (Root.Event) -> Child.Event?) {
    (self.find, self.event) = (find, event)
  }

  /// Returns the scope of a child of this child.
  ///
  /// - Parameter next: The scope of the child's child.
  @inlinable
  public func appending<Next>(_ next: EventScope<Child, Next>) -> EventScope<Root, Next> {
    EventScope<Root, Next> { [find] root in
      find(root).flatMap(next.find)
    } event: { [event] root in
      event(root).flatMap(next.event)
    }
  }
}

extension Forwarding {
  /// The scope of the child with a key.
  ///
  /// - Parameter key: The key of the child.
  @inlinable
  public subscript(key: Key) -> EventScope<Parent, Child> {
    EventScope<Parent, Child> { [find] parent in
      find(parent, key)
    } event: { [recipient] event in
      switch recipient(event) {
      case .one(let other, let event): other == key ? event : nil
      case .all(let event): event
      case nil: nil
      }
    }
  }
}

extension Forwarding where Key == NoKey {
  /// The scope of the child, which has no siblings.
  @inlinable
  public var child: EventScope<Parent, Child> { self[NoKey()] }
}

/// The key of a child that has no siblings.
@frozen public struct NoKey: Hashable, Sendable {
  @usableFromInline init() {}
}
