#ifndef NESTING_H
#define NESTING_H

/// How deep calls nest on one thread, and what waits until they nest less deep.
struct nesting {
  unsigned depth;
  void *_Nullable pending;
};

/// The nesting of the current thread: its memory is the thread's own, and lives as long.
struct nesting *_Nonnull nesting_of_this_thread(void);

#endif
