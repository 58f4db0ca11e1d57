#ifndef NESTING_H
#define NESTING_H

/// How deep calls nest on one thread, and what waits until they nest less deep.
struct nesting {
  unsigned depth;
  void *_Nullable pending;
};

extern _Thread_local struct nesting current_nesting;

/// The nesting of the current thread: its memory is the thread's own, and lives as long.
static inline struct nesting *_Nonnull nesting_of_this_thread(void) { return &current_nesting; }

#endif
