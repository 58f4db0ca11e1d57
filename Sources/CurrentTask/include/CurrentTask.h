// The module's umbrella header.
#ifndef CURRENT_TASK_MODULE_H
#define CURRENT_TASK_MODULE_H

#include "nesting.h"
#include "runtime_entries.h"
#include "simulation.h"
#include "spin.h"

#endif
