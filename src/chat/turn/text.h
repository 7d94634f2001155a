/* text.h - text from the model to the store, and from there to the feed. */
#ifndef CHAT_TURN_TEXT_H
#define CHAT_TURN_TEXT_H
#include "base/str.h"

struct turn;
void turn_say(struct turn *t, struct str text); /* from the model */
/* Sends and shows what may be sent and shown now. */
void turn_flush(struct turn *t);

#endif
