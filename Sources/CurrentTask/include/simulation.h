#ifndef SIMULATION_H
#define SIMULATION_H

#include <stdbool.h>

/// Whether this process has ever run a simulation.
///
/// It never becomes false again. Code outside simulations reads it in each synchronous call, so it is a global
/// variable, which is faster to read than a thread-local one.
extern _Atomic(bool) simulation_has_run;

/// The hooks of the simulation that runs on this thread, or NULL. Not owned.
extern _Thread_local const void *_Nullable simulation_thread_hooks;

/// Whether a simulation may run.
static inline bool simulation_may_run(void) { return __c11_atomic_load(&simulation_has_run, __ATOMIC_RELAXED); }

static inline const void *_Nullable simulation_hooks(void) {
  return simulation_may_run() ? simulation_thread_hooks : (const void *)0;
}

/// Whether a simulation runs on this thread.
static inline bool simulation_is_here(void) { return simulation_hooks() != (const void *)0; }

static inline void simulation_set_hooks(const void *_Nullable hooks) {
  if (hooks) __c11_atomic_store(&simulation_has_run, true, __ATOMIC_RELAXED);
  simulation_thread_hooks = hooks;
}

#endif
