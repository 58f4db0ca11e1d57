#include "task_local.h"

#if defined(__linux__) && defined(__GLIBC__) && defined(__x86_64__)

_Atomic(enum task_local_layout) task_local_layout = task_local_layout_unknown;

/// Pushes a value through the runtime, looks for it where this code would store it, and pops it.
void task_local_verify_layout(const void *key, const void *type, uintptr_t size) {
  char value[64] = {0};
  enum task_local_layout layout = task_local_layout_different;
  if (size <= sizeof value) {
    uintptr_t *items = task_local_items(swift_task_getCurrent());
    const uintptr_t before = *items;
    swift_task_localValuePush(key, value, type);
    const struct task_local_item *item = (const struct task_local_item *)swift_task_localValueGet(key) - 1;
    // Ignores the kind, because this task may be running the body of a task group.
    const bool is_pushed = *items == (uintptr_t)item && item->key == key && item->type == type
      && (item->next & ~(uintptr_t)7) == before;
    swift_task_localValuePop();
    if (is_pushed && *items == before) layout = task_local_layout_known;
  }
  __c11_atomic_store(&task_local_layout, layout, __ATOMIC_RELAXED);
}

#endif
