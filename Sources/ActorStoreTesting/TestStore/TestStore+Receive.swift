public import ActorStore

/// Actions that others dispatched, that were sent, or deferred.
extension TestStore {
  /// Waits for the next action that nobody has asserted, which is to be of this type and to be committed.
  ///
  /// - Parameters:
  ///   - type: The type of the action. Where not everything is to be stated, others before it are passed over.
  ///   - limit: How long to wait at most.
  ///   - change: Makes of the state before the one that is expected after; nil if nothing changes.
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
    guard let event = await next(A.self, limit, site) else { return }
    check(event, change, site)
  }

  /// Waits for the next action that nobody has asserted, which is to be a closure with this label.
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
    guard let event = await next(label, limit, site, where: { $0.action == label }) else { return }
    check(event, change, site)
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
    guard let event = await next(A.self, limit, site) else { return }
    guard case .failed(let error) = event.end else {
      return reporter.record("\(event.action) was committed, and did not throw \(expected).", at: site)
    }
    compare(event.action, expected, error, site)
  }

  private func check(_ event: StoreEvents<State>.Event, _ change: ((inout State) -> Void)?, _ site: CallSite) {
    switch event.end {
    case .committed(let old, let new): compare(event.action, old, new, change, site)
    case .failed(let error): reporter.record("\(event.action) threw \(error), and was not committed.", at: site)
    }
  }

  private nonisolated(nonsending) func next<A: Action<State>>(
    _ type: A.Type,
    _ limit: Duration?,
    _ site: CallSite
  ) async -> StoreEvents<State>.Event? {
    await next("\(type)", limit, site, where: { $0.type == ObjectIdentifier(type) })
  }

  private nonisolated(nonsending) func next(
    _ name: String,
    _ limit: Duration?,
    _ site: CallSite,
    where fits: @escaping @Sendable (StoreEvents<State>.Event) -> Bool
  ) async -> StoreEvents<State>.Event? {
    let (recorder, isLenient) = (recorder, exhaustivity == .off)
    let event = await within(limit ?? patience, of: clock) { () async -> StoreEvents<State>.Event? in
      for await _ in recorder.changes() {
        if let event = recorder.withEvents({ $0.take(skippingOthers: isLenient, where: fits) }) { return event }
      }
      return nil
    }
    guard let event else {
      reporter.record("\(name) did not come. The store: \(store.diagnostics)", at: site)
      return nil
    }
    if fits(event) { return event }
    reporter.record("\(name) was to come next, and \(event.action) did.", at: site)
    return nil
  }
}
