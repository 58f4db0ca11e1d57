import CurrentTask

/// Whether the current task is cancelled; false where there is none: `Task.isCancelled`, and faster.
@usableFromInline
func isCurrentTaskCancelled() -> Bool {
  current_task_is_cancelled()
}

/// Gives a task-local a value in the current task, until `popTaskLocal`: the two halves of `withValue`.
func pushTaskLocal<Value: Sendable>(_ taskLocal: TaskLocal<Value>, _ value: Value) {
  unsafe withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { place in
    unsafe place.initializeElement(at: 0, to: value)
    unsafe current_task_push(
      Unmanaged.passUnretained(taskLocal).toOpaque(), place.baseAddress!,
      unsafeBitCast(Value.self as Any.Type, to: UnsafeRawPointer.self))
  }
}

func popTaskLocal() {
  current_task_pop()
}

/// Begins a task on the thread of who makes it, with `begin`.
@usableFromInline
func beginningTask<Result>(_ begin: () -> Result) -> Result {
  current_thread_begins_task()
  defer { current_thread_has_begun_task() }
  return begin()
}

/// Leaves the thread of who made the current task, if that is still in the call that makes it.
///
/// A task that is resumed before it has suspended goes on where it is, and that can happen to a yield too. It happens
/// each time with an executor that runs what it gets inside `enqueue`: who chose that gets what was asked for.
@inline(never)
func leaveBeginning() async {
  for _ in 0..<1_000 where current_thread_is_beginning_task() { await Task.yield() }
}
