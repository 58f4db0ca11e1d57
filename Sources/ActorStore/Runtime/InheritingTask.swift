/// Starts an unstructured task that keeps the executor preference of its creator.
///
/// `Task {}` drops the preference (SE-0417), so work started with it would leave the executor on which a test runs the
/// library. The library creates all unstructured tasks here, or with `UnstartedTask` if they begin later. Clients use
/// `Task.inheritingExecutor`. Like `Task {}`, the task inherits task-locals and priority. Unlike `Task {}`, it inherits
/// no actor.
///
/// The library can read the preference on Linux, and starting with version 26.4 of Apple's platforms. On earlier
/// versions, the task runs as if its creator had none.
///
/// - Parameters:
///   - executor: The executor that the task prefers if its creator prefers none.
///   - operation: The operation to run.
@inlinable
package func inheritingTask<Success: Sendable>(
  preferring executor: (any TaskExecutor)? = nil,
  _ operation: @escaping @Sendable @concurrent () async -> Success
) -> Task<Success, Never> {
  // An executor may run the task inside this call.
  guard Nesting.enter() else {
    let gate = Nesting.gate()
    return preferringTask(executor) {
      await gate.pass()
      return await operation()
    }
  }
  defer { Nesting.leave() }
  return preferringTask(executor, operation)
}

@inlinable
func preferringTask<Success: Sendable>(
  _ executor: (any TaskExecutor)?,
  _ operation: @escaping @Sendable @concurrent () async -> Success
) -> Task<Success, Never> {
  // A task that was created with a preference, even `nil`, looks it up at each change of executors.
  guard let executor = currentTaskExecutor() ?? executor else { return Task(operation: operation) }
  return Task(executorPreference: executor, operation: operation)
}

/// The executor that the current task prefers.
@usableFromInline
package func currentTaskExecutor() -> (any TaskExecutor)? {
  // Safe: the code accesses the current task while it is current, and the preferred executor outlives the task.
  unsafe withUnsafeCurrentTask { task in
    guard #available(macOS 26.4, iOS 26.4, watchOS 26.4, tvOS 26.4, visionOS 26.4, *) else { return nil }
    return unsafe task?.unownedTaskExecutor?.asTaskExecutor()
  }
}

/// Starts a task like `Task.inheritingExecutor`, with fewer frames between the task and the operation if the creating
/// task prefers no executor.
package func startTask<Success: Sendable>(
  _ operation: @escaping @Sendable @concurrent () async throws -> Success
) -> Task<Success, any Error> {
  guard let (unstarted, task) = UnstartedTask.createThrowing(operation) else {
    return Task.inheritingExecutor(operation: operation)
  }
  unstarted.start()
  return task
}
