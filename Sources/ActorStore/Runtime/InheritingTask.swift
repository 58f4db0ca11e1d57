/// Starts an unstructured task that keeps the executor preference of its creator.
///
/// `Task {}` drops the preference (SE-0417), so work started with it would leave the executor a test runs the library
/// on. Every unstructured task of the library is made here, or by `UnstartedTask` if it is to begin later. Like `Task {}` it
/// inherits task-locals and priority; unlike it, no actor.
///
/// The preference can be read from systems of 2026 on; where it cannot, the task runs as if its creator had none.
@inlinable
func inheritingTask<Success: Sendable>(
  _ operation: @escaping @Sendable @concurrent () async -> Success
) -> Task<Success, Never> {
  // An executor may run the task inside this call.
  guard Nesting.enter() else {
    return preferringTask {
      await Nesting.leaveTheStack()
      return await operation()
    }
  }
  defer { Nesting.leave() }
  return preferringTask(operation)
}

@inlinable
func preferringTask<Success: Sendable>(
  _ operation: @escaping @Sendable @concurrent () async -> Success
) -> Task<Success, Never> {
  // A task that was made with a preference, even with none, looks for it at each change of executor.
  if let executor = currentTaskExecutor() { return Task(executorPreference: executor, operation: operation) }
  return Task(operation: operation)
}

/// The executor that the current task prefers.
@usableFromInline
package func currentTaskExecutor() -> (any TaskExecutor)? {
  // Safe: the task is looked at while it is the current one, and the executor it prefers outlives it.
  unsafe withUnsafeCurrentTask { task in
    guard #available(macOS 26.4, iOS 26.4, watchOS 26.4, tvOS 26.4, visionOS 26.4, *) else { return nil }
    return unsafe task?.unownedTaskExecutor?.asTaskExecutor()
  }
}
