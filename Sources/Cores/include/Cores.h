#ifndef CORES_H
#define CORES_H

#include <stdbool.h>

/// Returns whether this thread may run on a core, or false if the system does not report it.
bool may_run_on_core(unsigned core);

/// Pins this thread to a core, or returns false and changes nothing if the system cannot pin it.
bool pin_to_core(unsigned core);

/// Returns one more than the highest core number that the system supports, or 0 if it does not pin threads.
unsigned core_limit(void);

#endif
