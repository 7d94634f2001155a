/* view.h - one viewer of a feed, at its own pace.
 *
 * A view belongs to the thread of its loop. */
#ifndef CHAT_FEED_VIEW_H
#define CHAT_FEED_VIEW_H
#include <stdbool.h>

#include "base/str.h"

struct chat_loop;
struct feed;
struct feed_end;
struct reference;

/* A viewer that had read all and is so far behind now is dropped. */
enum { FEED_BEHIND_BYTES_MAX = 256 * 1024 };

enum feed_kind { FEED_SOURCE, FEED_TEXT, FEED_END };
struct feed_entry {
    enum feed_kind kind;
    size_t index;                   /* 1, 2, 3, ... within the feed */
    const struct reference *source; /* FEED_SOURCE */
    struct str text;                /* FEED_TEXT */
    const struct feed_end *end;     /* FEED_END, the last one */
};

struct view;
typedef void view_fn(void *arg);
/* `wake` is called on loop `l` when view_read() has something new to give.
 * NULL when there is no memory. */
struct view *view_open(struct feed *f, struct chat_loop *l, view_fn *wake,
                       void *arg);
/* No wake after it. */
void view_close(struct view *v); /* NULL is fine */
/* Calls `each` for what has not been read, in order, until it says false: that
 * entry comes again.  Texts are valid in `each` only, which must not call back
 * into the feed.  False: this viewer is too far behind and should be dropped.
 */
typedef bool feed_fn(void *arg, const struct feed_entry *e);
bool view_read(struct view *v, feed_fn *each, void *arg);
/* Starts behind entry `index` instead of at the first. */
void view_skip(struct view *v, size_t index);
bool view_is_over(const struct view *v); /* the end was read */
void view_wake(struct view *v);          /* whether there is more or not */

/* The index of the last entry so far; 0: there is none. */
size_t feed_last(struct feed *f);
/* How it ended, once a view of it is over. */
const struct feed_end *feed_end(const struct feed *f);

#endif
