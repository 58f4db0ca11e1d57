#ifndef HEAP_CALLS_H
#define HEAP_CALLS_H

#include <stdbool.h>
#include <stddef.h>

/// Can heap calls be counted here? With glibc, and without a sanitizer, which has a heap of its own.
bool heap_calls_are_counted(void);

/// How many times the current thread has asked the heap for memory.
long heap_calls_of_this_thread(void);

/// How many bytes of the heap are in use; 0 where that is not known.
size_t heap_bytes_in_use(void);

#endif
