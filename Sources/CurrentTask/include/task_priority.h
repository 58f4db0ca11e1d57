#ifndef TASK_PRIORITY_H
#define TASK_PRIORITY_H

#include <stdint.h>

#include "current_task.h"

// Declares the runtime's entry points only for verified configurations. See RuntimeShortcuts.swift.
#if defined(__linux__) && defined(__GLIBC__) && defined(__x86_64__)

// `Task.currentPriority` calls the first function. `Task.escalatePriority` calls the second, which runs the task's
// escalation handlers and never lowers a priority.
extern uintptr_t swift_task_currentPriority(void *_Nonnull task) __attribute__((swiftcall));
extern uintptr_t swift_task_escalate(void *_Nonnull task, uintptr_t priority) __attribute__((swiftcall));

/// The priority of the current task, or 0 if there is no current task.
static inline uint8_t task_priority_current(void) {
  void *task = swift_task_getCurrent();
  return task ? (uint8_t)swift_task_currentPriority(task) : 0;
}

/// Raises the priority of a task that has not ended.
static inline void task_priority_raise(void *_Nonnull task, uint8_t priority) { swift_task_escalate(task, priority); }

#endif

#endif
