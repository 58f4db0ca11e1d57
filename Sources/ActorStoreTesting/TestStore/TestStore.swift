public import ActorStore
import Synchronization

/// A store for tests, which compares the change of each action with a stated change.
///
/// ```swift
/// @Test func buying() async throws {
///   let store = TestStore(Cart())
///   await store.dispatch(Add("tea")) { $0.items = ["tea"] }
///   await store.dispatch(Checkout(), is: .vetoed)
///   await store.dispatch(Pay(5), throws: Declined())
///   try await store.finish()
/// }
/// ```
///
/// A stated change is compared with exactly the state that the action left, even if other actions run concurrently. By
/// default, a test must state every change. A different or unstated change is a failure, which is reported with the
/// difference at the line of the call. NaN counts as unchanged if its bits are the same.
///
/// Every call with `throws:` takes an error or a closure that accepts an error, for actions and groups, whether or not
/// their errors are typed or `Equatable`.
///
/// Use ``receive(_:within:fileID:filePath:line:column:_:)-(A.Type,_,_,_,_,_,_)`` and its overloads to assert actions
/// that were sent or deferred, or that groups or other code dispatched. Receive their commits, errors, and vetoes in
/// the order in which they ended. Also receive the error of a sent group. A transaction is one action, whatever the
/// outcomes of its members.
///
/// ``finish(within:fileID:filePath:line:column:)`` ends the test, and reports work that still runs and unasserted
/// actions. Without it, the test store reports only unasserted actions, when it is deallocated.
///
/// Test stores work in Swift Testing and XCTest. Inside a ``Simulation``, failures fail the run, and
/// ``finish(within:fileID:filePath:line:column:)`` throws them. Any number of test stores can run in parallel, but use
/// each test store in one task only.
public final class TestStore<State: Equatable & Sendable>: Sendable {
  /// How much a test must state.
  public enum Exhaustivity: Sendable {
    /// The test must state every change and assert every action.
    case on
    /// The test may state parts of changes, and assert only some actions.
    case off
  }

  /// The underlying store, for the code under test.
  public let store: Store<State>
  let exhaustivity: Exhaustivity
  let clock: any Clock<Duration>
  let patience: Duration
  let recorder = EventRecorder<State>()
  let reporter: IssueReporter
  private let site: CallSite
  private let isFinished = OnceFlag()

  /// Creates a test store.
  ///
  /// - Parameters:
  ///   - state: The initial state.
  ///   - guards: Guards that observe the store's actions and may refuse them.
  ///   - middleware: Middleware that wraps the run of each action. The first one is the outermost.
  ///   - exhaustivity: How much the test must state.
  ///   - clock: The clock for time limits. By default, time is virtual inside a simulation and real elsewhere.
  ///   - patience: The default time limit of ``receive(_:within:fileID:filePath:line:column:_:)-(A.Type,_,_,_,_,_,_)`` and
  ///     ``finish(within:fileID:filePath:line:column:)``. Pass a higher limit if the code under test takes longer, even
  ///     if its time is virtual. A dispatch has no time limit.
  ///   - fileID: The file ID of the call, for failures reported at deallocation.
  ///   - filePath: The file path of the call, for failures reported at deallocation.
  ///   - line: The line of the call, for failures reported at deallocation.
  ///   - column: The column of the call, for failures reported at deallocation.
  public init(
    _ state: State,
    guards: [any ReportGuard<State>] = [],
    middleware: [any Middleware<State>] = [],
    exhaustivity: Exhaustivity = .on,
    clock: (any Clock<Duration>)? = nil,
    patience: Duration = .seconds(10),
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    // If a test must state everything, it must also assert errors that no task awaits, so the store need not log them.
    // The test store gets no event of a refused action, so this closure reports the refusal.
    let isStated = exhaustivity == .on
    let (reporter, site) = (IssueReporter(), CallSite(fileID, filePath, line, column))
    store = Store(state, guards: guards + [recorder], middleware: middleware) { failure in
      if !isStated { return failure.writeToStandardError() }
      switch failure.error as? NotCommitted {
      case .closed, .cancelled: reporter.record(failure.description, at: site)
      case .vetoed, .deferred, nil: break
      }
    }
    self.reporter = reporter
    self.site = site
    self.exhaustivity = exhaustivity
    self.clock = clock ?? defaultClock()
    self.patience = patience
  }

  deinit {
    if !isFinished.isSet { reportUnasserted(at: site) }
  }

  /// The committed state.
  public nonisolated(nonsending) var state: State {
    get async { await store.state }
  }

  // MARK: Comparing

  /// Reports a change that differs from the stated one.
  func compare(
    _ action: @autoclosure () -> String,
    _ old: State,
    _ new: State,
    _ change: ((inout State) -> Void)?,
    _ site: CallSite
  ) {
    guard exhaustivity == .on else {
      var expected = new
      change?(&expected)
      reportDifference(action(), expected, new, site)
      return
    }
    var expected = old
    change?(&expected)
    if reportDifference(action(), expected, new, site) { return }
    if change != nil, Dump.areSame(old, expected) {
      reporter.record("The change stated for \(action()) changes nothing. If none is expected, omit it.", at: site)
    }
  }

  /// Returns whether there is a difference.
  @discardableResult
  private func reportDifference(
    _ action: @autoclosure () -> String, _ expected: State, _ new: State, _ site: CallSite
  ) -> Bool {
    guard expected != new, let difference = Dump.difference(from: expected, to: new) else { return false }
    reporter.record(
      "\(action()) did not change the state as stated (- stated, + committed):\n\(difference)", at: site)
    return true
  }

  // MARK: The end

  /// Ends the test, closes the store, and reports work that still runs and unasserted actions.
  ///
  /// Like `Store.closeAndDrain(within:clock:)`, the call refuses new actions, except those of running groups, and waits
  /// until no action and no group runs. At the time limit, it reports the actions and groups that still run, cancels
  /// the sent groups, and waits for the same time again. Canceling the test's task does not end these waits.
  ///
  /// - Parameters:
  ///   - limit: The maximum time to wait, by the clock of the test store. The default is its patience.
  ///   - fileID: The file ID of the call, for failure reports.
  ///   - filePath: The file path of the call, for failure reports.
  ///   - line: The line of the call, for failure reports.
  ///   - column: The column of the call, for failure reports.
  /// - Throws: ``TestStoreFailure`` inside a simulation, with all failures that this test store found. Elsewhere, the
  ///   call reports them and throws nothing.
  public nonisolated(nonsending) func finish(
    within limit: Duration? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async throws {
    let site = CallSite(fileID, filePath, line, column)
    isFinished.set()
    let late = Locked<String?>(nil)
    do {
      try await SimulationHooks.$sleep.withValue(.lastResort) {
        _ = try await Store.closeAndDrain([store], within: (limit ?? patience) * 2, clock) {
          late.withLock { $0 = self.running }
        }
      }
    } catch {
      late.withLock { $0 = running }
    }
    if let late = late.withLock({ $0 }) {
      reporter.record("Something is still running at the end of the test: \(late)", at: site)
    }
    reportUnasserted(at: site)
    try reporter.throwKept()
  }

  /// A description of the running work, or `nil` if nothing runs.
  private var running: String? {
    let diagnostics = store.diagnostics
    return diagnostics.isIdle ? nil : "\(diagnostics)"
  }

  /// Removes the unasserted events, and reports them.
  ///
  /// With `Exhaustivity.off`, only removes them.
  private func reportUnasserted(at site: CallSite) {
    for event in recorder.withEvents({ $0.takeAll() }) where exhaustivity == .on {
      switch event.end {
      case .failed(let error):
        reporter.record("\(event.action) threw \(error), but was not asserted.", at: site)
      case .vetoed(let veto):
        reporter.record("\(event.action) was vetoed (\(veto)), but was not asserted.", at: site)
      case .committed(let old, let new):
        guard let difference = Dump.difference(from: old, to: new) else {
          reporter.record("\(event.action) was committed without changing the state, but was not asserted.", at: site)
          continue
        }
        reporter.record(
          "\(event.action) was committed, but was not asserted (- before, + after):\n\(difference)", at: site)
      }
    }
  }
}

/// A flag that is set once, from any thread.
private final class OnceFlag: Sendable {
  private let value = Atomic<Bool>(false)

  var isSet: Bool { value.load(ordering: .acquiring) }
  func set() { value.store(true, ordering: .releasing) }
}
