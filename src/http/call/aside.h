/* aside.h - small writes that nothing waits for: that a key was used, that a
 * browser was there, that a file was given out.  Any thread.
 *
 * What a disk or a writer that is busy does not take is lost.  A row of the
 * audit that is lost is logged and counted: reading goes on without it. */
#ifndef HTTP_CALL_ASIDE_H
#define HTTP_CALL_ASIDE_H
#include "store/store.h"

enum { ASIDE_BYTES_MAX = 512 };
/* Copies names and operation, which holds its own texts. */
void aside_write(struct store *st, struct who who, const struct store_op *kind,
                 const void *op, size_t bytes);
/* Rows of the audit that were lost, in this process. */
uint64_t aside_lost(void);

/* True for one of those who ask within `ms` about the same thing. */
bool aside_is_due(struct str thing, int64_t ms);

#endif
