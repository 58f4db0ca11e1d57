#include "CurrentTask.h"

static _Thread_local int beginnings = 0;

void current_thread_begins_task(void) { beginnings += 1; }
void current_thread_has_begun_task(void) { beginnings -= 1; }
bool current_thread_is_beginning_task(void) { return beginnings > 0; }
