/* feed_data.h - what a feed and its views hold, for the files of this room.
 *
 * The text is one buffer.  `steps` has one number for each entry but the end:
 * how many bytes of text it shows, or 0 for a source.  A number below 255 is a
 * byte; 255 means that the next byte is added to it.  So a token costs one byte
 * more than its letters.
 *
 *     steps    0 0 4 3 0 5        views know how many steps, sources and
 *     sources  a b     c          bytes of text they have read
 *     text     The cat sat [1]
 *                     ^ shown */
#ifndef CHAT_FEED_FEED_DATA_H
#define CHAT_FEED_FEED_DATA_H
#include <pthread.h>
#include <stdatomic.h>

#include "chat/feed/feed.h"
#include "chat/feed/view.h"
#include "chat/loop/loop_message.h"
#include "store/session/message.h"

struct feed {
    atomic_int refs;
    struct feed_head head;
    pthread_mutex_t lock; /* of all that follows */
    struct buf steps;
    size_t steps_n;
    struct buf text; /* all that was written; only the turn's loop writes */
    size_t shown;    /* bytes of it that are entries */
    struct arena sources_arena;
    struct reference *sources;
    size_t sources_n, sources_cap;
    bool ended;
    struct feed_end end;
    struct arena end_arena;
    struct view *views;
    char texts[]; /* of the head */
};

/* Woken once, it then reads all there is. */
struct view {
    struct loop_message message;
    struct feed *feed;
    struct chat_loop *loop;
    view_fn *wake;
    void *arg;
    struct view *next, **link; /* in the feed; link NULL: closed */
    size_t at, step_at;        /* steps read, and their bytes */
    size_t source_at, text_at; /* sources read, and bytes of text */
    bool posted;               /* `message` is on its way */
    bool caught_up;            /* it once had read all there was */
    bool over;
};

/* A copy whose texts are in the arena, without its spans.  False: no memory. */
bool feed_copy_source(struct arena *a, const struct reference *r,
                      struct reference *out);
/* Under the lock: tells the viewers that there is more. */
void feed_wake_views(struct feed *f);
/* Under the lock: reads the step at *at and moves *at behind it. */
size_t feed_read_step(const struct feed *f, size_t *at);

#endif
