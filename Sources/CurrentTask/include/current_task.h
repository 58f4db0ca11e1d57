#ifndef CURRENT_TASK_H
#define CURRENT_TASK_H

#include <stdbool.h>
#include <stdint.h>

// Declares the runtime's entry points only for verified configurations. See RuntimeShortcuts.swift.
#if defined(__linux__) && defined(__GLIBC__) && defined(__x86_64__)

// MARK: Cancellation

// The code of `Task.isCancelled` calls these two functions.
extern void *_Nullable swift_task_getCurrent(void) __attribute__((swiftcall));
extern bool swift_task_isCancelled(void *_Nonnull task) __attribute__((swiftcall));

// MARK: Task-locals

// `TaskLocal.get` calls the first function. `TaskLocal.withValue` calls the others, from code that is inlined into
// clients.
extern const void *_Nullable swift_task_localValueGet(const void *_Nonnull key) __attribute__((swiftcall));
extern void swift_task_localValuePush(
  const void *_Nonnull key, void *_Nonnull value, const void *_Nonnull type) __attribute__((swiftcall));
extern void swift_task_localValuePop(void) __attribute__((swiftcall));

/// The address of a task-local's value, which is valid until the value is popped, or NULL if there is none.
static inline const void *_Nullable current_task_local(const void *_Nonnull key) {
  return swift_task_localValueGet(key);
}

/// Binds a task-local to a value in the current task until `current_task_pop`.
///
/// Moves the value from its address.
static inline void current_task_push(const void *_Nonnull key, void *_Nonnull value, const void *_Nonnull type) {
  swift_task_localValuePush(key, value, type);
}

/// Removes the value that was pushed last.
static inline void current_task_pop(void) { swift_task_localValuePop(); }

// MARK: Cancellation handlers

// Compiled code calls these functions around each call to an async function, for its frame. They manage the memory of
// the current task, which must be freed in reverse order of allocation.
extern void *_Nonnull swift_task_alloc(uintptr_t size) __attribute__((swiftcall));
extern void swift_task_dealloc(void *_Nonnull place) __attribute__((swiftcall));

/// A function to call when the current task is canceled, stored in the memory of that task.
struct current_task_cancellation {
  void (*_Nonnull body)(const void *_Nonnull object, uint64_t number);
  const void *_Nonnull object;
  uint64_t number;
  /// The runtime's record, or NULL if the task was already canceled.
  void *_Nullable record;
};

typedef __attribute__((swiftcall)) void current_task_handler(__attribute__((swift_context)) void *_Nonnull context);

static __attribute__((swiftcall)) void current_task_run_cancellation(
  __attribute__((swift_context)) void *_Nonnull context) {
  struct current_task_cancellation *cancellation = (struct current_task_cancellation *)context;
  cancellation->body(cancellation->object, cancellation->number);
}

// `withTaskCancellationHandler` calls these functions before and after its operation. The first returns NULL if the
// task is already canceled. The second accepts either result.
extern void *_Nullable swift_task_addCancellationHandler(
  current_task_handler *_Nonnull handler, void *_Nonnull context) __attribute__((swiftcall));
extern void swift_task_removeCancellationHandler(void *_Nullable record) __attribute__((swiftcall));

/// Calls a function when the current task is canceled, until the result is removed.
///
/// If the task is already canceled, the call is immediate.
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

/// Removes a cancellation function and frees its memory.
static inline void current_task_remove_cancellation(struct current_task_cancellation *_Nonnull cancellation) {
  swift_task_removeCancellationHandler(cancellation->record);
  swift_task_dealloc(cancellation);
}

#endif

#endif
