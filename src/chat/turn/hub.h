/* hub.h - which turns run in this process, by session.  Any thread. */
#ifndef CHAT_TURN_HUB_H
#define CHAT_TURN_HUB_H
#include "store/store.h"

struct feed;
struct hub;
struct turn;
enum footnote_rc hub_open(struct hub **out, struct footnote_err *err);
void hub_close(struct hub *h);
/* The turn runs and can be found.  Copies nothing: the turn's texts. */
void hub_add(struct hub *h, struct turn *t);
void hub_remove(struct hub *h, struct turn *t);
void hub_lock(struct hub *h);
void hub_unlock(struct hub *h);
/* Between hub_lock() and hub_unlock(): so long the turn is there. */
struct turn *hub_find(struct hub *h, struct who who, struct str session);
/* The same for a stop: the turn with this answer; or, absent, also one whose
 * question is just being stored. */
struct turn *hub_find_to_stop(struct hub *h, struct who who, struct str session,
                              struct str answer);
/* All that were added. */
void hub_each(struct hub *h, void (*fn)(struct turn *t, void *arg), void *arg);
/* The feed of that turn, held for you; NULL: none runs. */
struct feed *hub_find_feed(struct hub *h, struct who who, struct str session);
/* Counts the turn as one of its user's, stored or not, from its very beginning;
 * false when there are `max` already.  max 0: any number. */
bool hub_enter(struct hub *h, struct turn *t, size_t max);
void hub_leave(struct hub *h, struct turn *t);
/* It will show the answer of another turn. */
void hub_repeats(struct hub *h, struct turn *t);
size_t hub_count(struct hub *h, struct who who); /* turns of the user */

#endif
