/* look_again.h - a model looks at an answer again, once it is stored and shown.
 *
 *     look_again --> the model --> its record, beside that of the words
 *
 * Nobody waits for it.  It lives on the loop of the turn, and ends with it:
 * answers that were not looked at by then are not taken up again.  What the
 * model does, the answer and its first record stand. */
#ifndef CHAT_TURN_LOOK_AGAIN_H
#define CHAT_TURN_LOOK_AGAIN_H
#include "store/store.h"

struct chat_loop;
struct message;

/* Copies what it needs.  Does nothing when no model is set to, when it has been
 * asked often enough, or when the answer has nothing to look at. */
void look_again(struct chat_loop *l, struct who who, const struct message *m);
/* The loop closes. */
void look_again_stop(struct chat_loop *l);

#endif
