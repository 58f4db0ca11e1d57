import CurrentTask

/// Whether the current task is cancelled; false where there is none: `Task.isCancelled`, and faster.
@usableFromInline
func isCurrentTaskCancelled() -> Bool {
  current_task_is_cancelled()
}
