/* repeat.h - a question that came before. */
#ifndef CHAT_TURN_REPEAT_H
#define CHAT_TURN_REPEAT_H
struct feed;
struct turn;
/* Attaches to the turn of which this is a repeat. */
void turn_repeat(struct turn *t);
/* In begin.c: its outcome.  NULL: it is not a repeat. */
void turn_repeated(struct turn *t, struct feed *feed);

#endif
