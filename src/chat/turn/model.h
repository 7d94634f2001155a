/* model.h - what the model says, and what it asks for. */
#ifndef CHAT_TURN_MODEL_H
#define CHAT_TURN_MODEL_H
#include <stddef.h>

struct turn;
void turn_answer(struct turn *t); /* sources are there, so text next */
/* A search that the model asked for is done; its sources are refs[from] and
 * those behind it. */
void turn_answer_on(struct turn *t, size_t from);

#endif
