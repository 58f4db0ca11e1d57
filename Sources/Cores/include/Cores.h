#ifndef CORES_H
#define CORES_H

#include <stdbool.h>

/// Whether this thread may run on a core; false where the system does not say.
bool may_run_on_core(unsigned core);

/// Pins this thread to a core; false, and nothing has happened, where the system cannot.
bool pin_to_core(unsigned core);

/// One more than the highest number of a core.
unsigned core_limit(void);

#endif
