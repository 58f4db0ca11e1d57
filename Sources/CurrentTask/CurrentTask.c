#include "CurrentTask.h"
