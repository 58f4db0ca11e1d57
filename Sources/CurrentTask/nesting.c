#include "nesting.h"

_Thread_local struct nesting current_nesting;
