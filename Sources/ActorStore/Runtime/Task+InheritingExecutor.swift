extension Task where Failure == Never {
  /// Starts an unstructured task that keeps its creator's executor preference.
  ///
  /// `Task {}` drops that preference (SE-0417). So a test that runs your code on an executor of its own, such as
  /// `Simulation.explore` in `ActorStoreTesting`, loses control of the task. A task that you start with this method
  /// stays on the test's executor. Like `Task {}`, it inherits the creator's priority and task-locals, so actions that
  /// it dispatches remain nested in the action that created it (see <doc:Waiting>).
  ///
  /// ```swift
  /// Task.inheritingExecutor { await cache.refresh() }
  /// ```
  ///
  /// Unlike `Task {}`, it does not inherit the creator's actor, and its closure must be sendable and name `self`
  /// explicitly. If the creator prefers no executor, the task runs on the default one. A task can read its executor
  /// preference on Linux, and starting with version 26.4 of Apple's platforms. On earlier versions, the method behaves
  /// like `Task {}` without an actor.
  ///
  /// - Parameters:
  ///   - name: The name of the task, for debuggers and reports. Versions of Apple's platforms before 26 ignore it.
  ///   - priority: The priority of the task, or `nil` for the creator's.
  ///   - operation: The operation to run.
  /// - Returns: The task. You do not have to keep it.
  @discardableResult
  public static func inheritingExecutor(
    name: String? = nil,
    priority: TaskPriority? = nil,
    operation: @escaping @Sendable @concurrent () async -> Success
  ) -> Task<Success, Never> {
    // An executor may run the task inside this call.
    guard Nesting.enter() else {
      let gate = Nesting.gate()
      return preferring(name, priority) {
        await gate.pass()
        return await operation()
      }
    }
    defer { Nesting.leave() }
    return preferring(name, priority, operation)
  }

  private static func preferring(
    _ name: String?,
    _ priority: TaskPriority?,
    _ operation: @escaping @Sendable @concurrent () async -> Success
  ) -> Task<Success, Never> {
    // See `preferringTask`.
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
      guard let executor = currentTaskExecutor() else { return Task(priority: priority, operation: operation) }
      return Task(executorPreference: executor, priority: priority, operation: operation)
    }
    guard let executor = currentTaskExecutor() else {
      return Task(name: name, priority: priority, operation: operation)
    }
    return Task(name: name, executorPreference: executor, priority: priority, operation: operation)
  }
}

extension Task where Failure == any Error {
  /// Starts an unstructured task that can fail and keeps its creator's executor preference.
  ///
  /// It works like the method of the same name for operations that cannot fail.
  @discardableResult
  public static func inheritingExecutor(
    name: String? = nil,
    priority: TaskPriority? = nil,
    operation: @escaping @Sendable @concurrent () async throws -> Success
  ) -> Task<Success, any Error> {
    // An executor may run the task inside this call.
    guard Nesting.enter() else {
      let gate = Nesting.gate()
      return preferring(name, priority) {
        await gate.pass()
        return try await operation()
      }
    }
    defer { Nesting.leave() }
    return preferring(name, priority, operation)
  }

  private static func preferring(
    _ name: String?,
    _ priority: TaskPriority?,
    _ operation: @escaping @Sendable @concurrent () async throws -> Success
  ) -> Task<Success, any Error> {
    // See `preferringTask`.
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
      guard let executor = currentTaskExecutor() else { return Task(priority: priority, operation: operation) }
      return Task(executorPreference: executor, priority: priority, operation: operation)
    }
    guard let executor = currentTaskExecutor() else {
      return Task(name: name, priority: priority, operation: operation)
    }
    return Task(name: name, executorPreference: executor, priority: priority, operation: operation)
  }
}
