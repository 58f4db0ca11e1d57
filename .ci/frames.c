// Detects async functions that write past the end of the memory that their task gave them. Preload this library before
// libswift_Concurrency.
//
// Each block gets a header with its size and its caller, and a tail of known bytes. The tail is checked when the block
// is freed. The memory of a task's first function is not such a block, so writes past its end are not detected here.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SWIFTCC __attribute__((swiftcall))
#define TAIL_SIZE 128
#define TAIL_BYTE 0xA5

struct header {
  size_t size;
  void *caller;
};
_Static_assert(sizeof(struct header) == 16, "blocks are aligned to 16 bytes");

static void *next(const char *name) {
  void *result = dlsym(RTLD_NEXT, name);
  if (result == NULL) {
    fprintf(stderr, "frames: cannot find %s\n", name);
    abort();
  }
  return result;
}

static void check(const struct header *header) {
  const unsigned char *tail = (const unsigned char *)(header + 1) + header->size;
  size_t written = 0;
  for (size_t i = 0; i < TAIL_SIZE; i++) {
    if (tail[i] != TAIL_BYTE) written = i + 1;
  }
  if (written == 0) return;
  Dl_info info = {0};
  dladdr(header->caller, &info);
  fprintf(stderr, "frames: %zu bytes past %zu, for a call in %s at %#tx\n", written, header->size,
          info.dli_fname ? info.dli_fname : "?", (char *)header->caller - (char *)info.dli_fbase);
}

SWIFTCC void *swift_task_alloc(size_t size) {
  static SWIFTCC void *(*allocate)(size_t);
  if (allocate == NULL) allocate = next("swift_task_alloc");
  struct header *header = allocate(sizeof *header + size + TAIL_SIZE);
  *header = (struct header){size, __builtin_return_address(0)};
  memset((char *)(header + 1) + size, TAIL_BYTE, TAIL_SIZE);
  return header + 1;
}

SWIFTCC void swift_task_dealloc(void *block) {
  static SWIFTCC void (*deallocate)(void *);
  if (deallocate == NULL) deallocate = next("swift_task_dealloc");
  struct header *header = (struct header *)block - 1;
  check(header);
  deallocate(header);
}

// Frees the block and all blocks allocated after it. The tails of those later blocks are not checked.
SWIFTCC void swift_task_dealloc_through(void *block) {
  static SWIFTCC void (*deallocate)(void *);
  if (deallocate == NULL) deallocate = next("swift_task_dealloc_through");
  struct header *header = (struct header *)block - 1;
  check(header);
  deallocate(header);
}
