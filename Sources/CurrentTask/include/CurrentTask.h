#ifndef CURRENT_TASK_H
#define CURRENT_TASK_H

#include <stdbool.h>
#include <stdint.h>

// Entry points of Swift's runtime, stable since it has tasks: the code of `Task.isCancelled` calls these two.
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

/// What is to be done when a task is cancelled.
struct current_task_cancellation {
  void (*_Nonnull body)(const void *_Nonnull object, uint64_t number);
  const void *_Nonnull object;
  uint64_t number;
};

typedef __attribute__((swiftcall)) void current_task_handler(__attribute__((swift_context)) void *_Nonnull context);

static __attribute__((swiftcall)) void current_task_run_cancellation(
  __attribute__((swift_context)) void *_Nonnull context) {
  struct current_task_cancellation *cancellation = (struct current_task_cancellation *)context;
  cancellation->body(cancellation->object, cancellation->number);
}

// What `withTaskCancellationHandler` calls before and after what it runs. The first returns NULL where the task is
// cancelled already, and the second wants to have it as it is.
extern void *_Nullable swift_task_addCancellationHandler(
  current_task_handler *_Nonnull handler, void *_Nonnull context) __attribute__((swiftcall));
extern void swift_task_removeCancellationHandler(void *_Nullable record) __attribute__((swiftcall));

/// Does something when the current task is cancelled, at once if it is already; until what is returned is removed.
static inline void *_Nullable current_task_add_cancellation(struct current_task_cancellation *_Nonnull cancellation) {
  return swift_task_addCancellationHandler(current_task_run_cancellation, cancellation);
}

static inline void current_task_remove_cancellation(void *_Nullable record) {
  swift_task_removeCancellationHandler(record);
}

/// Tells the processor that the thread looks for something that another is about to do.
static inline void spin_hint(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
  __asm__ __volatile__("yield");
#endif
}

#endif
