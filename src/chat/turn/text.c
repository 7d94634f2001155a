/* text.c - text from the model to the store, and from there to the feed.
 *
 *     0 ......... shown .......... settled ......... length()
 *     is seen      on its way       held back: a marker may be open
 *
 * One piece at a time is with the store; what comes meanwhile is the next
 * piece, so a slow disk makes pieces larger, not queues longer.  Strict: a
 * piece is shown when its commit has returned.  Relaxed: it is shown at once
 * and stored within a fifth of a second. */
#include "chat/turn/text.h"

#include <assert.h>

#include "chat/turn/count.h"
#include "chat/turn/page.h"
#include "chat/turn/turn.h"
#include "chat/turn/write.h"
#include "cite/marks.h"

enum {
    RELAXED_MS = 150,            /* and then the writer gathers for 40 */
    BEHIND_BYTES_MAX = 64 * 1024 /* not stored yet: the model is paused */
};

static size_t length(const struct turn *t)
{
    return feed_text_bytes(t->feed);
}

static void pause_model(struct turn *t)
{
    bool behind = length(t) - t->sent > BEHIND_BYTES_MAX;

    if (t->call && behind != t->paused)
        model_pause(t->call, behind);
    t->paused = behind;
}

/* It may end the turn, or begin its end: callers look at the state after. */
static void show_text(struct turn *t, size_t upto)
{
    struct footnote_err err;

    assert(upto >= t->shown && upto <= length(t));
    if (upto == t->shown)
        return;
    if (t->shown == 0)
        count_first_text(t);
    t->shown = upto;
    if (feed_show(t->feed, upto, &err) != FOOTNOTE_OK)
        turn_unshown(t);
}

static void appended(struct turn *t)
{
    if (t->job_rc != FOOTNOTE_OK) {
        t->sent = t->shown = t->settled = length(t); /* none of it is shown */
        turn_lost(t);
        turn_flush(t);
        return;
    }
    t->sent += t->piece.n;
    if (t->shown < t->sent)
        show_text(t, t->sent);
    pause_model(t);
    turn_flush(t);
}

/* How far text may be stored and shown now. */
static size_t may_go(const struct turn *t)
{
    return t->page == PAGE_MET ? t->page_at : t->settled;
}

/* No memory for a piece.  The first time the turn fails and its text is tried
 * once more; then the turn ends without the rest of it. */
static void no_room(struct turn *t)
{
    bool waits = t->state == TURN_CITING;

    if (t->state == TURN_ENDING) {
        t->sent = t->shown = t->settled = length(t);
        t->page = t->page == PAGE_MET ? PAGE_NONE : t->page;
        turn_drained(t);
        return;
    }
    turn_no_memory(t);
    if (waits)
        turn_go_on(t, TURN_ANSWERING);
}

/* A copy: the feed's buffer may move while the piece is with the store. */
static void append_piece(struct turn *t)
{
    buf_reset(&t->piece);
    buf_add(&t->piece,
            (struct str){feed_text(t->feed, t->sent).p, may_go(t) - t->sent});
    if (t->piece.broken != FOOTNOTE_OK) {
        no_room(t);
        return;
    }
    t->op.append = (struct answer_append){.answer = &t->answer,
                                          .text = buf_str(&t->piece)};
    turn_write(t, OP(answer_append), &t->op.append, appended);
}

/* Relaxed, and nothing waits for the text to be stored. */
static bool is_relaxed(const struct turn *t)
{
    return t->state == TURN_ANSWERING &&
           store_is_relaxed(t->loop->chat->options.store);
}

/* Relaxed text gathers for a while. */
static bool is_due(struct turn *t)
{
    if (!is_relaxed(t))
        return true;
    if (t->flush_ms == 0) {
        t->flush_ms = (int64_t)uv_now(t->loop->uv) + RELAXED_MS;
        turn_timer(t);
        return false;
    }
    if (t->flush_ms > (int64_t)uv_now(t->loop->uv))
        return false;
    t->flush_ms = 0;
    return true;
}

void turn_flush(struct turn *t)
{
    if (t->state == TURN_ENDING && t->settled < length(t))
        t->settled = length(t);
    page_find_marker(t);
    if (!t->stored || (is_relaxed(t) && !t->gone))
        show_text(t, may_go(t));
    if (!t->stored)
        t->sent = t->shown;
    if (t->busy || t->state == TURN_OVER)
        return;
    if (t->gone)
        t->sent = t->settled;
    if (may_go(t) > t->sent && is_due(t))
        append_piece(t);
    else if (t->page == PAGE_MET && t->sent == t->page_at && !t->gone)
        page_cite(t);
    else if (t->settled == t->sent)
        turn_drained(t);
}

/* U+0000 is valid in JSON and stored nowhere. */
static enum footnote_rc write_clean(struct feed *f, struct str text)
{
    enum footnote_rc rc = FOOTNOTE_OK;

    while (text.n && rc == FOOTNOTE_OK) {
        size_t n = str_find(text, '\0');

        rc = feed_write(f, (struct str){text.p, n});
        if (n < text.n && rc == FOOTNOTE_OK)
            rc = feed_write(f, STR("\xef\xbf\xbd"));
        text = str_skip(text, n < text.n ? n + 1 : n);
    }
    return rc;
}

void turn_say(struct turn *t, struct str text)
{
    size_t from =
        t->scanned > MARK_BACK_BYTES ? t->scanned - MARK_BACK_BYTES : 0;
    size_t at = t->scanned - from;
    enum footnote_rc rc;

    if (t->state != TURN_ANSWERING)
        return;
    rc = write_clean(t->feed, text);
    if (rc != FOOTNOTE_OK) {
        bool long_ = rc == FOOTNOTE_TOOBIG;

        t->settled = length(t);
        turn_fail(t, long_ ? "model_limit" : "no_memory",
                  long_ ? "The answer is too long."
                        : "The server is out of memory.");
        return;
    }
    t->settled = from + marks_settled_from(feed_text(t->feed, from), &at);
    t->scanned = from + at;
    pause_model(t);
    turn_flush(t);
}
