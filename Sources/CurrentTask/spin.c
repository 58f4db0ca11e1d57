#include "spin.h"

#if __has_include(<sched.h>)
#include <sched.h>

void yield_thread(void) { sched_yield(); }
#else
void yield_thread(void) {}
#endif
