import ActorStore

extension Simulation {
  /// Runs a body under many schedules, and throws the first failure.
  ///
  /// Use it in tests of Swift Testing and XCTest. It blocks the calling thread, and explorations on other threads do
  /// not affect it. It runs some schedules twice, to detect a body that depends on more than the schedule.
  ///
  /// The body runs once for each schedule. It must create everything it uses, above all stores. State your expectations
  /// by throwing (``expect(_:_:fileID:line:)``). `#expect` and `XCTAssert` do not fail the run. So they report a
  /// failure for each failing schedule, but no schedule to replay.
  ///
  /// If the calling task is canceled, the method stops after the current schedule and returns the result so far. A body
  /// that blocks its thread blocks the call. A task that never suspends cannot be stopped.
  ///
  /// - Parameters:
  ///   - strategy: The schedules to run. The default mixes random and priority-based ones, and is the same in each
  ///     run of the test.
  ///   - schedules: The maximum number of schedules. The default is 1,000, or a million for an exhaustive search. The
  ///     maximum includes neither the run that estimates the length for priorities nor repeated runs.
  ///   - maxSteps: The maximum number of steps in a run. A run that reaches it fails with ``Verdict/stepLimit``.
  ///   - timers: How many timers can fire in each schedule while other tasks are ready.
  ///   - body: A closure or function that throws if something is wrong.
  /// - Returns: The number of schedules and steps that ran.
  /// - Throws: The first failure, minimized if possible. Its description is a report.
  @discardableResult
  public static func explore(
    _ strategy: Strategy = .mixed(seed: 0),
    schedules: Int? = nil,
    maxSteps: Int = 100_000,
    timers: Timers = .race(upTo: 1),
    // Without `@concurrent`, the compiler (6.3.1) crashes on synchronous functions.
    body: @escaping @Sendable @concurrent () async throws -> Void
  ) throws(Failure) -> Exploration {
    if let schedules, schedules < 1 {
      fatalError("ActorStoreTesting: `schedules` is less than 1, so nothing runs. Pass 1 or more.")
    }
    if maxSteps < 1 { fatalError("ActorStoreTesting: `maxSteps` is less than 1, so nothing runs. Pass 1 or more.") }
    let explorer = Explorer(strategy: strategy, limit: schedules, maxSteps: maxSteps, timers: timers, body: body)
    return try explorer.explore()
  }

  /// Throws an error unless a condition holds.
  ///
  /// - Parameters:
  ///   - condition: The condition to check.
  ///   - message: A description of the failure. It is evaluated only if the condition is `false`.
  ///   - fileID: The file of the call, for the location in the error.
  ///   - line: The line of the call, for the location in the error.
  /// - Throws: ``ExpectationFailed`` if the condition is `false`.
  public static func expect(
    _ condition: Bool,
    _ message: @autoclosure () -> String = "",
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) throws(ExpectationFailed) {
    if !condition { throw ExpectationFailed(message: message(), location: "\(fileID):\(line)") }
  }

  /// Adds a line to the current task's lane in the report.
  ///
  /// The text is evaluated only while a failed run is recorded for its report. Otherwise, the call costs next to
  /// nothing.
  ///
  /// - Parameter text: The text of the line.
  public static func note(_ text: @autoclosure () -> String) {
    SwiftRuntime.current?.note(text)
  }

  /// Lets another task run, at a point in synchronous code at which another thread could act.
  ///
  /// The simulation switches tasks where they suspend, and at each call to a store or an atom. It does not see other
  /// memory that threads share. Call this function before each access to such memory, for example before locking a
  /// `Mutex` or changing an atomic. Do not call it while you hold a lock, because the task that runs next may wait for
  /// that lock.
  ///
  /// Outside of a simulation, it does nothing.
  public static func point() {
    SwiftRuntime.current?.pointOfUser()
  }

  /// Starts an unstructured task in a test that stays inside the simulation.
  ///
  /// Outside of a simulation, the task runs on the executor that its creator prefers. In the code that you test, use
  /// `Task.inheritingExecutor` of `ActorStore` instead. A bare `Task {}` drops its creator's executor preference, and
  /// so leaves the simulation.
  ///
  /// - Parameters:
  ///   - name: The name of the task, which reports show. Systems older than macOS 26, iOS 26, tvOS 26, watchOS 26, and
  ///     visionOS 26 ignore it.
  ///   - priority: The priority of the task, or `nil` for its creator's priority.
  ///   - operation: The operation to perform.
  /// - Returns: The task.
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

  /// Starts an unstructured task that can fail, in a test that stays inside the simulation.
  ///
  /// Outside of a simulation, the task runs on the executor that its creator prefers.
  ///
  /// - Parameters:
  ///   - name: The name of the task, which reports show. Systems older than macOS 26, iOS 26, tvOS 26, watchOS 26, and
  ///     visionOS 26 ignore it.
  ///   - priority: The priority of the task, or `nil` for its creator's priority.
  ///   - operation: The operation to perform.
  /// - Returns: The task.
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
