import ActorStore

/// Runs code under many schedules on one thread, and reports the first under which it goes wrong.
///
/// ```swift
/// @Test func transfersKeepTheTotal() throws {
///   try Simulation.explore {
///     let bank = Store(Bank())
///     await withTaskGroup { group in
///       for _ in 0..<3 { group.addTask { await bank.dispatch(Transfer()) } }
///     }
///     try Simulation.expect(await bank.state.total == 100, "money was lost")
///   }
/// }
/// ```
///
/// Which task runs next is chosen at each suspension, from a seed: the same seed makes the same run. A deadlock is
/// proven, not timed out. It sees what goes wrong between suspensions, not races of two threads inside a lock.
/// Stores need no change, and neither does other code, as long as it stays inside: see <doc:FindingTheSchedule>.
public enum Simulation {
  /// Runs `body` under many schedules.
  ///
  /// For tests of Swift Testing and XCTest alike: what goes wrong is thrown. It runs on the calling thread, and does not
  /// mind what runs on others. Some schedules are run twice, to see that the body depends on nothing else.
  ///
  /// When the calling task is cancelled it stops after the schedule at hand and returns what was run. A body that blocks
  /// its thread blocks the call; a task that never suspends cannot be stopped.
  ///
  /// The body is run once for each schedule and must make all it uses, stores above all. Say what you expect by throwing
  /// (``expect(_:_:fileID:line:)``): `#expect` and `XCTAssert` would be noted once for each schedule, and not replayed.
  ///
  /// - Parameters:
  ///   - strategy: Which schedules; by default random and priority-based ones in turns, always the same.
  ///   - schedules: How many at most; by default 1,000, and for an exhaustive search a million. The one run that
  ///     estimates the length for priorities comes on top.
  ///   - maxSteps: After how many steps a run is given up.
  ///   - body: What is run. It throws when something is wrong.
  /// - Returns: What was run, when nothing went wrong.
  /// - Throws: The first failure, made as simple as can be; its description is a report.
  @discardableResult
  public static func explore(
    _ strategy: Strategy = .mixed(seed: 0),
    schedules: Int? = nil,
    maxSteps: Int = 100_000,
    _ body: @escaping @Sendable () async throws -> Void
  ) throws(Failure) -> Exploration {
    precondition(schedules ?? 1 > 0, "ActorStoreTesting: exploring no schedule shows nothing; ask for at least one.")
    precondition(maxSteps > 0, "ActorStoreTesting: a run without a step shows nothing; allow at least one.")
    let explorer = Explorer(strategy: strategy, limit: schedules, maxSteps: maxSteps, body: body)
    return try explorer.explore()
  }

  /// Throws ``ExpectationFailed`` unless the condition holds.
  public static func expect(
    _ condition: Bool,
    _ message: @autoclosure () -> String = "",
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) throws(ExpectationFailed) {
    if !condition { throw ExpectationFailed(message: message(), location: "\(fileID):\(line)") }
  }

  /// Writes a line into the lane of the current task, to be seen when this run is reported.
  ///
  /// Costs next to nothing in a run that is not, and outside of simulations: `text` is not evaluated then.
  public static func note(_ text: @autoclosure () -> String) {
    SwiftRuntime.current?.note(text)
  }

  /// Starts an unstructured task that stays inside the simulation; outside of one, on the executor its creator prefers.
  ///
  /// What `Task {}` is elsewhere: a bare one leaves the simulation, because it drops the executor of its creator.
  @discardableResult
  public static func task<Success: Sendable>(
    name: String? = nil,
    priority: TaskPriority? = nil,
    _ operation: @escaping @Sendable () async -> Success
  ) -> Task<Success, Never> {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      Task(
        name: name, executorPreference: SwiftRuntime.current ?? currentTaskExecutor(), priority: priority,
        operation: operation)
    } else {
      Task(executorPreference: SwiftRuntime.current ?? currentTaskExecutor(), priority: priority, operation: operation)
    }
  }

  /// Starts an unstructured task that can fail and stays inside the simulation.
  @discardableResult
  public static func task<Success: Sendable>(
    name: String? = nil,
    priority: TaskPriority? = nil,
    _ operation: @escaping @Sendable () async throws -> Success
  ) -> Task<Success, any Error> {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      Task(
        name: name, executorPreference: SwiftRuntime.current ?? currentTaskExecutor(), priority: priority,
        operation: operation)
    } else {
      Task(executorPreference: SwiftRuntime.current ?? currentTaskExecutor(), priority: priority, operation: operation)
    }
  }

  /// Whether the current code runs inside a simulation.
  public static var isRunning: Bool { SwiftRuntime.current != nil }
}
