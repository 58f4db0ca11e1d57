#ifndef CURRENT_TASK_H
#define CURRENT_TASK_H

#include <stdbool.h>
#include <stdint.h>

#include "Nesting.h"

// Only what was verified declares the runtime's entry points: see RuntimeShortcuts.swift.
#if defined(__linux__) && defined(__GLIBC__) && defined(__x86_64__)

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

// What `TaskLocal.get` calls, and `TaskLocal.withValue` before and after what it runs: from code that is compiled into
// their users' programs.
extern const void *_Nullable swift_task_localValueGet(const void *_Nonnull key) __attribute__((swiftcall));
extern void swift_task_localValuePush(
  const void *_Nonnull key, void *_Nonnull value, const void *_Nonnull type) __attribute__((swiftcall));
extern void swift_task_localValuePop(void) __attribute__((swiftcall));

/// Where the value of a task-local is, until it is popped; NULL where it has none.
static inline const void *_Nullable current_task_local(const void *_Nonnull key) {
  return swift_task_localValueGet(key);
}

/// Gives a task-local a value in the current task until `current_task_pop`: the value is moved from where it is.
static inline void current_task_push(const void *_Nonnull key, void *_Nonnull value, const void *_Nonnull type) {
  swift_task_localValuePush(key, value, type);
}

/// Takes back the value that was pushed last.
static inline void current_task_pop(void) { swift_task_localValuePop(); }

// What compiled code calls around each call of an async function, for its frame: memory of the current task, given back
// in the reverse order.
extern void *_Nonnull swift_task_alloc(uintptr_t size) __attribute__((swiftcall));
extern void swift_task_dealloc(void *_Nonnull place) __attribute__((swiftcall));

/// What is to be done when the current task is cancelled; it lies in the memory of that task.
struct current_task_cancellation {
  void (*_Nonnull body)(const void *_Nonnull object, uint64_t number);
  const void *_Nonnull object;
  uint64_t number;
  /// None where the task was cancelled already.
  void *_Nullable record;
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
static inline struct current_task_cancellation *_Nonnull current_task_add_cancellation(
  void (*_Nonnull body)(const void *_Nonnull object, uint64_t number), const void *_Nonnull object, uint64_t number) {
  struct current_task_cancellation *cancellation =
    (struct current_task_cancellation *)swift_task_alloc(sizeof(struct current_task_cancellation));
  cancellation->body = body;
  cancellation->object = object;
  cancellation->number = number;
  cancellation->record = swift_task_addCancellationHandler(current_task_run_cancellation, cancellation);
  return cancellation;
}

static inline void current_task_remove_cancellation(struct current_task_cancellation *_Nonnull cancellation) {
  swift_task_removeCancellationHandler(cancellation->record);
  swift_task_dealloc(cancellation);
}

// What `Task.init` calls: creates a task, and with these flags (of the runtime's TaskCreateFlags) gives it the creator's
// task-locals and priority without enqueuing it. It takes over a reference to `context`, and returns one to the task.
struct unstarted_task_created {
  void *_Nonnull task;
  void *_Nonnull frame;
};
extern struct unstarted_task_created swift_task_create(
  uintptr_t flags, void *_Nullable options, const void *_Nonnull resultType, const void *_Nonnull function,
  void *_Nullable context) __attribute__((swiftcall));
// What `swift_task_create` calls with one flag more, with the priority that the task has by then: exported, though
// compiled code does not call it itself. It takes over a reference to the task.
extern void swift_task_enqueueTaskOnExecutor(
  void *_Nonnull task, uintptr_t executor, uintptr_t implementation) __attribute__((swiftcall));

static inline void *_Nonnull unstarted_task_create(
  const void *_Nonnull resultType, const void *_Nonnull function, void *_Nullable context) {
  const uintptr_t Task_CopyTaskLocals = 1 << 10, Task_InheritContext = 1 << 11;
  return swift_task_create(Task_CopyTaskLocals | Task_InheritContext, 0, resultType, function, context).task;
}

/// Starts a task that prefers no executor.
static inline void unstarted_task_start(void *_Nonnull task) { swift_task_enqueueTaskOnExecutor(task, 0, 0); }

#endif

/// Tells the processor that the thread looks for something that another is about to do.
static inline void spin_hint(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
  __asm__ __volatile__("yield");
#endif
}

#endif
