#ifndef HEAP_CALLS_H
#define HEAP_CALLS_H

#include <stdbool.h>
#include <stddef.h>

/// Returns whether heap calls are counted.
///
/// Counting requires glibc and a build without the address and thread sanitizers, which have their own allocators.
bool heap_calls_are_counted(void);

/// Returns the number of the current thread's counted heap calls, or 0 if heap calls are not counted.
long heap_calls_of_this_thread(void);

/// Returns the number of heap bytes in use, or 0 if it is unknown.
size_t heap_bytes_in_use(void);

#endif
