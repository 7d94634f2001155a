/* feed_inner.h - shared by the feed*.c files alone.
 *
 *     feed.c         its life, and what the turn puts in
 *     feed_source.c  sources in few bytes
 *     feed_end.c     how it ended, copied
 *     feed_view.c    who reads it */
#ifndef CHAT_FEED_INNER_H
#define CHAT_FEED_INNER_H
#include <pthread.h>
#include <stdatomic.h>

#include "base/buf.h"
#include "chat/feed.h"
#include "chat/pack.h"

enum { FEED_ARENA_BYTES_MAX = 64 * 1024 * 1024 };

struct entry {
    uint32_t kind : 2;  /* enum feed_kind */
    uint32_t upto : 30; /* bytes of text, or sources, with this one */
};

struct feed {
    atomic_int refs;
    struct feed_head head;
    pthread_mutex_t lock; /* of all that follows */
    struct arena arena;
    struct entry *entries;
    size_t entries_n, entries_cap;
    struct buf text;
    size_t shown;               /* of it */
    struct reference **sources; /* each one block of memory, or packed */
    struct packed packed;       /* the first packed_n of them */
    size_t packed_n;
    size_t sources_n, sources_cap;
    bool ended;
    struct feed_end end;
    struct view *views;
};

/* Woken once, it then reads all there is. */
struct view {
    struct mail mail;
    struct feed *feed;
    struct chat_loop *loop;
    view_fn *wake;
    void *arg;
    struct view *next, **link;  /* in the feed; link NULL: closed */
    size_t at;                  /* entries read */
    size_t text_at;             /* bytes of text read */
    struct reference *unpacked; /* of the feed's packed ones, while it reads */
    bool posted, met;           /* met: it had read all there was */
    bool over;
};

void feed_tell(struct feed *f); /* its viewers, under the lock */

/* feed_source.c */

/* One block with its texts behind it; free().  NULL: no memory. */
struct reference *source_copy(const struct reference *r);
/* A copy in the arena, its spans not copied.  NULL: no memory. */
struct reference *source_copy_to(struct arena *a, const struct reference *r);
/* Packs all that there are, once, and if there is memory for it. */
void sources_pack(struct feed *f);
/* The packed ones, in one block; free().  NULL: no memory. */
struct reference *sources_unpack(const struct feed *f);

#endif
