// The module's umbrella header.
#ifndef CURRENT_TASK_MODULE_H
#define CURRENT_TASK_MODULE_H

#include "current_task.h"
#include "nesting.h"
#include "simulation.h"
#include "spin.h"
#include "task_local.h"
#include "task_priority.h"
#include "unstarted_task.h"

#endif
