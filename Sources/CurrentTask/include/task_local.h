#ifndef TASK_LOCAL_H
#define TASK_LOCAL_H

#include <stdbool.h>
#include <stdint.h>

#include "current_task.h"

// Declares the runtime's entry points only for verified configurations. See RuntimeShortcuts.swift.
#if defined(__linux__) && defined(__GLIBC__) && defined(__x86_64__)

/// A binding of a task-local, as the runtime stores it in the memory of the task. The value follows.
struct task_local_item {
  /// The next outer item, and flags in the three low bits.
  uintptr_t next;
  const void *_Nonnull key;
  const void *_Nonnull type;
};

/// The field in which a task keeps its innermost item.
static inline uintptr_t *_Nonnull task_local_items(void *_Nonnull task) {
  return (uintptr_t *)((char *)task + 0x88);
}

/// Whether the runtime stores task-locals as these declarations say. The result does not change.
bool task_local_layout_is_known(const void *_Nonnull key, const void *_Nonnull type, uintptr_t size);

/// `current_task_push` for trivially copyable values, without taking the runtime's lock.
///
/// The runtime takes the lock to find out whether the task runs the body of a task group. If it does, tasks that the
/// body adds to the group get copies of the value, because the value may be popped before they end (HP17).
static inline void current_task_push_unlocked(
  const void *_Nonnull key, const void *_Nonnull value, const void *_Nonnull type, uintptr_t size) {
  uintptr_t *items = task_local_items(swift_task_getCurrent());
  struct task_local_item *item = (struct task_local_item *)swift_task_alloc(sizeof(struct task_local_item) + size);
  item->next = *items & ~(uintptr_t)6;
  item->key = key;
  item->type = type;
  __builtin_memcpy(item + 1, value, size);
  *items = (uintptr_t)item;
}

#endif

#endif
