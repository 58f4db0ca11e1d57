import ActorStore
public import ActorStoreEvents
public import ActorStoreTesting

/// Calls that emit events and assert their changes.
extension TestStore where State: EventDriven {
  /// Dispatches an event that must be committed, and compares its change with the stated one.
  ///
  /// ```swift
  /// await store.dispatch(.added("milk")) { $0.todos = [Todo(id: 0, name: "milk")] }
  /// ```
  ///
  /// - Parameters:
  ///   - event: The event to dispatch.
  ///   - fileID: The file ID of the call, for failure reports.
  ///   - filePath: The file path of the call, for failure reports.
  ///   - line: The line of the call, for failure reports.
  ///   - column: The column of the call, for failure reports.
  ///   - change: A closure that changes the old state to the expected one, or `nil` if the event changes nothing.
  /// - Throws: The error with which the state refused the event. The change is then not compared.
  public nonisolated(nonsending) func dispatch(
    _ event: State.Event,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ change: ((inout State) -> Void)? = nil
  ) async throws(State.Failure) {
    try await dispatch(
      Emit<State>(event), fileID: fileID, filePath: filePath, line: line, column: column, change)
  }

  /// Dispatches several events with one commit, and compares their change with the stated one.
  ///
  /// - Parameters:
  ///   - events: The events to dispatch, in order.
  ///   - fileID: The file ID of the call, for failure reports.
  ///   - filePath: The file path of the call, for failure reports.
  ///   - line: The line of the call, for failure reports.
  ///   - column: The column of the call, for failure reports.
  ///   - change: A closure that changes the old state to the expected one, or `nil` if the events change nothing.
  /// - Throws: The error with which the state refused an event. The change is then not compared.
  public nonisolated(nonsending) func dispatch(
    _ events: [State.Event],
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ change: ((inout State) -> Void)? = nil
  ) async throws(State.Failure) {
    try await dispatch(
      EmitAll<State>(events), fileID: fileID, filePath: filePath, line: line, column: column, change)
  }

  /// Dispatches an event that must have an outcome other than a commit.
  ///
  /// - Parameters:
  ///   - event: The event to dispatch.
  ///   - expected: The expected outcome.
  ///   - fileID: The file ID of the call, for failure reports.
  ///   - filePath: The file path of the call, for failure reports.
  ///   - line: The line of the call, for failure reports.
  ///   - column: The column of the call, for failure reports.
  /// - Throws: The error with which the state refused the event. The outcome is then not compared.
  public nonisolated(nonsending) func dispatch(
    _ event: State.Event,
    is expected: ExpectedOutcome,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async throws(State.Failure) {
    try await dispatch(
      Emit<State>(event), is: expected, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Dispatches several events that must have an outcome other than a commit.
  ///
  /// - Parameters:
  ///   - events: The events to dispatch, in order.
  ///   - expected: The expected outcome.
  ///   - fileID: The file ID of the call, for failure reports.
  ///   - filePath: The file path of the call, for failure reports.
  ///   - line: The line of the call, for failure reports.
  ///   - column: The column of the call, for failure reports.
  /// - Throws: The error with which the state refused an event. The outcome is then not compared.
  public nonisolated(nonsending) func dispatch(
    _ events: [State.Event],
    is expected: ExpectedOutcome,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async throws(State.Failure) {
    try await dispatch(
      EmitAll<State>(events), is: expected, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}

/// Calls that assert events that were sent, or that other code dispatched.
///
/// A test must receive each of them, in order. To receive an event that is not `Equatable`, or that was refused, pass
/// its description as a label.
extension TestStore where State: EventDriven, State.Event: Equatable {
  /// Waits for the end of the next unasserted action, which must be a commit of an equal event.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - limit: The maximum time to wait, by the clock of the test store. The default is its patience.
  ///   - fileID: The file ID of the call, for failure reports.
  ///   - filePath: The file path of the call, for failure reports.
  ///   - line: The line of the call, for failure reports.
  ///   - column: The column of the call, for failure reports.
  ///   - change: A closure that changes the old state to the expected one, or `nil` if the event changes nothing.
  public nonisolated(nonsending) func receive(
    _ event: State.Event,
    within limit: Duration? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ change: ((inout State) -> Void)? = nil
  ) async {
    await receive(
      Emit<State>(event), within: limit, fileID: fileID, filePath: filePath, line: line, column: column, change)
  }

  /// Waits for the end of the next unasserted action, which must be a commit of equal events by one call.
  ///
  /// - Parameters:
  ///   - events: The events, in order.
  ///   - limit: The maximum time to wait, by the clock of the test store. The default is its patience.
  ///   - fileID: The file ID of the call, for failure reports.
  ///   - filePath: The file path of the call, for failure reports.
  ///   - line: The line of the call, for failure reports.
  ///   - column: The column of the call, for failure reports.
  ///   - change: A closure that changes the old state to the expected one, or `nil` if the events change nothing.
  public nonisolated(nonsending) func receive(
    _ events: [State.Event],
    within limit: Duration? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ change: ((inout State) -> Void)? = nil
  ) async {
    await receive(
      EmitAll<State>(events), within: limit, fileID: fileID, filePath: filePath, line: line, column: column, change)
  }
}
