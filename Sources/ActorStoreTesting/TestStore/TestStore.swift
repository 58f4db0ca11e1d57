public import ActorStore
import Synchronization

/// A store for tests: each action is dispatched together with what it is to change.
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
  let exhaustivity: Exhaustivity
  let clock: any Clock<Duration>
  let patience: Duration
  let recorder = EventRecorder<State>()
  let reporter = IssueReporter()
  private let site: CallSite
  private let isFinished = OnceFlag()

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
    guard exhaustivity == .on, !isFinished.isSet else { return }
    if store.diagnostics.holder != nil {
      reporter.record("Something still runs when the test store goes: \(store.diagnostics)", at: site)
    }
    reportUnasserted(at: site)
  }

  /// The committed state.
  public nonisolated(nonsending) var state: State {
    get async { await store.state }
  }

  // MARK: Comparing

  /// Reports it when a change is not as it was stated.
  func compare(
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

  /// Reports it when an error is not the one that was expected.
  func compare(_ action: String, _ expected: any Error, _ error: any Error, _ site: CallSite) {
    guard let difference = Dump.difference(from: expected, to: error) else { return }
    reporter.record("\(action) threw another error (- expected, + thrown):\n\(difference)", at: site)
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
    isFinished.set()
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

/// Set once, seen by all.
private final class OnceFlag: Sendable {
  private let value = Atomic<Bool>(false)

  var isSet: Bool { value.load(ordering: .acquiring) }
  func set() { value.store(true, ordering: .releasing) }
}
