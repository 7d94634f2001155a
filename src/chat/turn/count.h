/* count.h - turns, in the counters of the engine. */
#ifndef CHAT_TURN_COUNT_H
#define CHAT_TURN_COUNT_H
struct turn;
void count_first_text(const struct turn *t); /* it is shown now */
/* What it ended with; uses the arena. */
void count_end(struct turn *t);

#endif
