public import ActorStore

/// Calls that dispatch an action and assert its outcome.
extension TestStore {
  /// Dispatches an action that must be committed, and compares its change with the stated one.
  ///
  /// - Parameters:
  ///   - action: The action to dispatch.
  ///   - policy: How the action runs among other actions. The default is `serial`.
  ///   - fileID: The file ID of the call, for failure reports.
  ///   - filePath: The file path of the call, for failure reports.
  ///   - line: The line of the call, for failure reports.
  ///   - column: The column of the call, for failure reports.
  ///   - change: A closure that changes the old state to the expected one, or `nil` if the action changes nothing. With
  ///     ``Exhaustivity/off``, the closure gets the new state and must leave it as it is. Otherwise, a closure that
  ///     changes nothing is a failure.
  /// - Returns: The action's output, or `nil` after reporting a failure if the action was not committed.
  /// - Throws: The action's error. The change is then not compared.
  @discardableResult
  public nonisolated(nonsending) func dispatch<A: Action<State>>(
    _ action: A,
    policy: DispatchPolicy = .serial,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ change: ((inout State) -> Void)? = nil
  ) async throws(A.Failure) -> A.Output? {
    let site = CallSite(fileID, filePath, line, column)
    let (result, event) = await perform(action, policy)
    let outcome = try result.get()
    guard case .committed(let output) = outcome else {
      reporter.record("\(describe(action)) was \(outcome.text), not committed.", at: site)
      return nil
    }
    if case .committed(let old, let new)? = event?.end {
      compare(describe(action), old, new, change, site)
    } else {
      reporter.record("\(describe(action)) was committed, but it has already been received elsewhere.", at: site)
    }
    return output
  }

  /// Dispatches an action that must have an outcome other than a commit.
  ///
  /// A deferred action runs after the action that made the call has committed. Assert it with
  /// ``receive(_:within:fileID:filePath:line:column:_:)-(A.Type,_,_,_,_,_,_)``.
  ///
  /// - Parameters:
  ///   - action: The action to dispatch.
  ///   - policy: How the action runs among other actions. The default is `serial`.
  ///   - expected: The expected outcome.
  ///   - fileID: The file ID of the call, for failure reports.
  ///   - filePath: The file path of the call, for failure reports.
  ///   - line: The line of the call, for failure reports.
  ///   - column: The column of the call, for failure reports.
  /// - Throws: The action's error. The outcome is then not compared.
  public nonisolated(nonsending) func dispatch<A: Action<State>>(
    _ action: A,
    policy: DispatchPolicy = .serial,
    is expected: ExpectedOutcome,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async throws(A.Failure) {
    let (result, _) = await perform(action, policy)
    let outcome = try result.get()
    if !expected.fits(outcome) {
      reporter.record(
        "\(describe(action)) was \(outcome.text), not \(expected).", at: CallSite(fileID, filePath, line, column))
    }
  }

  /// Dispatches a group.
  ///
  /// Receive its actions one by one, with ``receive(_:within:fileID:filePath:line:column:_:)-(A.Type,_,_,_,_,_,_)``.
  ///
  /// The call returns when the group does. If the group waits for something that the test provides, provide it before
  /// the call or from another task, or send the group.
  ///
  /// - Parameter group: The group to dispatch.
  /// - Returns: The outcome of the group.
  /// - Throws: The group's error.
  @discardableResult
  public nonisolated(nonsending) func dispatch<G: ActionGroup>(
    _ group: G
  ) async throws(G.Failure) -> Outcome<G.Output> where G.State == State {
    try await perform(group).get()
  }

  /// Sends an action.
  ///
  /// Receive it with ``receive(_:within:fileID:filePath:line:column:_:)-(A.Type,_,_,_,_,_,_)``.
  ///
  /// - Parameters:
  ///   - action: The action to send.
  ///   - policy: How the action runs among other actions. The default is `serial`.
  /// - Returns: The ticket of the action.
  @discardableResult
  public func send<A: Action<State>>(_ action: A, policy: DispatchPolicy = .serial) -> Ticket<A.Output, A.Failure> {
    store.send(action, policy: policy)
  }

  /// Sends a group.
  ///
  /// Receive its actions one by one, with ``receive(_:within:fileID:filePath:line:column:_:)-(A.Type,_,_,_,_,_,_)``. If
  /// the group throws an error, receive the error with
  /// ``receive(_:throws:within:fileID:filePath:line:column:)-(G.Type,G.Failure,_,_,_,_,_)``.
  ///
  /// ``finish(within:fileID:filePath:line:column:)`` waits for the group, and reports a failure if it does not end.
  ///
  /// - Parameter group: The group to send.
  /// - Returns: The ticket of the group.
  @discardableResult
  public func send<G: ActionGroup<State>>(_ group: G) -> Ticket<G.Output, G.Failure> {
    store.send(group)
  }

  nonisolated(nonsending) func perform<A: Action<State>>(
    _ action: A,
    _ policy: DispatchPolicy
  ) async -> (result: Result<Outcome<A.Output>, A.Failure>, event: EventRecorderStateMachine<State>.Event?) {
    let result: Result<Outcome<A.Output>, A.Failure>
    do throws(A.Failure) {
      result = .success(try await store.dispatch(action, policy: policy))
    } catch {
      result = .failure(error)
    }
    let task = SwiftRuntime.currentTaskID
    if case .success(let outcome) = result, !outcome.isEnd { return (result, nil) }
    return (result, recorder.withEvents { $0.claimLast(ObjectIdentifier(A.self), in: task) })
  }

  nonisolated(nonsending) func perform<G: ActionGroup>(
    _ group: G
  ) async -> Result<Outcome<G.Output>, G.Failure> where G.State == State {
    do throws(G.Failure) {
      return .success(try await store.dispatch(group))
    } catch {
      return .failure(error)
    }
  }
}

extension Outcome {
  /// Whether the recorder has an event for an action with this outcome.
  fileprivate var isEnd: Bool {
    switch self {
    case .committed, .vetoed: true
    case .cancelled, .deferred, .closed: false
    }
  }
}
