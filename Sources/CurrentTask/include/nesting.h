#ifndef NESTING_H
#define NESTING_H

/// The depth of nested calls on one thread, and the resumptions that wait for them to end.
struct nesting {
  unsigned depth;
  void *_Nullable pending;
};

extern _Thread_local struct nesting current_nesting;

/// Returns the nesting of the current thread.
///
/// Its memory belongs to the thread and lives as long as the thread.
static inline struct nesting *_Nonnull nesting_of_this_thread(void) { return &current_nesting; }

#endif
