/* model.h - what the model says, and what it asks for. */
#ifndef CHAT_TURN_MODEL_H
#define CHAT_TURN_MODEL_H
struct turn;
void turn_answer(struct turn *t); /* sources are there, so text next */
/* The same after a search that the model asked for. */
void turn_answer_on(struct turn *t);

#endif
