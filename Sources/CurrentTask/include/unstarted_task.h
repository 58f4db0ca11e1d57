#ifndef UNSTARTED_TASK_H
#define UNSTARTED_TASK_H

#include <stdbool.h>
#include <stdint.h>

// Declares the runtime's entry points only for verified configurations. See RuntimeShortcuts.swift.
#if defined(__linux__) && defined(__GLIBC__) && defined(__x86_64__)

// `Task.init` calls this function, which creates a task. With the flags below (of the runtime's TaskCreateFlags), the
// task gets its creator's task-locals and priority, and is not enqueued. The function consumes a reference to `context`
// and returns a reference to the task.
struct unstarted_task_created {
  void *_Nonnull task;
  void *_Nonnull frame;
};
extern struct unstarted_task_created swift_task_create(
  uintptr_t flags, void *_Nullable options, const void *_Nonnull resultType, const void *_Nonnull function,
  void *_Nullable context) __attribute__((swiftcall));
// If another flag is set, `swift_task_create` calls this function, with the priority that the task has by then. The
// runtime exports it, although compiled code does not call it. It consumes a reference to the task.
extern void swift_task_enqueueTaskOnExecutor(
  void *_Nonnull task, uintptr_t executor, uintptr_t implementation) __attribute__((swiftcall));

// `UnsafeCurrentTask.unownedTaskExecutor` calls this function. The function returns zeros if there is no current task,
// or if the current task prefers no executor.
struct preferred_executor {
  void *_Nullable identity;
  uintptr_t implementation;
};
extern struct preferred_executor swift_task_getPreferredTaskExecutor(void) __attribute__((swiftcall));

/// Whether the current task prefers an executor.
static inline bool current_task_prefers_executor(void) { return swift_task_getPreferredTaskExecutor().identity; }

/// Creates a task without starting it.
static inline void *_Nonnull unstarted_task_create(
  const void *_Nonnull resultType, const void *_Nonnull function, void *_Nullable context) {
  const uintptr_t Task_CopyTaskLocals = 1 << 10, Task_InheritContext = 1 << 11;
  return swift_task_create(Task_CopyTaskLocals | Task_InheritContext, 0, resultType, function, context).task;
}

/// Starts a task that prefers no executor.
static inline void unstarted_task_start(void *_Nonnull task) { swift_task_enqueueTaskOnExecutor(task, 0, 0); }

#endif

#endif
