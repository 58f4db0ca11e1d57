public import ActorStore

/// A commit of a store in which one child of the state got events, appeared, or disappeared, or of another action.
public struct ChildCommit<Child: EventDriven>: Sendable {
  /// The number of the store's commits up to and including this one.
  public let revision: UInt64
  /// The events that the rule gives to the child, in order.
  ///
  /// If the commit creates or removes the child, some of them may not have reached it.
  public let events: [Child.Event]
  /// The child before the commit, or `nil` if it was missing, or in the first element of a stream.
  public let old: Child?
  /// The child after the commit, or `nil` if it is missing.
  public let new: Child?

  /// Creates the commit of a child, or returns `nil` if the commit does not concern it.
  init?<Root>(_ transition: Transition<Root>, _ child: ForwardedChild<Root, Child>) {
    revision = transition.revision
    events = transition.events.compactMap(child.event)
    old = transition.old.flatMap(child.get)
    new = child.get(transition.new)
    if transition.action == nil { return }
    if old == nil && new == nil { return nil }
    let isEvent = !transition.events.isEmpty
    if isEvent && events.isEmpty && old != nil && new != nil { return nil }
  }
}

extension Store where State: EventDriven {
  /// Returns a stream of the commits in which one child of the state got events, appeared, or disappeared.
  ///
  /// ```swift
  /// for await commit in store.events(of: App.todo[1]) { print(commit.events) }
  /// ```
  ///
  /// The first element has the child at the time of the call, and no events. The events have the child's own type. A
  /// commit of an action that is no event also has an element, because it may have changed the child. A change that the
  /// parent makes itself has none, unless the child appears or disappears. A commit before and after which the child is
  /// missing has none either. Otherwise, the stream is like that of `events()`.
  ///
  /// - Parameters:
  ///   - child: The child.
  ///   - bufferingPolicy: The commits of the store to keep for a consumer that is behind.
  public nonisolated func events<Child>(
    of child: ForwardedChild<State, Child>,
    bufferingPolicy: AsyncStream<Transition<State>>.Continuation.BufferingPolicy = .unbounded
  ) -> EventStream<State, ChildCommit<Child>> {
    EventStream(transitions: transitions(bufferingPolicy: bufferingPolicy)) { ChildCommit($0, child) }
  }
}
