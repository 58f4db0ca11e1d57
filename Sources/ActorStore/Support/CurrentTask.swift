import CurrentTask

/// Whether the current task is cancelled; false where there is none: `Task.isCancelled`, and faster.
@usableFromInline
func isCurrentTaskCancelled() -> Bool {
  current_task_is_cancelled()
}

/// What `TaskLocal.get` returns, but nil for the default: `get` is compiled for no particular type, this is one call and
/// a load.
@inline(__always)
func taskLocalValue<Value: BitwiseCopyable & Sendable>(_ taskLocal: TaskLocal<Value>) -> Value? {
  unsafe current_task_local(Unmanaged.passUnretained(taskLocal).toOpaque())?.load(as: Value.self)
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
