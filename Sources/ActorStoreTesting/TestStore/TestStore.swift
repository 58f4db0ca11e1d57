public import ActorStore

/// A store for tests: each action is dispatched together with what it is to change.
///
/// ```swift
/// @Test func buying() async throws {
///   let store = TestStore(Cart())
///   await store.dispatch(Add("tea")) { $0.items = ["tea"] }
///   await store.dispatch(Checkout(), is: .vetoed)
///   try await store.dispatch(Pay(5), throws: Declined())
///   try await store.finish()
/// }
/// ```
///
/// What is stated is compared with exactly the state that the action left, whatever runs beside it. By default a test
/// must state everything: a change that is not as stated, or that nobody stated, fails, with what differs, at the line
/// of the call. What comes from actions that were sent or deferred, or that groups and others dispatched, is asserted
/// with ``receive(_:within:fileID:filePath:line:column:_:)``, in the order in which it was committed. ``finish(within:)``
/// ends the test: nothing may be left running, and nothing unasserted.
///
/// For Swift Testing and XCTest alike, and inside a ``Simulation``, where ``finish(within:)`` throws what was found. Any
/// number may be used in parallel; one test store is for one task.
public final class TestStore<State: Equatable & Sendable>: Sendable {
  /// How much a test has to state.
  public enum Exhaustivity: Sendable {
    /// Everything: each change and each action.
    case on
    /// Of each change what it likes, and of the actions those it asks for.
    case off
  }

  /// The store itself, for code under test that takes one.
  public let store: Store<State>
  private let exhaustivity: Exhaustivity
  private let clock: any Clock<Duration>
  private let patience: Duration
  private let recorder = EventRecorder<State>()
  private let reporter = IssueReporter()
  private let site: CallSite

  /// Makes a store that starts with this state.
  ///
  /// - Parameters:
  ///   - state: The state to begin with.
  ///   - guards: Who watches its actions and may refuse them.
  ///   - exhaustivity: How much the test has to state.
  ///   - clock: What measures how long is waited; by default virtual time inside a simulation, real time elsewhere.
  ///   - patience: How long ``receive(_:within:fileID:filePath:line:column:_:)`` and ``finish(within:)`` wait at most if
  ///     they are not told.
  public init(
    _ state: State,
    guards: [any Guard<State>] = [],
    exhaustivity: Exhaustivity = .on,
    clock: (any Clock<Duration>)? = nil,
    patience: Duration = .seconds(10),
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    // An error that nobody awaits is an event like others, to be asserted.
    store = Store(state, guards: guards + [recorder], onUnhandledFailure: { _ in })
    self.exhaustivity = exhaustivity
    self.clock = clock ?? defaultClock()
    self.patience = patience
    site = CallSite(fileID, filePath, line, column)
  }

  deinit {
    if exhaustivity == .on { reportUnasserted(at: site) }
  }

  /// The committed state.
  public nonisolated(nonsending) var state: State {
    get async { await store.state }
  }

  // MARK: Dispatching

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
    policy: Policy = .serial,
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
    if case .committed(let old, let new)? = event?.end { compare(describe(action), old, new, change, site) }
    return output
  }

  /// Dispatches an action that is not to be committed: refused by a guard, cancelled, deferred.
  ///
  /// What is deferred runs later, and is asserted with ``receive(_:within:fileID:filePath:line:column:_:)``.
  public nonisolated(nonsending) func dispatch<A: Action<State>>(
    _ action: A,
    policy: Policy = .serial,
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
    policy: Policy = .serial,
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
      guard let difference = Dump.difference(from: expected, to: error) else { return }
      reporter.record("\(describe(action)) threw another error (- expected, + thrown):\n\(difference)", at: site)
    }
  }

  /// Dispatches a group; what its actions change is received one by one.
  @discardableResult
  public nonisolated(nonsending) func dispatch<G: ActionGroup>(
    _ group: G
  ) async throws(G.Failure) -> G.Output where G.State == State {
    try await store.dispatch(group)
  }

  /// Sends an action; what it changes is received.
  @discardableResult
  public func send<A: Action<State>>(_ action: A, policy: Policy = .serial) -> Ticket<A.Output, A.Failure> {
    store.send(action, policy: policy)
  }

  private nonisolated(nonsending) func perform<A: Action<State>>(
    _ action: A,
    _ policy: Policy
  ) async -> (result: Result<Outcome<A.Output>, A.Failure>, event: StoreEvents<State>.Event?) {
    let call = recorder.withEvents { $0.nextCall() }
    let result = await TestStoreCall.$current.withValue(call) { () async -> Result<Outcome<A.Output>, A.Failure> in
      do throws(A.Failure) {
        return .success(try await store.dispatch(action, policy: policy))
      } catch {
        return .failure(error)
      }
    }
    return (result, recorder.withEvents { $0.claim(call, ObjectIdentifier(A.self)) })
  }

  // MARK: Receiving

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
    guard let event = await next("\(A.self)", limit, site, where: { $0.type == ObjectIdentifier(A.self) }) else {
      return
    }
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
    guard let event = await next("\(A.self)", limit, site, where: { $0.type == ObjectIdentifier(A.self) }) else {
      return
    }
    guard case .failed(let error) = event.end else {
      return reporter.record("\(event.action) was committed, and did not throw \(expected).", at: site)
    }
    guard let difference = Dump.difference(from: expected, to: error) else { return }
    reporter.record("\(event.action) threw another error (- expected, + thrown):\n\(difference)", at: site)
  }

  private func check(_ event: StoreEvents<State>.Event, _ change: ((inout State) -> Void)?, _ site: CallSite) {
    switch event.end {
    case .committed(let old, let new): compare(event.action, old, new, change, site)
    case .failed(let error): reporter.record("\(event.action) threw \(error), and was not committed.", at: site)
    }
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

  // MARK: Comparing

  private func compare(
    _ action: String,
    _ old: State,
    _ new: State,
    _ change: ((inout State) -> Void)?,
    _ site: CallSite
  ) {
    guard exhaustivity == .on else {
      var expected = new
      change?(&expected)
      if expected != new { report(action, expected, new, site) }
      return
    }
    var expected = old
    change?(&expected)
    if expected != new {
      report(action, expected, new, site)
    } else if change != nil, expected == old {
      reporter.record("\(action) was stated to change the state, and what was stated changes nothing.", at: site)
    }
  }

  private func report(_ action: String, _ expected: State, _ new: State, _ site: CallSite) {
    let difference = Dump.difference(from: expected, to: new) ?? "  (nothing that can be read)"
    reporter.record(
      "\(action) changed the state otherwise than stated (- stated, + committed):\n\(difference)", at: site)
  }

  // MARK: The end

  /// Ends the test: closes the store, waits until nothing runs, and reports what is left or was not asserted.
  ///
  /// - Parameter limit: How long to wait at most.
  /// - Throws: Inside a simulation what this store has found wrong, since only what is thrown can be run again there;
  ///   elsewhere nothing, it has been reported.
  public nonisolated(nonsending) func finish(
    within limit: Duration? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async throws {
    let site = CallSite(fileID, filePath, line, column)
    store.close()
    // A store's streams end when nothing runs any more.
    let ends = store.states(bufferingPolicy: .bufferingNewest(1))
    let hasEnded = await within(limit ?? patience, of: clock) { () async -> Bool? in
      for await _ in ends {}
      return Task.isCancelled ? nil : true
    }
    if hasEnded == nil {
      reporter.record("Something still runs at the end of the test: \(store.diagnostics)", at: site)
    }
    if exhaustivity == .on { reportUnasserted(at: site) }
    try reporter.throwKept()
  }

  /// Reports what nobody has asserted, once.
  private func reportUnasserted(at site: CallSite) {
    while let event = recorder.withEvents({ $0.take(skippingOthers: false, where: { _ in true }) }) {
      switch event.end {
      case .failed(let error):
        reporter.record("\(event.action) threw \(error), and nobody asserted it.", at: site)
      case .committed(let old, let new):
        guard let difference = Dump.difference(from: old, to: new) else {
          reporter.record("\(event.action) was committed and changed nothing, and nobody asserted it.", at: site)
          continue
        }
        reporter.record(
          "\(event.action) was committed, and nobody asserted it (- before, + after):\n\(difference)", at: site)
      }
    }
  }
}
