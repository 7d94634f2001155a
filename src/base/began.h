/* began.h - when the call that this thread works for began.
 *
 * A time limit is the caller's: what a request has waited in a queue counts,
 * although the thread that works for it has only just begun. */
#ifndef BASE_BEGAN_H
#define BASE_BEGAN_H
#include <stdint.h>

/* On the monotonic clock; 0: the thread works for nobody who waits. */
void began_set(int64_t mono_ms);
int64_t began_or_now(void);

#endif
