/// Starts an unstructured task that keeps the executor preference of its creator.
///
/// `Task {}` drops the preference (SE-0417), so work started with it would leave the executor a test runs the library
/// on. Every unstructured task of the library is made here. Like `Task {}` it inherits task-locals and priority; unlike
/// it, no actor.
///
/// What is going to wait at once anyway may begin on the caller's thread, up to there: it is not scheduled twice. After
/// its wait it has to call `leaveBeginning`.
///
/// The preference can be read from systems of 2026 on; where it cannot, the task runs as if its creator had none.
@inlinable
func inheritingTask<Success: Sendable>(
  beginningHere: Bool = false,
  _ operation: @escaping @Sendable @concurrent () async -> Success
) -> Task<Success, Never> {
  let executor = currentTaskExecutor()
  if beginningHere, #available(macOS 26.0, iOS 26.0, watchOS 26.0, tvOS 26.0, visionOS 26.0, *) {
    return beginningTask { .immediate(executorPreference: executor, operation: operation) }
  }
  // A task that was made with a preference, even with none, looks for it at each change of executor.
  if let executor { return Task(executorPreference: executor, operation: operation) }
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
