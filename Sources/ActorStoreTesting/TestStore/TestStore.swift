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
/// with ``receive(_:within:fileID:filePath:line:column:_:)`` and its like, in the order in which it ended: commits,
/// errors, vetoes; of a sent group, its error. A transaction is one action, whatever became of its members.
/// ``finish(within:fileID:filePath:line:column:)`` ends the test: nothing may be left running, and nothing unasserted.
/// Without it only what is unasserted when the test store goes is reported.
///
/// For Swift Testing and XCTest alike. Inside a ``Simulation`` what was found fails the run, and is thrown at the end.
/// Any number may be used in parallel; one test store is for one task.
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
  ///   - patience: How long ``receive(_:within:fileID:filePath:line:column:_:)`` and
  ///     ``finish(within:fileID:filePath:line:column:)`` wait at most if they are not told. By virtual time inside a
  ///     simulation: give more where the code under test takes longer. A dispatch waits for as long as it takes.
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
    // Where everything is to be stated, an error that nobody awaits is an event like others.
    let isStated = exhaustivity == .on
    store = Store(state, guards: guards + [recorder]) { if !isStated { $0.writeToStandardError() } }
    self.exhaustivity = exhaustivity
    self.clock = clock ?? defaultClock()
    self.patience = patience
    site = CallSite(fileID, filePath, line, column)
  }

  deinit {
    if !isFinished.isSet { reportUnasserted(at: site) }
  }

  /// The committed state.
  public nonisolated(nonsending) var state: State {
    get async { await store.state }
  }

  // MARK: Comparing

  /// Reports it when a change is not as it was stated.
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
      if expected != new { report(action(), expected, new, site) }
      return
    }
    var expected = old
    change?(&expected)
    if expected != new {
      report(action(), expected, new, site)
    } else if change != nil, expected == old {
      reporter.record("\(action()) was stated to change the state, and what was stated changes nothing.", at: site)
    }
  }

  /// Reports it when an error is not the one that was expected.
  func compare(_ action: @autoclosure () -> String, _ expected: any Error, _ error: any Error, _ site: CallSite) {
    guard let difference = Dump.difference(from: expected, to: error) else { return }
    reporter.record("\(action()) threw another error (- expected, + thrown):\n\(difference)", at: site)
  }

  private func report(_ action: String, _ expected: State, _ new: State, _ site: CallSite) {
    let difference = Dump.difference(from: expected, to: new) ?? "  (nothing that can be read)"
    reporter.record(
      "\(action) changed the state otherwise than stated (- stated, + committed):\n\(difference)", at: site)
  }

  // MARK: The end

  /// Ends the test: waits until nothing runs, closes the store, and reports what still runs or was not asserted.
  ///
  /// A group that goes on for ever, because it watches the store or a clock, has to be ended before: by its ticket's
  /// `cancel()`, or by closing the store.
  ///
  /// - Parameter limit: How long to wait at most.
  /// - Throws: Inside a simulation what this store has found wrong; elsewhere nothing, it has been reported.
  public nonisolated(nonsending) func finish(
    within limit: Duration? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async throws {
    let site = CallSite(fileID, filePath, line, column)
    isFinished.set()
    let ends = store.states(bufferingPolicy: .bufferingNewest(1))
    let hasEnded = await within(limit ?? patience, of: clock) { [recorder, store] () async -> Bool? in
      // Groups send actions, and actions groups: what they have yet to dispatch is part of the test.
      repeat {
        await recorder.waitForGroups()
        await store.waitUntilIdle()
      } while !recorder.runningGroups.isEmpty && !Task.isCancelled
      store.close()
      // A store's streams end when nothing runs any more.
      for await _ in ends {}
      return Task.isCancelled ? nil : true
    }
    if hasEnded == nil, let running {
      let when = Task.isCancelled ? "as the test is cancelled" : "at the end of the test"
      reporter.record("Something still runs \(when): \(running)", at: site)
    }
    store.close()
    reportUnasserted(at: site)
    try reporter.throwKept()
  }

  /// What still runs; nil if nothing does.
  private var running: String? {
    let groups = recorder.runningGroups.map { "group \($0)" }
    let diagnostics = store.diagnostics
    let isIdle = diagnostics.holder == nil && diagnostics.queued.isEmpty && diagnostics.overlapping.isEmpty
    let parts = groups + (isIdle ? [] : ["\(diagnostics)"])
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// Reports what nobody has asserted, once; where not everything is to be stated it is let go of.
  private func reportUnasserted(at site: CallSite) {
    for event in recorder.withEvents({ $0.takeAll() }) where exhaustivity == .on {
      switch event.end {
      case .failed(let error):
        reporter.record("\(event.action) threw \(error), and nobody asserted it.", at: site)
      case .vetoed(let veto):
        reporter.record("\(event.action) was vetoed (\(veto)), and nobody asserted it.", at: site)
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
