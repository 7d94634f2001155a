/* failing_malloc.h - the Nth allocation fails: ours, or everybody's: SQLite's,
 * OpenSSL's, and libpq's too unless a sanitizer owns malloc. */
#ifndef FAILING_MALLOC_H
#define FAILING_MALLOC_H
#include <stdbool.h>

/* Once, before any library is used. */
void malloc_watch(void);

enum malloc_whose { MALLOC_OURS, MALLOC_ALL };
/* From now on the nth allocation of all threads fails, and with `sticky` all
 * that follow.  0: none fails. */
void malloc_fail(unsigned long nth, bool sticky, enum malloc_whose whose);
/* Whether any failed since. */
bool malloc_failed(void);

#endif
