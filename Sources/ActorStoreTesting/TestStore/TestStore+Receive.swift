public import ActorStore

/// Calls that assert sent and deferred actions, and actions that other code dispatched.
///
/// Assert these actions one by one, in the order in which they ended. Identify a closure or a transaction by its label.
/// The label of an action without a description is the name of its type.
extension TestStore {
  /// Waits for the next unasserted event, which must be the commit of an action of the given type.
  ///
  /// With ``Exhaustivity/off``, the first event of this type counts, even if it is not a commit. Like all overloads,
  /// the call reports a failure if no event arrives in time, or if the task is canceled first.
  ///
  /// - Parameters:
  ///   - type: The type of the action. With ``Exhaustivity/off``, the call skips events of other types before it.
  ///   - limit: The maximum time to wait, by the clock of the test store. The default is its patience.
  ///   - fileID: The file ID of the call, for failure reports.
  ///   - filePath: The file path of the call, for failure reports.
  ///   - line: The line of the call, for failure reports.
  ///   - column: The column of the call, for failure reports.
  ///   - change: A closure that changes the old state to the expected one, or `nil` if the action changes nothing. With
  ///     ``Exhaustivity/off``, the closure gets the new state and must leave it as it is. Otherwise, a closure that
  ///     changes nothing is a failure.
  public nonisolated(nonsending) func receive<A: Action<State>>(
    _ type: A.Type,
    within limit: Duration? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ change: ((inout State) -> Void)? = nil
  ) async {
    let site = CallSite(fileID, filePath, line, column)
    check(await next(.type(type), limit, site), changes: change, site)
  }

  /// Waits for the next unasserted event, which must be the commit of an action that is equal to the given one.
  ///
  /// - Parameters:
  ///   - action: The action. With ``Exhaustivity/off``, the call skips other events before it.
  ///   - limit: The maximum time to wait, by the clock of the test store. The default is its patience.
  ///   - fileID: The file ID of the call, for failure reports.
  ///   - filePath: The file path of the call, for failure reports.
  ///   - line: The line of the call, for failure reports.
  ///   - column: The column of the call, for failure reports.
  ///   - change: A closure that changes the old state to the expected one, or `nil` if the action changes nothing. With
  ///     ``Exhaustivity/off``, the closure gets the new state and must leave it as it is. Otherwise, a closure that
  ///     changes nothing is a failure.
  public nonisolated(nonsending) func receive<A: Action<State> & Equatable>(
    _ action: A,
    within limit: Duration? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ change: ((inout State) -> Void)? = nil
  ) async {
    let site = CallSite(fileID, filePath, line, column)
    check(await next(.action(action), limit, site), changes: change, site)
  }

  /// Waits for the next unasserted event, which must be the commit of an action with the given label.
  ///
  /// - Parameters:
  ///   - label: The label of the action. With ``Exhaustivity/off``, the call skips events with other labels before it.
  ///   - limit: The maximum time to wait, by the clock of the test store. The default is its patience.
  ///   - fileID: The file ID of the call, for failure reports.
  ///   - filePath: The file path of the call, for failure reports.
  ///   - line: The line of the call, for failure reports.
  ///   - column: The column of the call, for failure reports.
  ///   - change: A closure that changes the old state to the expected one, or `nil` if the action changes nothing. With
  ///     ``Exhaustivity/off``, the closure gets the new state and must leave it as it is. Otherwise, a closure that
  ///     changes nothing is a failure.
  public nonisolated(nonsending) func receive(
    label: String,
    within limit: Duration? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ change: ((inout State) -> Void)? = nil
  ) async {
    let site = CallSite(fileID, filePath, line, column)
    check(await next(.label(label), limit, site), changes: change, site)
  }

  /// Waits for the next unasserted event, which must be the veto of an action of the given type.
  ///
  /// - Parameters:
  ///   - type: The type of the action. With ``Exhaustivity/off``, the call skips events of other types before it.
  ///   - expected: The expected veto.
  ///   - limit: The maximum time to wait, by the clock of the test store. The default is its patience.
  ///   - fileID: The file ID of the call, for failure reports.
  ///   - filePath: The file path of the call, for failure reports.
  ///   - line: The line of the call, for failure reports.
  ///   - column: The column of the call, for failure reports.
  public nonisolated(nonsending) func receive<A: Action<State>>(
    _ type: A.Type,
    is expected: ExpectedVeto,
    within limit: Duration? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let site = CallSite(fileID, filePath, line, column)
    check(await next(.type(type), limit, site), is: expected, site)
  }

  /// Waits for the next unasserted event, which must be the veto of an action with the given label.
  ///
  /// - Parameters:
  ///   - label: The label of the action. With ``Exhaustivity/off``, the call skips events with other labels before it.
  ///   - expected: The expected veto.
  ///   - limit: The maximum time to wait, by the clock of the test store. The default is its patience.
  ///   - fileID: The file ID of the call, for failure reports.
  ///   - filePath: The file path of the call, for failure reports.
  ///   - line: The line of the call, for failure reports.
  ///   - column: The column of the call, for failure reports.
  public nonisolated(nonsending) func receive(
    label: String,
    is expected: ExpectedVeto,
    within limit: Duration? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let site = CallSite(fileID, filePath, line, column)
    check(await next(.label(label), limit, site), is: expected, site)
  }

  // MARK: Checking

  private func check(
    _ event: EventRecorderStateMachine<State>.Event?, changes change: ((inout State) -> Void)?, _ site: CallSite
  ) {
    guard let event else { return }
    guard case .committed(let old, let new) = event.end else {
      return reporter.record("\(event.action) \(event.end.text), and was not committed.", at: site)
    }
    compare(event.action, old, new, change, site)
  }

  private func check(_ event: EventRecorderStateMachine<State>.Event?, is expected: ExpectedVeto, _ site: CallSite) {
    guard let event else { return }
    if case .vetoed(let veto) = event.end, expected.fits(veto) { return }
    reporter.record("\(event.action) \(event.end.text), and was not \(expected).", at: site)
  }

  // MARK: The next event

  struct Wanted: Sendable {
    let name: String
    let fits: @Sendable (EventRecorderStateMachine<State>.Event) -> Bool

    static func type<Subject>(_ type: Subject.Type) -> Wanted {
      let id = ObjectIdentifier(type)
      return Wanted(name: "\(type)") { $0.type == id }
    }

    static func action<A: Action<State> & Equatable>(_ action: A) -> Wanted {
      Wanted(name: describe(action)) { $0.subject as? A == action }
    }

    static func label(_ label: String) -> Wanted {
      Wanted(name: "\"\(label)\"") { $0.name == label }
    }
  }

  nonisolated(nonsending) func next(
    _ wanted: Wanted,
    _ limit: Duration?,
    _ site: CallSite
  ) async -> EventRecorderStateMachine<State>.Event? {
    let (recorder, isLenient) = (recorder, exhaustivity == .off)
    _ = await within(limit ?? patience, of: clock) { () async -> Bool? in
      for await _ in recorder.changes() {
        if recorder.next(skippingOthers: isLenient, where: wanted.fits) != nil { return true }
      }
      return nil
    }
    // Take the event here, and not in the waiting closure. A wait that has timed out must neither lose nor take an
    // event that arrives at the last moment.
    let event = recorder.take(skippingOthers: isLenient, where: wanted.fits)
    guard let event else {
      let why = Task.isCancelled ? "was not received before the test was canceled" : "was not received"
      reporter.record("\(wanted.name) \(why). The store: \(store.diagnostics)", at: site)
      return nil
    }
    if wanted.fits(event) { return event }
    reporter.record("Expected \(wanted.name) next, but received \(event.action).", at: site)
    return nil
  }
}

extension EventRecorderStateMachine.Event.End {
  /// The end of the action in words, for a sentence.
  var text: String {
    switch self {
    case .committed: "was committed"
    case .failed(let error): "threw \(error)"
    case .vetoed(let veto): "was vetoed (\(veto))"
    }
  }
}
