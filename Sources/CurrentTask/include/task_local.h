#ifndef TASK_LOCAL_H
#define TASK_LOCAL_H

#include <stdbool.h>
#include <stdint.h>

#include "current_task.h"

// Declares the runtime's entry points only for verified configurations. See RuntimeShortcuts.swift.
#if defined(__linux__) && defined(__GLIBC__) && defined(__x86_64__)

/// A binding of a task-local, as the runtime stores it in the memory of the task. The value follows.
struct task_local_item {
  /// The next outer item. The three low bits contain the kind of this item, which is 0 for a value that was pushed
  /// outside the body of a task group.
  uintptr_t next;
  const void *_Nonnull key;
  const void *_Nonnull type;
};

/// Whether the runtime stores task-locals as these declarations say.
enum task_local_layout { task_local_layout_unknown, task_local_layout_known, task_local_layout_different };

/// The result of the verification, or unknown before the first push.
///
/// Threads that verify at the same time store the same result, so relaxed access is sufficient. All values that are
/// pushed in this way have the same type.
extern _Atomic(enum task_local_layout) task_local_layout;

/// Verifies the layout. Requires a current task.
void task_local_verify_layout(const void *_Nonnull key, const void *_Nonnull type, uintptr_t size);

/// The field in which a task keeps its innermost item.
static inline uintptr_t *_Nonnull task_local_items(void *_Nonnull task) {
  return (uintptr_t *)((char *)task + 0x88);
}

static inline bool task_local_layout_is_known(void) {
  return __c11_atomic_load(&task_local_layout, __ATOMIC_RELAXED) == task_local_layout_known;
}

/// `current_task_push` for bitwise-copyable values, without taking the runtime's lock.
///
/// The runtime takes the lock to find out whether the task runs the body of a task group. If it does, tasks that the
/// body adds to the group get copies of the value, because the value may be popped before they end (HP17).
static inline void current_task_push_plain(
  const void *_Nonnull key, const void *_Nonnull value, const void *_Nonnull type, uintptr_t size) {
  if (__c11_atomic_load(&task_local_layout, __ATOMIC_RELAXED) == task_local_layout_unknown) {
    task_local_verify_layout(key, type, size);
  }
  if (!task_local_layout_is_known()) return swift_task_localValuePush(key, (void *)value, type);
  uintptr_t *items = task_local_items(swift_task_getCurrent());
  struct task_local_item *item = (struct task_local_item *)swift_task_alloc(sizeof(struct task_local_item) + size);
  item->next = *items;
  item->key = key;
  item->type = type;
  __builtin_memcpy(item + 1, value, size);
  *items = (uintptr_t)item;
}

/// Removes the value that `current_task_push_plain` pushed last.
///
/// `current_task_pop` would free the item without calling `swift_task_dealloc`. A tool that replaces the functions for
/// the task's memory, such as `.ci/frames`, would then find a block that was never freed.
static inline void current_task_pop_plain(void) {
  if (!task_local_layout_is_known()) return swift_task_localValuePop();
  uintptr_t *items = task_local_items(swift_task_getCurrent());
  struct task_local_item *item = (struct task_local_item *)*items;
  *items = item->next;
  swift_task_dealloc(item);
}

#endif

#endif
