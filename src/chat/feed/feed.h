/* feed.h - what a turn has shown, for any number of viewers.
 *
 * The turn appends what is durable: sources, text, and at last the end.
 * Viewers (view.h) read it from the first entry on, each at its own pace, on
 * the loop that has its connection; a late one sees what an early one saw.  The
 * lock is inside.  A feed outlives its turn: its last holder frees it.
 *
 *     turn's loop   feed_add_* ------> [source][source][text][text]...[end]
 *                   feed_write, feed_show: text, of which viewers see a part
 *     any loop      view_read  <------- at ^        `wake` when there is more
 */
#ifndef CHAT_FEED_FEED_H
#define CHAT_FEED_FEED_H
#include "store/store.h"

struct message;
struct reference;

enum { FEED_TEXT_BYTES_MAX = STORE_CONTENT_BYTES_MAX };

/* How it ended.  `message` is what is stored: sources with what became of
 * them, and the confidence. */
struct feed_end {
    const struct message *message;
    struct str failure; /* a sentence for the reader; absent: it is whole */
    struct str finish;  /* stop, length, content-filter, other */
    int64_t tokens_in, tokens_out; /* -1: nobody said */
    /* Who did not help one of its searches: see struct search.  Not stored. */
    bool words_alone, not_reranked;
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
/* All that were added; borrowed until the next one.  Only on the turn's loop.
 */
const struct reference *feed_sources(const struct feed *f, size_t *n);
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

#endif
