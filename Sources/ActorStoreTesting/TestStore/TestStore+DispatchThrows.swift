public import ActorStore

/// Calls that assert errors.
///
/// An error is the expected one if `Dump.difference(from:to:)` finds no difference. So errors without `Equatable` are
/// compared by their stored properties. To compare only a part of an error, or to accept several errors, pass a
/// closure.
extension TestStore {
  /// Dispatches an action that must fail with an error.
  ///
  /// - Parameters:
  ///   - action: The action to dispatch.
  ///   - policy: How the action runs among other actions. The default is `serial`.
  ///   - expected: The expected error.
  ///   - fileID: The file ID of the call, for failure reports.
  ///   - filePath: The file path of the call, for failure reports.
  ///   - line: The line of the call, for failure reports.
  ///   - column: The column of the call, for failure reports.
  public nonisolated(nonsending) func dispatch<A: Action<State>>(
    _ action: A,
    policy: DispatchPolicy = .serial,
    throws expected: A.Failure,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await check(action, policy, .equal(expected), CallSite(fileID, filePath, line, column))
  }

  /// Dispatches an action that must fail with an error that a closure accepts.
  ///
  /// - Parameters:
  ///   - action: The action to dispatch.
  ///   - policy: How the action runs among other actions. The default is `serial`.
  ///   - isExpected: A closure that returns whether the error is an expected one.
  ///   - fileID: The file ID of the call, for failure reports.
  ///   - filePath: The file path of the call, for failure reports.
  ///   - line: The line of the call, for failure reports.
  ///   - column: The column of the call, for failure reports.
  public nonisolated(nonsending) func dispatch<A: Action<State>>(
    _ action: A,
    policy: DispatchPolicy = .serial,
    throws isExpected: @escaping (A.Failure) -> Bool,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await check(action, policy, .fitting(isExpected), CallSite(fileID, filePath, line, column))
  }

  /// Dispatches a group that must fail with an error.
  ///
  /// Receive the actions that it dispatched before the error.
  ///
  /// - Parameters:
  ///   - group: The group to dispatch.
  ///   - expected: The expected error.
  ///   - fileID: The file ID of the call, for failure reports.
  ///   - filePath: The file path of the call, for failure reports.
  ///   - line: The line of the call, for failure reports.
  ///   - column: The column of the call, for failure reports.
  public nonisolated(nonsending) func dispatch<G: ActionGroup<State>>(
    _ group: G,
    throws expected: G.Failure,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await check(group, .equal(expected), CallSite(fileID, filePath, line, column))
  }

  /// Dispatches a group that must fail with an error that a closure accepts.
  ///
  /// - Parameters:
  ///   - group: The group to dispatch.
  ///   - isExpected: A closure that returns whether the error is an expected one.
  ///   - fileID: The file ID of the call, for failure reports.
  ///   - filePath: The file path of the call, for failure reports.
  ///   - line: The line of the call, for failure reports.
  ///   - column: The column of the call, for failure reports.
  public nonisolated(nonsending) func dispatch<G: ActionGroup<State>>(
    _ group: G,
    throws isExpected: @escaping (G.Failure) -> Bool,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await check(group, .fitting(isExpected), CallSite(fileID, filePath, line, column))
  }

  // MARK: Checking

  private nonisolated(nonsending) func check<A: Action<State>>(
    _ action: A, _ policy: DispatchPolicy, _ expected: ExpectedError<A.Failure>, _ site: CallSite
  ) async {
    check(await perform(action, policy).result.map { "was \($0.text)" }, of: action, expected, site)
  }

  private nonisolated(nonsending) func check<G: ActionGroup<State>>(
    _ group: G, _ expected: ExpectedError<G.Failure>, _ site: CallSite
  ) async {
    check(await perform(group).map { _ in "ended" }, of: group, expected, site)
  }

  /// - Parameter result: The end of the action in words, for a sentence, or its error.
  private func check<Failure>(
    _ result: Result<String, Failure>, of action: Any, _ expected: ExpectedError<Failure>, _ site: CallSite
  ) {
    switch result {
    case .success(let end):
      reporter.record("\(describe(action)) \(end), and did not throw \(expected.text).", at: site)
    case .failure(let error):
      if let problem = expected.problem(with: error) { reporter.record("\(describe(action)) \(problem)", at: site) }
    }
  }
}
