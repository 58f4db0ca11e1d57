#define _GNU_SOURCE
#include "simulation.h"

_Atomic(bool) simulation_has_run = false;
_Thread_local const void *_Nullable simulation_thread_hooks = 0;

#if defined(__linux__)
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int64_t simulation_thread_number(void) { return syscall(SYS_gettid); }

int64_t simulation_thread_sleeps(int64_t number) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%lld/status", (long long)number);
  FILE *file = fopen(path, "re");
  if (!file) return -1;
  char line[256];
  char state = 0;
  long long count = -1;
  while (fgets(line, sizeof line, file)) {
    sscanf(line, "State: %c", &state);
    if (sscanf(line, "voluntary_ctxt_switches: %lld", &count) == 1) break;
  }
  fclose(file);
  return state == 'S' ? count : -1;
}
#else
int64_t simulation_thread_number(void) { return 0; }
int64_t simulation_thread_sleeps(int64_t number) { return -1; }
#endif
