public import ActorStore

/// Actions that others dispatched, that were sent, or deferred: asserted one by one, in the order in which they ended.
///
/// A closure and a transaction go by their label.
extension TestStore {
  /// Waits for the next action that nobody has asserted, which is to be of this type and to be committed.
  ///
  /// - Parameters:
  ///   - type: The type of the action. Where not everything is to be stated, those of other types before it are passed
  ///     over; the first of this type is the one, whatever became of it.
  ///   - limit: How long to wait at most, by the clock of the test store; its patience if not given.
  ///   - change: Makes of the state before the one that is expected after; nil if nothing changes. Where not everything
  ///     is to be stated, it gets the state after, and must find it as it makes it.
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

  /// Waits for the next action that nobody has asserted, which is to have this label and to be committed.
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

  /// Waits for the next action that nobody has asserted, which is to be of this type and to fail with this error.
  public nonisolated(nonsending) func receive<A: Action<State>>(
    _ type: A.Type,
    throws expected: A.Failure,
    within limit: Duration? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async where A.Failure: Equatable {
    let site = CallSite(fileID, filePath, line, column)
    check(await next(.type(type), limit, site), throws: expected, site)
  }

  /// Waits for the next event that nobody has asserted, which is to be a sent group's failure with this error.
  public nonisolated(nonsending) func receive<G: ActionGroup<State>>(
    _ type: G.Type,
    throws expected: G.Failure,
    within limit: Duration? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async where G.Failure: Equatable {
    let site = CallSite(fileID, filePath, line, column)
    check(await next(.type(type), limit, site), throws: expected, site)
  }

  /// Waits for the next action that nobody has asserted, which is to have this label and to fail with this error.
  public nonisolated(nonsending) func receive(
    label: String,
    throws expected: some Error & Equatable,
    within limit: Duration? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let site = CallSite(fileID, filePath, line, column)
    check(await next(.label(label), limit, site), throws: expected, site)
  }

  /// Waits for the next action that nobody has asserted, which is to be of this type and to be refused by a guard.
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

  /// Waits for the next action that nobody has asserted, which is to have this label and to be refused by a guard.
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

  private func check(_ event: EventRecorderStateMachine<State>.Event?, throws expected: any Error, _ site: CallSite) {
    guard let event else { return }
    guard case .failed(let error) = event.end else {
      return reporter.record("\(event.action) \(event.end.text), and did not throw \(expected).", at: site)
    }
    compare(event.action, expected, error, site)
  }

  private func check(_ event: EventRecorderStateMachine<State>.Event?, is expected: ExpectedVeto, _ site: CallSite) {
    guard let event else { return }
    if case .vetoed(let veto) = event.end, expected.fits(veto) { return }
    reporter.record("\(event.action) \(event.end.text), and was not \(expected).", at: site)
  }

  // MARK: The next one

  private struct Wanted: Sendable {
    let name: String
    let fits: @Sendable (EventRecorderStateMachine<State>.Event) -> Bool

    static func type<Subject>(_ type: Subject.Type) -> Wanted {
      let id = ObjectIdentifier(type)
      return Wanted(name: "\(type)") { $0.type == id }
    }

    static func label(_ label: String) -> Wanted {
      Wanted(name: "\"\(label)\"") { $0.label == label }
    }
  }

  private nonisolated(nonsending) func next(
    _ wanted: Wanted,
    _ limit: Duration?,
    _ site: CallSite
  ) async -> EventRecorderStateMachine<State>.Event? {
    let (recorder, isLenient) = (recorder, exhaustivity == .off)
    _ = await within(limit ?? patience, of: clock) { () async -> Bool? in
      for await _ in recorder.changes() {
        if recorder.withEvents({ $0.has(skippingOthers: isLenient, where: wanted.fits) }) { return true }
      }
      return nil
    }
    // Taken here, so that what comes at the last moment is neither lost nor taken by a wait that is over.
    let event = recorder.withEvents { $0.take(skippingOthers: isLenient, where: wanted.fits) }.last
    guard let event else {
      let why = Task.isCancelled ? "did not come before the test was cancelled" : "did not come"
      reporter.record("\(wanted.name) \(why). The store: \(store.diagnostics)", at: site)
      return nil
    }
    if wanted.fits(event) { return event }
    reporter.record("\(wanted.name) was to come next, and \(event.action) did.", at: site)
    return nil
  }
}

extension EventRecorderStateMachine.Event.End {
  /// What became of the action, for a sentence.
  fileprivate var text: String {
    switch self {
    case .committed: "was committed"
    case .failed(let error): "threw \(error)"
    case .vetoed(let veto): "was vetoed (\(veto))"
    }
  }
}
