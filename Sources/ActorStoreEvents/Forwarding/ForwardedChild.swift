/// One child of a state, at any depth, and the events that it gets.
///
/// ```swift
/// store.events(of: Forum.post[3])
/// store.events(of: Forum.post[3].appending(Post.comment["c1"]))
/// ```
///
/// You get it from the rule that forwards the events, so a stream and `react` always agree about them.
public struct ForwardedChild<Root: EventDriven, Child: EventDriven>: Sendable {
  /// Returns the child, or `nil` if it is missing.
  let get: @Sendable (Root) -> Child?
  /// Returns the event that the child gets, or `nil` if it gets none.
  let event: @Sendable (Root.Event) -> Child.Event?

  /// Returns a child of this child.
  ///
  /// - Parameter next: The child of the child.
  public func appending<Next>(_ next: ForwardedChild<Child, Next>) -> ForwardedChild<Root, Next> {
    ForwardedChild<Root, Next> { root in
      get(root).flatMap(next.get)
    } event: { root in
      event(root).flatMap(next.event)
    }
  }
}

extension Forwarding {
  /// The child with a key.
  public subscript(key: Key) -> ForwardedChild<Parent, Child> {
    ForwardedChild<Parent, Child> { [place] parent in
      place.get(parent, key)
    } event: { [recipient] event in
      switch recipient(event) {
      case .one(let other, let event): other == key ? event : nil
      case .all(let event): event
      case nil: nil
      }
    }
  }
}

extension Forwarding where Key == OnlyChild {
  /// The child, which has no siblings.
  public var child: ForwardedChild<Parent, Child> { self[OnlyChild()] }
}
