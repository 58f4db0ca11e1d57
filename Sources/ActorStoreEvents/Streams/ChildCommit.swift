public import ActorStore

/// A commit of a store in which one child of the state got events, appeared, or disappeared.
public struct ChildCommit<Child: EventDriven>: Sendable {
  /// The number of the store's commits up to and including this one.
  public let revision: UInt64
  /// The events that the child got, in order.
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
    let isFirst = transition.action == nil
    if !isFirst && events.isEmpty && (old == nil) == (new == nil) { return nil }
  }
}

extension Store where State: EventDriven {
  /// Returns a stream of the commits in which one child of the state got events, appeared, or disappeared.
  ///
  /// ```swift
  /// for await commit in store.events(of: App.todo[1]) { print(commit.events) }
  /// ```
  ///
  /// The first element has the child at the time of the call, and no events. The elements have the type of the child's
  /// events. An event that the parent did not forward, because the child was missing, is among them. A change that the
  /// parent makes itself has no element. Otherwise, the stream is like that of `events()`.
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
