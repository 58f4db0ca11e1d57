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
