/* write.h - the operations of the store that a turn asks for, and its timer. */
#ifndef CHAT_TURN_WRITE_H
#define CHAT_TURN_WRITE_H
#include "chat/turn/turn.h"

enum { FLUSH_NOW = -1 /* for flush_ms */ };

/* Runs the operation in the writer; `then` is called on the loop. */
void turn_write(struct turn *t, const struct store_op *kind, void *op,
                turn_fn *then);
void turn_timer(struct turn *t); /* its times have changed */

#endif
