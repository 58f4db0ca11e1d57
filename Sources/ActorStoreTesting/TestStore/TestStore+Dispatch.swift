public import ActorStore

/// Actions, dispatched together with what is to become of them.
extension TestStore {
  /// Dispatches an action that is to be committed, and compares what it changed.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - policy: How it is run among others.
  ///   - change: Makes of the state before the one that is expected after; nil if nothing changes. Where not everything
  ///     is to be stated, it gets the state after, and must find it as it makes it.
  /// - Returns: What the action returned; nil, and it is an issue, if it was not committed.
  /// - Throws: What the action throws; the change is not compared then.
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
      reporter.record("\(describe(action)) is \(outcome.text), not committed.", at: site)
      return nil
    }
    if case .committed(let old, let new)? = event?.end {
      compare(describe(action), old, new, change, site)
    } else {
      reporter.record("\(describe(action)) was committed, and has been received elsewhere meanwhile.", at: site)
    }
    return output
  }

  /// Dispatches an action that is not to be committed: refused by a guard, cancelled, deferred.
  ///
  /// What is deferred runs later, and is asserted with ``receive(_:within:fileID:filePath:line:column:_:)``.
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
        "\(describe(action)) is \(outcome.text), not \(expected).", at: CallSite(fileID, filePath, line, column))
    }
  }

  /// Dispatches an action that is to fail with this error.
  public nonisolated(nonsending) func dispatch<A: Action<State>>(
    _ action: A,
    policy: DispatchPolicy = .serial,
    throws expected: A.Failure,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async where A.Failure: Equatable {
    let site = CallSite(fileID, filePath, line, column)
    switch await perform(action, policy).result {
    case .success(let outcome):
      reporter.record("\(describe(action)) is \(outcome.text), and did not throw \(expected).", at: site)
    case .failure(let error):
      compare(describe(action), expected, error, site)
    }
  }

  /// Dispatches a group; what its actions change is received one by one.
  ///
  /// It returns when the group does, so what the group waits for the test has to provide before, or from another task;
  /// or the group is sent.
  @discardableResult
  public nonisolated(nonsending) func dispatch<G: ActionGroup>(
    _ group: G
  ) async throws(G.Failure) -> G.Output where G.State == State {
    try await store.dispatch(group)
  }

  /// Sends an action; what it changes is received.
  @discardableResult
  public func send<A: Action<State>>(_ action: A, policy: DispatchPolicy = .serial) -> Ticket<A.Output, A.Failure> {
    store.send(action, policy: policy)
  }

  /// Sends a group; what its actions change is received one by one, and its error, if it throws one, with
  /// ``receive(_:throws:within:fileID:filePath:line:column:)-(G.Type,_,_,_,_,_,_)``.
  ///
  /// ``finish(within:fileID:filePath:line:column:)`` waits for it, and says so if it does not end.
  @discardableResult
  public func send<G: ActionGroup<State>>(_ group: G) -> Ticket<G.Output, G.Failure> {
    store.send(group)
  }

  private nonisolated(nonsending) func perform<A: Action<State>>(
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
}

extension Outcome {
  /// Whether an action that came to this has run or was refused by a guard: whether guards were asked for it.
  fileprivate var isEnd: Bool {
    switch self {
    case .committed, .vetoed: true
    case .cancelled, .deferred, .closed: false
    }
  }
}
