/* feed.h - what a turn has shown, for any number of viewers.
 *
 * The turn appends what is durable: sources, text, and at last the end.
 * Viewers read it from the first entry on, each at its own pace, on the loop
 * that has its connection; a late one sees what an early one saw.  The lock is
 * inside.  A feed outlives its turn: whoever holds it may read on.
 *
 *     turn's loop   feed_add_* ------> [source][source][text][text]...[end]
 *                   feed_write, feed_show: text, of which viewers see a part
 *     any loop      view_read  <------- at ^        `wake` when there is more
 */
#ifndef CHAT_FEED_FEED_H
#define CHAT_FEED_FEED_H
#include "base/buf.h"
#include "base/str.h"
#include "chat/loop_message.h"
#include "store/store.h"

struct message;
struct reference;

enum {
    FEED_TEXT_BYTES_MAX = STORE_CONTENT_BYTES_MAX,
    /* A viewer that had seen all and is so far behind now is dropped. */
    FEED_BEHIND_BYTES_MAX = 256 * 1024
};

/* How it ended.  `message` is what is stored: sources with what became of
 * them, and the confidence. */
struct feed_end {
    const struct message *message;
    struct str failure; /* a sentence for the reader; absent: it is whole */
    struct str finish;  /* stop, length, content-filter, other */
    int64_t tokens_in, tokens_out; /* -1: nobody said */
};

/* What a viewer gets to see, one at a time. */
enum feed_kind { FEED_SOURCE, FEED_TEXT, FEED_END };
struct feed_entry {
    enum feed_kind kind;
    size_t index;                   /* 1, 2, 3, ... within the feed */
    const struct reference *source; /* FEED_SOURCE */
    struct str text;                /* FEED_TEXT */
    const struct feed_end *end;     /* FEED_END, the last one */
};

struct feed;
/* Who and what it is about; copied. */
struct feed_head {
    struct str session; /* absent: nothing is stored */
    struct str answer, question, model;
    int64_t created_ms;
};
/* NULL when there is no memory.  One reference is yours. */
struct feed *feed_new(const struct feed_head *head);
struct feed *feed_hold(struct feed *f);
void feed_drop(struct feed *f);       /* NULL is fine */
bool feed_is_watched(struct feed *f); /* somebody holds it beside you */
const struct feed_head *feed_head(const struct feed *f); /* never changes */

/* ---- For the turn ------------------------------------------------------- */

/* All copy.  No memory is an error like any other: the turn then fails. */
enum footnote_rc feed_add_source(struct feed *f, const struct reference *r,
                                 struct footnote_err *err);
/* Text that nobody sees yet: TOOBIG or NOMEM, and none of it is there. */
enum footnote_rc feed_write(struct feed *f, struct str text);
size_t feed_text_bytes(const struct feed *f); /* all that was written */
/* What was written from there on; borrowed until the next feed_write().  Only
 * on the turn's loop. */
struct str feed_text(const struct feed *f, size_t from);
/* Text up to there is an entry. */
enum footnote_rc feed_show(struct feed *f, size_t upto,
                           struct footnote_err *err);
/* Both at once. */
enum footnote_rc feed_add_text(struct feed *f, struct str text,
                               struct footnote_err *err);
/* Exactly once.  Never fails: without a message, or the memory for it, the
 * viewers are told of a failure. */
void feed_add_end(struct feed *f, const struct feed_end *end);

/* ---- For viewers -------------------------------------------------------- */

struct view;
typedef void view_fn(void *arg);
/* `wake` is called on loop `l` when view_read() has something new to give.
 * NULL when there is no memory. */
struct view *view_open(struct feed *f, struct chat_loop *l, view_fn *wake,
                       void *arg);
/* No wake after it.  On its loop's thread. */
void view_close(struct view *v); /* NULL is fine */
/* Calls `each` for what has not been read, in order, until it says false: that
 * entry comes again.  Texts are valid in `each` only, which must not call back
 * into the feed.  False: this viewer is too far behind and should be dropped.
 */
typedef bool feed_fn(void *arg, const struct feed_entry *e);
bool view_read(struct view *v, feed_fn *each, void *arg);
/* The index of the last entry so far; 0: there is none. */
size_t feed_last(struct feed *f);
/* Starts behind entry `index` instead of at the first. */
void view_skip(struct view *v, size_t index);
bool view_is_over(const struct view *v); /* the end was read */
void view_poke(struct view *v); /* wakes it, whether there is more or not */
/* How it ended, once a view of it is over. */
const struct feed_end *feed_end(const struct feed *f);

#endif
