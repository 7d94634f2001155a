/* stored.h - a stored answer as a feed: at once, or as it grows. */
#ifndef CHAT_FEED_STORED_H
#define CHAT_FEED_STORED_H
#include "chat/feed/feed.h"

/* As if it had just been said.  NULL: no memory. */
struct feed *feed_of_message(const struct message *m, struct str session);

/* How much of a stored answer its feed has. */
struct stored_progress {
    uint32_t number; /* the highest source */
    size_t bytes;    /* of text */
};
/* A feed about it with nothing in it.  NULL: no memory. */
struct feed *stored_feed(const struct message *m, struct str session);
/* Shows what is new since *p. */
enum footnote_rc stored_show(struct feed *f, const struct message *m,
                             struct stored_progress *p);
void stored_end(struct feed *f, const struct message *m);

#endif
