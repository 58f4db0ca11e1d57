#ifndef CURRENT_TASK_H
#define CURRENT_TASK_H

#include <stdbool.h>

// Two entry points of Swift's runtime, stable since it has tasks: the code of `Task.isCancelled` calls them too.
extern void *_Nullable swift_task_getCurrent(void) __attribute__((swiftcall));
extern bool swift_task_isCancelled(void *_Nonnull task) __attribute__((swiftcall));

/// Whether the current task is cancelled; false where there is none.
///
/// What `Task.isCancelled` says, without the retain and release of the task that it takes to say it, which cost a third
/// of an uncontended dispatch. The current task lives for as long as code runs in it.
static inline bool current_task_is_cancelled(void) {
  void *task = swift_task_getCurrent();
  return task && swift_task_isCancelled(task);
}

// What `TaskLocal.withValue` calls, from code that is compiled into its users' programs, before and after what it runs.
extern void swift_task_localValuePush(
  const void *_Nonnull key, void *_Nonnull value, const void *_Nonnull type) __attribute__((swiftcall));
extern void swift_task_localValuePop(void) __attribute__((swiftcall));

/// Gives a task-local a value in the current task until `current_task_pop`: the value is moved from where it is.
static inline void current_task_push(const void *_Nonnull key, void *_Nonnull value, const void *_Nonnull type) {
  swift_task_localValuePush(key, value, type);
}

/// Takes back the value that was pushed last.
static inline void current_task_pop(void) { swift_task_localValuePop(); }

/// Tells the processor that the thread looks for something that another is about to do.
static inline void spin_hint(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
  __asm__ __volatile__("yield");
#endif
}

#endif
