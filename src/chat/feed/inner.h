/* inner.h - shared by the feed*.c files alone.
 *
 *     feed.c         its life, and what the turn puts in
 *     source.c  sources, copied
 *     end.c     how it ended, copied
 *     view.c    who reads it */
#ifndef CHAT_FEED_INNER_H
#define CHAT_FEED_INNER_H
#include <pthread.h>
#include <stdatomic.h>

#include "base/buf.h"
#include "chat/feed/feed.h"

struct reference;

enum { FEED_ARENA_BYTES_MAX = 64 * 1024 * 1024 };

struct feed {
    atomic_int refs;
    struct feed_head head;
    pthread_mutex_t lock; /* of all that follows */
    struct arena arena;   /* of the end */
    struct buf steps;     /* what was shown, one after another: see feed.c */
    size_t steps_n;
    struct buf text;            /* all that was written */
    size_t shown;               /* bytes of it that viewers may see */
    struct reference **sources; /* each is one block of memory */
    size_t sources_n, sources_cap;
    bool ended;
    struct feed_end end;
    struct view *views;
    char texts[]; /* of the head */
};

/* Woken once, it then reads all there is. */
struct view {
    struct mail mail;
    struct feed *feed;
    struct chat_loop *loop;
    view_fn *wake;
    void *arg;
    struct view *next, **link; /* in the feed; link NULL: closed */
    size_t at, step_at;        /* steps read, and their bytes */
    size_t source_at, text_at; /* sources read, and bytes of text */
    bool posted, met;          /* met: it had read all there was */
    bool over;
};

void feed_tell(struct feed *f); /* its viewers, under the lock */
/* The step at *at, and the place of the next: how many bytes of text it shows;
 * none: a source. */
size_t feed_step(const struct feed *f, size_t *at);

/* source.c */

/* One block with its texts behind it; free().  NULL: no memory. */
struct reference *source_copy(const struct reference *r);
/* A copy in the arena, its spans not copied.  NULL: no memory. */
struct reference *source_copy_to(struct arena *a, const struct reference *r);

#endif
