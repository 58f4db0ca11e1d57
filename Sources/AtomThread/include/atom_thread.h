#ifndef ATOM_THREAD_H
#define ATOM_THREAD_H

#include <stdbool.h>
#include <stdint.h>

/// A derivation, transaction, or snapshot that runs, on the stack of its thread.
struct atom_frame {
  /// The evaluation. Not owned.
  void *_Nonnull evaluation;
  /// The frame in which this one runs, possibly of another graph, or NULL.
  const struct atom_frame *_Nullable outer;
  /// Whether code in the outer frame has selected another store, for which that frame does not count.
  bool hides_outer;
};

/// A delivery to the watchers of a graph, on the stack of the delivering thread.
struct atom_delivery {
  /// The graph. Not owned.
  const void *_Nonnull graph;
  /// The delivery of another graph, in whose callback this one runs, or NULL.
  const struct atom_delivery *_Nullable outer;
};

/// What the library of atoms knows about the current thread.
///
/// A derivation is synchronous, so it never leaves its thread, and a task that it starts must not inherit its evaluation.
/// That is why this is not a task-local.
struct atom_thread {
  /// The evaluation of the innermost frame, or NULL if there is none or it is hidden. Not owned.
  void *_Nullable evaluation;
  /// The innermost frame, or NULL if no derivation, transaction, or snapshot runs.
  const struct atom_frame *_Nullable frame;
  /// The innermost frame that a callback hides, or NULL.
  const struct atom_frame *_Nullable hidden;
  /// The innermost delivery to watchers on this thread, or NULL. Not owned.
  const struct atom_delivery *_Nullable delivery;
  /// The objects that a release in progress has yet to release, or NULL if there is none. Not owned.
  void *_Nullable releasing;
  /// The lowest address that a derivation may use on the stack, 1 if it is unknown, or 0 before the first question.
  uintptr_t stack_limit;
  /// The address below which less than a quarter of the stack is left for derivations, or 0 if it is unknown.
  uintptr_t stack_depth;
  /// The graphs to which an object has recently announced a change on this thread, followed by NULL. Not owned.
  const void *_Nullable announced[5];
  /// The number of times that this thread has taken the lock of a graph. Only debug builds count them.
  uint64_t sections;
  /// Room for one value, between the moment when it is copied from a store and the moment when it is returned.
  _Alignas(16) unsigned char value[128];
};

extern _Thread_local struct atom_thread atom_current_thread;

static inline struct atom_thread *_Nonnull atom_thread_current(void) { return &atom_current_thread; }

static inline void *_Nonnull atom_thread_value(void) { return atom_current_thread.value; }

/// Whether an object has recently announced a change to a graph on this thread.
static inline bool atom_thread_has_announced(const void *_Nonnull graph) {
  const void *_Nullable *announced = atom_current_thread.announced;
  while (*announced && *announced != graph) ++announced;
  return *announced != 0;
}

/// Records that an object has announced a change to a graph on this thread.
void atom_thread_note_announcement(const void *_Nonnull graph);

/// Forgets the changes that objects have announced to a graph on this thread.
void atom_thread_forget_announcements(const void *_Nonnull graph);

/// Runs a function on a new thread and waits for it, or runs it here if there is no other thread.
void atom_thread_run_elsewhere(void (*_Nonnull body)(void *_Nonnull), void *_Nonnull argument);

/// Determines `stack_limit`, which keeps a reserve for user code and for the report of an error.
uintptr_t atom_thread_find_stack_limit(void);

/// Whether less than a quarter of the current thread's stack is left for derivations, or `false` if it is unknown.
///
/// Call `atom_thread_remaining_stack` first.
static inline bool atom_thread_is_deep(void) {
  return (uintptr_t)__builtin_frame_address(0) < atom_current_thread.stack_depth;
}

/// The number of bytes left for derivations on the current thread's stack, or INTPTR_MAX if it is unknown.
static inline intptr_t atom_thread_remaining_stack(void) {
  uintptr_t limit = atom_current_thread.stack_limit;
  if (limit == 0) limit = atom_thread_find_stack_limit();
  if (limit == 1) return INTPTR_MAX;
  return (intptr_t)((uintptr_t)__builtin_frame_address(0) - limit);
}

#endif
