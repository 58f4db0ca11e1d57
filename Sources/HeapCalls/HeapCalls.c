// Counts heap calls by replacing glibc's allocation functions. An executable that links this file has its own malloc,
// calloc, realloc, aligned_alloc, and posix_memalign, which count a call and forward it. Calls of other allocation
// functions are not counted. Only the tests and the load test use this file. The libraries do not link it.
#include "HeapCalls.h"

#include <errno.h>
#include <stddef.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

#if defined(__GLIBC__) && !defined(SANITIZED)

static __thread long calls;

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) {
  calls += 1;
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  calls += 1;
  return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
  calls += 1;
  return __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  calls += 1;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  calls += 1;
  void *memory = __libc_memalign(alignment, size);
  if (memory == NULL) return ENOMEM;
  *result = memory;
  return 0;
}

bool heap_calls_are_counted(void) { return true; }
long heap_calls_of_this_thread(void) { return calls; }

#else

bool heap_calls_are_counted(void) { return false; }
long heap_calls_of_this_thread(void) { return 0; }

#endif

size_t heap_bytes_in_use(void) {
#if defined(__GLIBC__) && !defined(SANITIZED) && __GLIBC_PREREQ(2, 33)
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
#else
  return 0;
#endif
}
