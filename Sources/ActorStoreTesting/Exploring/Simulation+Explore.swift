import ActorStore

extension Simulation {
  /// Runs a body under many schedules, and throws the first failure.
  ///
  /// Use it in tests of Swift Testing and XCTest. It runs on the calling thread, regardless of other threads. It runs
  /// some schedules twice, to verify that the body depends on nothing but the schedule.
  ///
  /// The body runs once for each schedule. It must create everything it uses, above all stores. State your expectations
  /// by throwing (``expect(_:_:fileID:line:)``). `#expect` and `XCTAssert` would report a failure for each schedule,
  /// and would not make the run replayable.
  ///
  /// If the calling task is canceled, the method stops after the current schedule and returns the result so far. A body
  /// that blocks its thread blocks the call. A task that never suspends cannot be stopped.
  ///
  /// - Parameters:
  ///   - strategy: The schedules to run. The default alternates between random and priority-based ones, and is always
  ///     the same.
  ///   - schedules: The maximum number of schedules. The default is 1,000, or a million for an exhaustive search. The
  ///     run that estimates the length for priorities is extra.
  ///   - maxSteps: The number of steps after which to abandon a run.
  ///   - body: A closure or function that throws if something is wrong.
  /// - Returns: The number of schedules and steps that ran.
  /// - Throws: The first failure, minimized. Its description is a report.
  @discardableResult
  public static func explore(
    _ strategy: Strategy = .mixed(seed: 0),
    schedules: Int? = nil,
    maxSteps: Int = 100_000,
    // Without `@concurrent`, the compiler (6.3.1) crashes on synchronous functions.
    body: @escaping @Sendable @concurrent () async throws -> Void
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

  /// Starts an unstructured task in a test that stays inside the simulation.
  ///
  /// Outside of a simulation, the task runs on the executor that its creator prefers. In the code that you test, use
  /// `Task.inheritingExecutor` of `ActorStore` instead. A bare `Task {}` drops its creator's executor preference, and
  /// so leaves the simulation.
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
