public import ActorStore

/// The calls of the store behind the facade.
extension StoreFacade {
  /// Runs an action in its turn and returns its outcome.
  ///
  /// - Parameter action: The action to run.
  @discardableResult
  public nonisolated(nonsending) static func dispatch<A: Action>(
    _ action: A
  ) async throws(A.Failure) -> Outcome<A.Output> where A.State == State {
    try await current.dispatch(action)
  }

  /// Runs an action without waiting for its outcome.
  ///
  /// - Parameter action: The action to run.
  /// - Returns: A ticket with which a task can await the outcome or cancel the action.
  @discardableResult
  public static func send<A: Action>(_ action: A) -> Ticket<A.Output, A.Failure> where A.State == State {
    current.send(action)
  }

  /// Runs a group, which dispatches actions over time, and returns its outcome.
  ///
  /// - Parameter group: The group to run.
  @discardableResult
  public nonisolated(nonsending) static func dispatch<G: ActionGroup>(
    _ group: G
  ) async throws(G.Failure) -> Outcome<G.Output> where G.State == State {
    try await current.dispatch(group)
  }

  /// Runs a group without waiting for its outcome.
  ///
  /// - Parameter group: The group to run.
  /// - Returns: A ticket with which a task can await the outcome or cancel the group.
  @discardableResult
  public static func send<G: ActionGroup>(_ group: G) -> Ticket<G.Output, G.Failure> where G.State == State {
    current.send(group)
  }

  /// A stream of the committed states, starting with the current one.
  public static var states: AsyncStream<State> { current.states }

  /// Returns a handle to the value at a key path, without repeated values.
  ///
  /// - Parameters:
  ///   - path: The key path of the value.
  ///   - fileID: The file of the call, for the labels of atoms.
  ///   - line: The line of the call, for the labels of atoms.
  public static func select<Value: Equatable & Sendable>(
    _ path: any KeyPath<State, Value> & Sendable,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Selected<State, Value> {
    current.select(path, fileID: fileID, line: line)
  }

  /// Returns a handle to the leaf of a path, which is `nil` while the leaf is missing.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - fileID: The file of the call, for the labels of atoms.
  ///   - line: The line of the call, for the labels of atoms.
  public static func select<Leaf: Equatable & Sendable>(
    _ path: StatePath<State, Leaf>,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Selected<State, Leaf?> {
    current.select(path, fileID: fileID, line: line)
  }

  /// Returns a handle to a selection, without repeated values.
  ///
  /// - Parameters:
  ///   - selection: The selection.
  ///   - fileID: The file of the call, for the labels of atoms.
  ///   - line: The line of the call, for the labels of atoms.
  public static func select<Value: Equatable & Sendable>(
    _ selection: Selection<State, Value>,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Selected<State, Value> {
    current.select(selection, fileID: fileID, line: line)
  }
}

extension StoreFacade where State: EventDriven {
  /// Gives an event to the state, and returns the outcome.
  ///
  /// - Parameter event: The event.
  @discardableResult
  public nonisolated(nonsending) static func dispatch(_ event: State.Event) async throws(State.Failure) -> Outcome<Void>
  {
    try await current.dispatch(event)
  }

  /// Gives several events to the state with one commit, and returns the outcome.
  ///
  /// - Parameter events: The events, in order.
  @discardableResult
  public nonisolated(nonsending) static func dispatch(
    _ events: [State.Event]
  ) async throws(State.Failure) -> Outcome<Void> {
    try await current.dispatch(events)
  }

  /// Gives an event to the state without waiting for the outcome.
  ///
  /// Use it in synchronous code, such as button handlers.
  ///
  /// - Parameter event: The event.
  /// - Returns: A ticket with which a task can await the outcome or cancel the action.
  @discardableResult
  public static func send(_ event: State.Event) -> Ticket<Void, State.Failure> { current.send(event) }

  /// Gives several events to the state with one commit, without waiting for the outcome.
  ///
  /// - Parameter events: The events, in order.
  /// - Returns: A ticket with which a task can await the outcome or cancel the action.
  @discardableResult
  public static func send(_ events: [State.Event]) -> Ticket<Void, State.Failure> { current.send(events) }

  /// A stream of the commits, each with its events.
  public static var events: EventStream<State, EventCommit<State>> { current.events() }

  /// Returns a stream of the commits in which one child of the state got events, appeared, or disappeared.
  ///
  /// - Parameter child: The child.
  public static func events<Child>(
    of child: EventScope<State, Child>
  ) -> EventStream<State, ChildCommit<Child>> {
    current.events(of: child)
  }

  /// Calls a closure with each commit and its events, for code that does not run in a task of its own.
  ///
  /// - Parameters:
  ///   - owner: The object to observe for. The closure gets it as an argument.
  ///   - id: Distinguishes this observation from others of the same owner.
  ///   - isolation: The actor on which the closure runs.
  ///   - fileID: The file of the call, which identifies an observation without an `id`.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - onCommit: A closure that gets the owner and the commit. Calls do not overlap.
  @discardableResult
  public static func observeEvents<Owner: AnyObject>(
    _ owner: Owner,
    id: (any Hashable & Sendable)? = nil,
    isolation: isolated any Actor = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column,
    _ onCommit: @escaping (_ owner: Owner, _ commit: EventCommit<State>) -> Void
  ) -> ObservationToken {
    current.observeEvents(owner, id: id, isolation: isolation, fileID: fileID, line: line, column: column, onCommit)
  }
}
