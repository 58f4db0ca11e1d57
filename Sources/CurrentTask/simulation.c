#include "simulation.h"

_Atomic(bool) simulation_has_run = false;
_Thread_local const void *_Nullable simulation_thread_hooks = 0;
