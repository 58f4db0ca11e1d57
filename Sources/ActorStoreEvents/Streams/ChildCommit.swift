public import ActorStore

/// A commit of a store that concerns one child of the state.
///
/// The child got events, appeared, or disappeared, or the action of the commit is not an event and so may have changed
/// the child.
public struct ChildCommit<Child: EventDriven>: Sendable {
  /// The number of the store's commits up to and including this one.
  public let revision: UInt64
  /// The events that the child got, in order.
  public let events: [Child.Event]
  /// The child before the commit, or `nil` if it was missing, or in the first element of a stream.
  public let old: Child?
  /// The child after the commit, or `nil` if it is missing.
  public let new: Child?

  /// Creates the commit of a child, or returns `nil` if the commit does not concern the child.
  init?<Root>(_ transition: Transition<Root>, _ scope: EventScope<Root, Child>) {
    revision = transition.revision
    old = transition.old.flatMap(scope.find)
    new = scope.find(transition.new)
    let all = transition.events
    events = transition.replay(all, for: scope) ?? (old == nil && new == nil ? [] : all.compactMap(scope.event))
    if transition.action == nil || !events.isEmpty { return }
    if old == nil && new == nil { return nil }
    if !all.isEmpty && old != nil && new != nil { return nil }
  }
}

extension Transition where State: EventDriven {
  /// The events that a child got, or `nil` if a replay is not needed or not possible.
  ///
  /// A commit of several events can add or remove the child between them. Only the states between the events tell which
  /// of them the child got. An event that adds the child, or that removes it, counts.
  fileprivate func replay<Child>(_ all: [State.Event], for scope: EventScope<State, Child>) -> [Child.Event]? {
    let areEvents = members.allSatisfy { $0.emittedEvents != nil }
    guard all.count > 1, areEvents, var state = old else { return nil }
    if !all.contains(where: { scope.event($0) != nil }) { return [] }
    var (events, exists): ([Child.Event], Bool) = ([], scope.find(state) != nil)
    for event in all {
      let existed = exists
      guard (try? state.react(to: event)) != nil else { return nil }
      exists = scope.find(state) != nil
      if existed || exists, let event = scope.event(event) { events.append(event) }
    }
    return events
  }
}

extension Store where State: EventDriven {
  /// Returns a stream of the commits in which one child of the state got events, appeared, or disappeared.
  ///
  /// ```swift
  /// for await commit in store.events(of: App.todo[1]) { print(commit.events) }
  /// ```
  ///
  /// The first element has the child at the time of the call, and no events. The events have the child's own type. The
  /// commit of an action that is not an event also has an element, because the action may have changed the child. If
  /// the parent changes the child directly, there is no element, unless the child appears or disappears. If the child
  /// is missing before and after a commit, there is no element, unless the child got events in between. Otherwise, the
  /// stream is like that of `events()`.
  ///
  /// The consumer's task looks for the child in each commit. In a plain array, it compares IDs from the start. If a
  /// commit has several events, the task replays them on a copy of the old state to find those that the child got.
  ///
  /// - Parameters:
  ///   - child: The child.
  ///   - bufferingPolicy: The commits of the store to keep for a consumer that is behind.
  public nonisolated func events<Child>(
    of child: EventScope<State, Child>,
    bufferingPolicy: AsyncStream<Transition<State>>.Continuation.BufferingPolicy = .unbounded
  ) -> EventStream<State, ChildCommit<Child>> {
    EventStream(transitions: transitions(bufferingPolicy: bufferingPolicy)) { ChildCommit($0, child) }
  }

  /// Calls a closure with each commit in which one child of the state got events, appeared, or disappeared.
  ///
  /// ```swift
  /// store.observeEvents(of: App.todo[1], self) { screen, commit in screen.react(to: commit.events) }
  /// ```
  ///
  /// The commits are those of `events(of:)`. Otherwise, the observation is like that of all events.
  ///
  /// - Parameters:
  ///   - child: The child.
  ///   - owner: The object to observe for. The closure gets it as an argument.
  ///   - bufferingPolicy: The commits of the store to keep while the actor is busy.
  ///   - id: Distinguishes this observation from others of the same owner, including observations of transitions.
  ///   - isolation: The actor on which the closure runs.
  ///   - fileID: The file of the call, which identifies an observation without an `id`.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - onCommit: A closure that gets the owner and the commit. Calls do not overlap.
  /// - Returns: A token with which you can end the observation. You do not have to keep it.
  @discardableResult
  public func observeEvents<Child, Owner: AnyObject>(
    of child: EventScope<State, Child>,
    _ owner: Owner,
    bufferingPolicy: AsyncStream<Transition<State>>.Continuation.BufferingPolicy = .unbounded,
    id: (any Hashable & Sendable)? = nil,
    isolation: isolated any Actor = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column,
    _ onCommit: @escaping (_ owner: Owner, _ commit: ChildCommit<Child>) -> Void
  ) -> ObservationToken {
    observeTransitions(
      owner, bufferingPolicy: bufferingPolicy, id: id, isolation: isolation, fileID: fileID, line: line,
      column: column
    ) { owner, transition in
      if let commit = ChildCommit(transition, child) { onCommit(owner, commit) }
    }
  }

  /// Calls an actor-isolated closure with each commit in which one child of the state got events, appeared, or
  /// disappeared, for an actor that observes for itself.
  ///
  /// You can call this overload from anywhere.
  @discardableResult
  public nonisolated func observeEvents<Child, Owner: Actor>(
    of child: EventScope<State, Child>,
    _ owner: Owner,
    bufferingPolicy: AsyncStream<Transition<State>>.Continuation.BufferingPolicy = .unbounded,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column,
    _ onCommit: @escaping @Sendable (_ owner: isolated Owner, _ commit: ChildCommit<Child>) -> Void
  ) -> ObservationToken {
    observeTransitions(
      owner, bufferingPolicy: bufferingPolicy, id: id, fileID: fileID, line: line, column: column
    ) { owner, transition in
      if let commit = ChildCommit(transition, child) { onCommit(owner, commit) }
    }
  }
}
