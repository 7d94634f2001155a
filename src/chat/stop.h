/* stop.h - turns that were ended by somebody else. */
#ifndef CHAT_STOP_H
#define CHAT_STOP_H
#include <stddef.h>
#include <stdint.h>

/* A store_leases_fn; arg is the struct chat.  A turn that has no lease any more
 * was stopped on another node, or its session was deleted there: it ends now,
 * and not when its model says the next word. */
void stop_unheld(void *arg, const int64_t *epochs, size_t n);

#endif
