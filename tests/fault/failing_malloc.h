/* failing_malloc.h - the Nth allocation fails: ours, or everybody's: SQLite's,
 * OpenSSL's, and libpq's too unless a sanitizer owns malloc. */
#ifndef FAILING_MALLOC_H
#define FAILING_MALLOC_H
#include <stdbool.h>

/* Once, before any library is used. */
void memory_watch(void);

enum memory_whose { MEMORY_OURS, MEMORY_ALL };
/* From now on the nth allocation of all threads fails, and with `sticky` all
 * that follow.  0: none fails. */
void memory_fail(unsigned long nth, bool sticky, enum memory_whose whose);
/* Whether any failed since. */
bool memory_failed(void);

#endif
