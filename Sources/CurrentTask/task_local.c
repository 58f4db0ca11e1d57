#include "task_local.h"

#if defined(__linux__) && defined(__GLIBC__) && defined(__x86_64__)

enum { unknown, known, different };

/// Pushes a value through the runtime, looks for it where this code would store it, and pops it.
static int find_out(const void *key, const void *type, uintptr_t size) {
  char value[64] = {0};
  void *task = swift_task_getCurrent();
  if (!task) return unknown;
  if (size > sizeof value) return different;
  uintptr_t *items = task_local_items(task);
  const uintptr_t before = *items & ~(uintptr_t)7;
  swift_task_localValuePush(key, value, type);
  const struct task_local_item *item = (const struct task_local_item *)swift_task_localValueGet(key) - 1;
  const bool is_pushed = *items == (uintptr_t)item && item->key == key && item->type == type
    && (item->next & ~(uintptr_t)7) == before;
  swift_task_localValuePop();
  return is_pushed && *items == before ? known : different;
}

bool task_local_layout_is_known(const void *key, const void *type, uintptr_t size) {
  static int answer = unknown;
  int current = __atomic_load_n(&answer, __ATOMIC_RELAXED);
  if (current == unknown) {
    current = find_out(key, type, size);
    __atomic_store_n(&answer, current, __ATOMIC_RELAXED);
  }
  return current == known;
}

#endif
