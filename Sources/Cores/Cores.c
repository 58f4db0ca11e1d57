// Controls the cores that a thread runs on. Only the load test uses this file. The libraries do not link it.
#define _GNU_SOURCE
#include "Cores.h"

#if defined(__linux__)
#include <sched.h>

unsigned core_limit(void) { return CPU_SETSIZE; }

bool may_run_on_core(unsigned core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  return core < CPU_SETSIZE && sched_getaffinity(0, sizeof set, &set) == 0 && CPU_ISSET(core, &set);
}

bool pin_to_core(unsigned core) {
  if (core >= CPU_SETSIZE) return false;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(core, &set);
  return sched_setaffinity(0, sizeof set, &set) == 0;
}

#else

unsigned core_limit(void) { return 0; }
bool may_run_on_core(unsigned core) { return false; }
bool pin_to_core(unsigned core) { return false; }

#endif
