#ifndef RUNTIME_ENTRIES_H
#define RUNTIME_ENTRIES_H

#include <stdbool.h>
#include <stdint.h>

// The functions of Swift's runtime that the library calls. `RuntimeEntries.swift` lists their other callers and their
// rules. Nothing else in the package declares a function of the runtime, except for the simulator.
// Compilers for RISC-V know the attribute but not the calling convention.
#if __has_attribute(swiftcall) && !defined(__riscv)

extern void *_Nullable swift_task_getCurrent(void) __attribute__((swiftcall));
extern bool swift_task_isCancelled(void *_Nonnull task) __attribute__((swiftcall));

// The address of the value, or NULL if it is not bound.
extern const void *_Nullable swift_task_localValueGet(const void *_Nonnull key) __attribute__((swiftcall));
extern void swift_task_localValuePush(
  const void *_Nonnull key, void *_Nonnull value, const void *_Nonnull type) __attribute__((swiftcall));
extern void swift_task_localValuePop(void) __attribute__((swiftcall));

extern void *_Nonnull swift_task_alloc(uintptr_t size) __attribute__((swiftcall));
extern void swift_task_dealloc(void *_Nonnull place) __attribute__((swiftcall));

typedef __attribute__((swiftcall)) void cancellation_handler(__attribute__((swift_context)) void *_Nonnull context);
// Returns NULL if the task is already canceled. `swift_task_removeCancellationHandler` accepts NULL.
extern void *_Nullable swift_task_addCancellationHandler(
  cancellation_handler *_Nonnull handler, void *_Nonnull context) __attribute__((swiftcall));
extern void swift_task_removeCancellationHandler(void *_Nullable record) __attribute__((swiftcall));

// Consumes a reference to `context`, and returns a reference to the task.
struct created_task {
  void *_Nonnull task;
  void *_Nonnull frame;
};
extern struct created_task swift_task_create(
  uintptr_t flags, void *_Nullable options, const void *_Nonnull resultType, const void *_Nonnull function,
  void *_Nullable context) __attribute__((swiftcall));

#if !defined(_WIN32)
// Consumes a reference to the task. Its address is NULL if the runtime does not export it.
extern void swift_task_enqueueTaskOnExecutor(
  void *_Nonnull task, uintptr_t executor, uintptr_t implementation) __attribute__((swiftcall, weak));
#endif

/// A function to call when the current task is canceled, in the memory of that task.
struct cancellation_listener {
  void (*_Nonnull body)(const void *_Nonnull object, uint64_t number);
  const void *_Nonnull object;
  uint64_t number;
  void *_Nullable record;
};

static __attribute__((swiftcall)) void cancellation_listener_run(
  __attribute__((swift_context)) void *_Nonnull context) {
  struct cancellation_listener *listener = (struct cancellation_listener *)context;
  listener->body(listener->object, listener->number);
}

/// Calls a function when the current task is canceled, until the result is removed.
///
/// If the task is already canceled, the call is immediate.
static inline struct cancellation_listener *_Nonnull cancellation_listener_add(
  void (*_Nonnull body)(const void *_Nonnull object, uint64_t number), const void *_Nonnull object, uint64_t number) {
  struct cancellation_listener *listener =
    (struct cancellation_listener *)swift_task_alloc(sizeof(struct cancellation_listener));
  listener->body = body;
  listener->object = object;
  listener->number = number;
  listener->record = swift_task_addCancellationHandler(cancellation_listener_run, listener);
  return listener;
}

/// Removes a listener and frees its memory.
static inline void cancellation_listener_remove(struct cancellation_listener *_Nonnull listener) {
  swift_task_removeCancellationHandler(listener->record);
  swift_task_dealloc(listener);
}

/// Whether tasks can be created without being started.
static inline bool unstarted_task_is_possible(void) {
#if defined(_WIN32)
  return false;
#else
  return swift_task_enqueueTaskOnExecutor != 0;
#endif
}

/// Creates a task without starting it, with its creator's task-locals and priority.
static inline void *_Nonnull unstarted_task_create(
  const void *_Nonnull resultType, const void *_Nonnull function, void *_Nullable context) {
  const uintptr_t Task_CopyTaskLocals = 1 << 10, Task_InheritContext = 1 << 11;
  return swift_task_create(Task_CopyTaskLocals | Task_InheritContext, 0, resultType, function, context).task;
}

/// Starts a task that prefers no executor.
static inline void unstarted_task_start(void *_Nonnull task) {
#if !defined(_WIN32)
  swift_task_enqueueTaskOnExecutor(task, 0, 0);
#endif
}

#endif

#endif
