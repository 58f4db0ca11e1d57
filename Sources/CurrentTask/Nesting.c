#include "Nesting.h"

static _Thread_local struct nesting nesting;

struct nesting *nesting_of_this_thread(void) { return &nesting; }
