#include "spin.h"

#include <sched.h>

void yield_thread(void) { sched_yield(); }
