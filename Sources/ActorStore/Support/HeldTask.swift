import CurrentTask

/// An unstructured task that has been created and not been started.
///
/// It has its creator's task-locals and priority, as one of `inheritingTask` has, and takes about a third of the memory
/// of a task that has started and waits. It has to be started exactly once, whatever happens, or what its operation
/// holds is never released.
///
/// The invariants that make it right:
/// - A closure is two words, its function and its context. As one that can throw, in the form for any `Success`, it is
///   what the runtime calls.
/// - The reference that the memory has to the context goes over to the task.
/// - The one reference to the task that creating it returns is that of its own execution, which `start` gives away.
/// - A `Task` is a reference to a task: here a second one.
@safe struct HeldTask: @unchecked Sendable {
  private let task: UnsafeMutableRawPointer

  /// Nil where the caller is to start a task at once: on systems where this has not been tried, and for a creator that
  /// prefers an executor, of which the task would not know.
  @inline(never)
  static func create<Success: Sendable>(
    _ operation: @escaping @Sendable @concurrent () async -> Success
  ) -> (held: HeldTask, handle: Task<Success, Never>)? {
    guard held_task_is_possible(), currentTaskExecutor() == nil else { return nil }
    let task = unsafe withUnsafeTemporaryAllocation(of: Body<Success>.self, capacity: 1) { body in
      unsafe body.initializeElement(at: 0, to: Body(run: operation))
      let words = UnsafeRawBufferPointer(body)
      return unsafe held_task_create(
        unsafeBitCast(Success.self as Any.Type, to: UnsafeRawPointer.self),
        words.load(as: UnsafeRawPointer.self),
        words.load(fromByteOffset: MemoryLayout<UnsafeRawPointer>.stride, as: UnsafeMutableRawPointer?.self))
    }
    return unsafe (HeldTask(task: task), unsafeBitCast(task, to: Task<Success, Never>.self))
  }

  /// Keeps the form that a closure has for any `Success`; in memory of its own type it would get another.
  private struct Body<Success: Sendable> {
    let run: @Sendable @concurrent () async throws -> Success
  }

  func start() {
    guard Nesting.enter() else {
      return Nesting.putOff { [self] in unsafe held_task_start(task) }
    }
    unsafe held_task_start(task)
    Nesting.leave()
  }
}
