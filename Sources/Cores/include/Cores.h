#ifndef CORES_H
#define CORES_H

#include <stdbool.h>

/// Whether this thread may run on a core, or false where the system does not say.
bool may_run_on_core(unsigned core);

/// Pins this thread to a core, or returns false and changes nothing where the system cannot pin it.
bool pin_to_core(unsigned core);

/// One more than the highest core number.
unsigned core_limit(void);

#endif
