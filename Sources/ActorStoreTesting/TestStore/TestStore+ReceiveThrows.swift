public import ActorStore

/// Calls that assert the errors of sent or deferred actions, sent groups, and actions that other code dispatched.
///
/// They accept the same errors as the calls that dispatch.
extension TestStore {
  /// Waits for the next unasserted event, which must be the failure of an action of the given type.
  ///
  /// - Parameters:
  ///   - type: The type of the action. With ``Exhaustivity/off``, the call skips events of other types before it.
  ///   - expected: The expected error.
  ///   - limit: The maximum time to wait, by the clock of the test store. The default is its patience.
  ///   - fileID: The file ID of the call, for failure reports.
  ///   - filePath: The file path of the call, for failure reports.
  ///   - line: The line of the call, for failure reports.
  ///   - column: The column of the call, for failure reports.
  public nonisolated(nonsending) func receive<A: Action<State>>(
    _ type: A.Type,
    throws expected: A.Failure,
    within limit: Duration? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let site = CallSite(fileID, filePath, line, column)
    check(await next(.type(type), limit, site), ExpectedError<A.Failure>.equal(expected), site)
  }

  /// Waits for the failure of an action of the given type, with an error that a closure accepts.
  ///
  /// - Parameters:
  ///   - type: The type of the action. With ``Exhaustivity/off``, the call skips events of other types before it.
  ///   - isExpected: A closure that returns whether the error is an expected one.
  ///   - limit: The maximum time to wait, by the clock of the test store. The default is its patience.
  ///   - fileID: The file ID of the call, for failure reports.
  ///   - filePath: The file path of the call, for failure reports.
  ///   - line: The line of the call, for failure reports.
  ///   - column: The column of the call, for failure reports.
  public nonisolated(nonsending) func receive<A: Action<State>>(
    _ type: A.Type,
    throws isExpected: @escaping (A.Failure) -> Bool,
    within limit: Duration? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let site = CallSite(fileID, filePath, line, column)
    check(await next(.type(type), limit, site), ExpectedError<A.Failure>.fitting(isExpected), site)
  }

  /// Waits for the next unasserted event, which must be the failure of a sent group of the given type.
  ///
  /// - Parameters:
  ///   - type: The type of the group. With ``Exhaustivity/off``, the call skips events of other types before it.
  ///   - expected: The expected error.
  ///   - limit: The maximum time to wait, by the clock of the test store. The default is its patience.
  ///   - fileID: The file ID of the call, for failure reports.
  ///   - filePath: The file path of the call, for failure reports.
  ///   - line: The line of the call, for failure reports.
  ///   - column: The column of the call, for failure reports.
  public nonisolated(nonsending) func receive<G: ActionGroup<State>>(
    _ type: G.Type,
    throws expected: G.Failure,
    within limit: Duration? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let site = CallSite(fileID, filePath, line, column)
    check(await next(.type(type), limit, site), ExpectedError<G.Failure>.equal(expected), site)
  }

  /// Waits for the failure of a sent group of the given type, with an error that a closure accepts.
  ///
  /// - Parameters:
  ///   - type: The type of the group. With ``Exhaustivity/off``, the call skips events of other types before it.
  ///   - isExpected: A closure that returns whether the error is an expected one.
  ///   - limit: The maximum time to wait, by the clock of the test store. The default is its patience.
  ///   - fileID: The file ID of the call, for failure reports.
  ///   - filePath: The file path of the call, for failure reports.
  ///   - line: The line of the call, for failure reports.
  ///   - column: The column of the call, for failure reports.
  public nonisolated(nonsending) func receive<G: ActionGroup<State>>(
    _ type: G.Type,
    throws isExpected: @escaping (G.Failure) -> Bool,
    within limit: Duration? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let site = CallSite(fileID, filePath, line, column)
    check(await next(.type(type), limit, site), ExpectedError<G.Failure>.fitting(isExpected), site)
  }

  /// Waits for the next unasserted event, which must be the failure of an action or a sent group with the given label.
  ///
  /// - Parameters:
  ///   - label: The label of the action or the sent group. With ``Exhaustivity/off``, the call skips events with other
  ///     labels before it.
  ///   - expected: The expected error.
  ///   - limit: The maximum time to wait, by the clock of the test store. The default is its patience.
  ///   - fileID: The file ID of the call, for failure reports.
  ///   - filePath: The file path of the call, for failure reports.
  ///   - line: The line of the call, for failure reports.
  ///   - column: The column of the call, for failure reports.
  public nonisolated(nonsending) func receive(
    label: String,
    throws expected: any Error,
    within limit: Duration? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let site = CallSite(fileID, filePath, line, column)
    check(await next(.label(label), limit, site), ExpectedError<any Error>.equal(expected), site)
  }

  /// Waits for the failure of an action or a sent group with the given label, with an error that a closure accepts.
  ///
  /// - Parameters:
  ///   - label: The label of the action or the sent group. With ``Exhaustivity/off``, the call skips events with other
  ///     labels before it.
  ///   - isExpected: A closure that returns whether the error is an expected one.
  ///   - limit: The maximum time to wait, by the clock of the test store. The default is its patience.
  ///   - fileID: The file ID of the call, for failure reports.
  ///   - filePath: The file path of the call, for failure reports.
  ///   - line: The line of the call, for failure reports.
  ///   - column: The column of the call, for failure reports.
  public nonisolated(nonsending) func receive(
    label: String,
    throws isExpected: @escaping (any Error) -> Bool,
    within limit: Duration? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let site = CallSite(fileID, filePath, line, column)
    check(await next(.label(label), limit, site), ExpectedError<any Error>.fitting(isExpected), site)
  }

  private func check<Failure>(
    _ event: EventRecorderStateMachine<State>.Event?, _ expected: ExpectedError<Failure>, _ site: CallSite
  ) {
    guard let event else { return }
    guard case .failed(let error) = event.end else {
      return reporter.record("\(event.action) \(event.end.text), and did not throw \(expected.text).", at: site)
    }
    guard let error = error as? Failure else {
      return reporter.record("\(event.action) threw \(error) instead of \(expected.text).", at: site)
    }
    if let problem = expected.problem(with: error) { reporter.record("\(event.action) \(problem)", at: site) }
  }
}
