/* follow.h - an answer that is written elsewhere, as a feed. */
#ifndef CHAT_FEED_FOLLOW_H
#define CHAT_FEED_FOLLOW_H
#include <stdbool.h>

#include "store/store.h"

struct chat_loop;
struct feed;

/* Finds the answer that runs in the session: on another node, or by a caller's
 * own agent.  `found` is called once, later, on the loop: with a feed that is
 * held for you and shows what is stored, a few times a second; or with NULL,
 * when nothing runs.  False: no memory. */
typedef void chat_found_fn(void *arg, struct feed *f);
bool chat_follow(struct chat_loop *l, struct who who, struct str session,
                 chat_found_fn *found, void *arg);
/* Ends all those feeds: their viewers can go on elsewhere. */
void chat_unfollow(struct chat_loop *l);

#endif
