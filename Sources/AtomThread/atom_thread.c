#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "atom_thread.h"

#if defined(__linux__) || defined(__APPLE__)
#include <pthread.h>
#endif

_Thread_local struct atom_thread atom_current_thread = {0};

void atom_thread_note_announcement(const void *graph) {
  const void **announced = atom_current_thread.announced;
  if (atom_thread_has_announced(graph)) return;
  // A full list drops its oldest graph. In that graph, the thread sees its changes only when other threads do.
  int last = sizeof(atom_current_thread.announced) / sizeof(*announced) - 2;
  for (int i = last; i > 0; --i) announced[i] = announced[i - 1];
  announced[0] = graph;
}

void atom_thread_forget_announcements(const void *graph) {
  const void **to = atom_current_thread.announced;
  for (const void **from = to; *from; ++from) {
    if (*from != graph) *to++ = *from;
  }
  *to = 0;
}

/// The lowest address of the current thread's stack, or 0 if it is unknown.
static uintptr_t lowest_address(uintptr_t *size) {
#if defined(__APPLE__)
  *size = pthread_get_stacksize_np(pthread_self());
  return (uintptr_t)pthread_get_stackaddr_np(pthread_self()) - *size;
#elif defined(__linux__)
  pthread_attr_t attributes;
  void *address = 0;
  size_t bytes = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  int result = pthread_attr_getstack(&attributes, &address, &bytes);
  pthread_attr_destroy(&attributes);
  *size = bytes;
  return result == 0 ? (uintptr_t)address : 0;
#else
  return 0;
#endif
}

uintptr_t atom_thread_find_stack_limit(void) {
  uintptr_t size = 0;
  uintptr_t lowest = lowest_address(&size);
  // A fourth of a small stack, or 128 KB, remains for user code and for the report.
  uintptr_t reserve = size / 4 < 131072 ? size / 4 : 131072;
  atom_current_thread.stack_limit = lowest == 0 ? 1 : lowest + reserve;
  atom_current_thread.stack_depth = lowest == 0 ? 0 : lowest + reserve + (size - reserve) / 4;
  return atom_current_thread.stack_limit;
}

#if defined(__linux__) || defined(__APPLE__)
struct call {
  void (*body)(void *);
  void *argument;
};

static void *run(void *argument) {
  struct call *call = argument;
  call->body(call->argument);
  return 0;
}
#endif

void atom_thread_run_elsewhere(void (*body)(void *), void *argument) {
#if defined(__linux__) || defined(__APPLE__)
  struct call call = {body, argument};
  pthread_t thread;
  if (pthread_create(&thread, 0, run, &call) == 0) {
    pthread_join(thread, 0);
    return;
  }
#endif
  body(argument);
}
