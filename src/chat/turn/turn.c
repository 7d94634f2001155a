/* turn.c - how a turn goes on and how it ends.
 *
 * While an operation of the store or a search is under way, a stop is only
 * noted (`ending`); what comes back finds it and goes to the end.  Every way
 * out stores a status of its own, and only then tells the viewers. */
#include "chat/turn/turn.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "chat/turn/count.h"
#include "chat/turn/hub.h"
#include "chat/turn/look_again.h"
#include "chat/turn/search.h"
#include "chat/turn/text.h"
#include "chat/turn/unstored.h"
#include "chat/turn/write.h"
#include "store/read/history.h"

/* ---- Making and freeing ------------------------------------------------- */

static void turn_free(struct turn *t)
{
    struct chat_loop *l = t->loop;

    assert(t->state == TURN_OVER && !t->busy && !t->in_hub);
    *t->link = t->next;
    if (t->next)
        t->next->link = t->link;
    l->turns_n--;
    feed_drop(t->feed);
    buf_free(&t->piece);
    arena_free(&t->arena);
    arena_free(&t->search_arena);
    free(t);
    chat_loop_left(l);
}

/* A stop that is on its way finds the turn still there. */
void turn_free_when_quiet(struct turn *t)
{
    bool posted;

    hub_lock(t->loop->chat->hub);
    posted = t->stop_posted;
    hub_unlock(t->loop->chat->hub);
    if (t->timer_closed && !posted)
        turn_free(t);
}

static void on_timer_closed(uv_handle_t *h)
{
    struct turn *t = h->data;

    t->timer_closed = true;
    turn_free_when_quiet(t);
}

static void tell_waiters(struct turn *t)
{
    struct stop_waiter *w;

    hub_lock(t->loop->chat->hub);
    w = t->waiters;
    t->waiters = NULL;
    hub_unlock(t->loop->chat->hub);
    while (w) {
        struct stop_waiter *next = w->next;

        if (t->feed)
            snprintf(w->answer, sizeof(w->answer), "%.*s",
                     STR_ARG(feed_head(t->feed)->answer));
        loop_message_send(w->loop, &w->message);
        w = next;
    }
}

static void leave_hub(struct turn *t)
{
    if (t->in_hub)
        atomic_fetch_sub(&t->loop->chat->running, 1);
    hub_remove(t->loop->chat->hub, t);
    hub_leave(t->loop->chat->hub, t);
}

void turn_init(struct turn *t, struct chat_loop *l, const struct model *m)
{
    t->loop = l;
    t->model = m;
    t->stored = t->ask.question.session.p != NULL;
    t->piece = BUF(STORE_CONTENT_BYTES_MAX);
    t->tokens_in = t->tokens_out = -1;
    t->finish_reason = STR("stop");
    t->page = t->ask.question.has_image ? PAGE_GIVEN : PAGE_NONE;
    t->started_ms = (int64_t)uv_now(l->uv);
    t->deadline_ms = t->started_ms + l->chat->options.turn_ms_max;
    uv_timer_init(l->uv, &t->timer);
    t->timer.data = t;
    t->next = l->turns;
    if (t->next)
        t->next->link = &t->next;
    t->link = &l->turns;
    l->turns = t;
    l->turns_n++;
    turn_timer(t);
}

void turn_over(struct turn *t)
{
    assert(t->state != TURN_OVER && !t->call);
    t->state = TURN_OVER;
    leave_hub(t);
    tell_waiters(t);
    uv_close((uv_handle_t *)&t->timer, on_timer_closed);
}

/* ---- The end ------------------------------------------------------------ */

void turn_show_end(struct turn *t)
{
    struct feed_end end = {.message = t->end_message,
                           .finish = t->finish_reason,
                           .tokens_in = t->tokens_in,
                           .tokens_out = t->tokens_out,
                           .words_alone = t->words_alone,
                           .not_reranked = t->not_reranked};

    if (t->failure) {
        end.failure = str_c(t->sentence);
        atomic_fetch_add(&t->loop->chat->failed, 1);
    } else if (t->unshown) {
        end.failure = STR("The server ran out of memory. The answer is "
                          "stored: read it again.");
    }
    hub_leave(t->loop->chat->hub, t); /* who sees the end may ask again */
    feed_add_end(t->feed, &end);
    if (t->end_message && t->end_message->status == FOOTNOTE_COMPLETE &&
        !t->model->extractive)
        look_again(t->loop, t->ask.who, t->end_message);
    turn_over(t);
}

static void read_end(uv_work_t *w)
{
    struct turn *t = w->data;
    struct str id = feed_head(t->feed)->answer;
    struct messages_by_id get = {.ids = &id, .ids_n = 1};

    t->work_rc = store_read(t->loop->chat->options.store, t->ask.who, &t->arena,
                            OP(messages_by_id), &get, NULL);
    if (t->work_rc == FOOTNOTE_OK && get.messages[0].id.p)
        t->end_message = get.messages;
    count_end(t);
}

/* What became of an answer that somebody else has ended is what is stored. */
static void name_end(struct turn *t)
{
    const struct message *m = t->end_message;

    if (!m && t->work_rc == FOOTNOTE_OK) {
        t->failure = "session_deleted";
        t->sentence = "The session was deleted.";
    } else if (!m || m->status == FOOTNOTE_INTERRUPTED ||
               m->status == FOOTNOTE_FAILED) {
        t->failure = "ended";
        t->sentence = "The answer was ended elsewhere.";
    }
}

static void on_end_read(uv_work_t *w, int status)
{
    struct turn *t = w->data;

    (void)status;
    if (t->gone)
        name_end(t);
    turn_show_end(t);
}

static void read_back(struct turn *t)
{
    leave_hub(t);
    t->state = TURN_READING;
    t->work.data = t;
    t->work_rc = FOOTNOTE_NOMEM;
    if (uv_queue_work(t->loop->uv, &t->work, read_end, on_end_read) != 0)
        on_end_read(&t->work, 0);
}

static void finished(struct turn *t)
{
    t->gone = t->job_rc == FOOTNOTE_ENDED;
    if (t->job_rc == FOOTNOTE_OK || (t->gone && !t->failure)) {
        read_back(t);
        return;
    }
    if (!t->gone) {
        /* Its row becomes `interrupted` when the store works again. */
        store_abandon(t->loop->chat->options.store, &t->answer);
        t->failure = "store_busy";
        t->sentence = "The answer could not be stored to its end.";
    }
    turn_show_end(t);
}

static void finish(struct turn *t)
{
    t->op.finish = (struct answer_finish){.answer = &t->answer,
                                          .measured = &t->measure.measured,
                                          .status = t->status,
                                          .has_low_confidence = t->searches > 0,
                                          .low_confidence = t->low_confidence,
                                          .failure = str_c(t->failure),
                                          .model = t->model->name,
                                          .tokens_in = t->tokens_in,
                                          .tokens_out = t->tokens_out,
                                          .doc_refs = t->doc_refs,
                                          .doc_refs_n = t->doc_refs_n};
    if (t->page == PAGE_CITED) {
        t->op.finish.image_s3key = t->ask.question.image_s3key;
        t->op.finish.image_slide = t->ask.question.image_slide;
        t->op.finish.has_image_page = t->ask.question.has_image_page;
        t->op.finish.image_page = t->ask.question.image_page;
    }
    turn_write(t, OP(answer_finish), &t->op.finish, finished);
}

/* If it fails, the sources have no support. */
static void measure_work(uv_work_t *w)
{
    struct turn *t = w->data;

    (void)store_read(t->loop->chat->options.store, t->ask.who, &t->arena,
                     OP(answer_measure), &t->measure, NULL);
}

static void on_measured(uv_work_t *w, int status)
{
    struct turn *t = w->data;

    (void)status;
    t->busy = false;
    finish(t);
}

/* All text is stored, and no more comes: the feed's does not move. */
static void measure(struct turn *t)
{
    t->measure = (struct answer_measure){.answer = &t->answer,
                                         .text = feed_text(t->feed, 0)};
    t->work.data = t;
    if (uv_queue_work(t->loop->uv, &t->work, measure_work, on_measured) == 0)
        t->busy = true;
    else
        finish(t);
}

void turn_drained(struct turn *t)
{
    assert(!t->busy);
    if (t->state == TURN_CITING && t->cite_waits)
        turn_cite(t);
    if (t->state != TURN_ENDING)
        return;
    if (t->gone && t->failure)
        turn_show_end(t);
    else if (t->gone)
        read_back(t);
    else if (t->stored)
        measure(t);
    else
        unstored_end(t);
}

void turn_end(struct turn *t, enum footnote_status status)
{
    if (t->state >= TURN_ENDING)
        return;
    if (t->call)
        model_cancel(t->call);
    t->call = NULL;
    t->status = status;
    t->ending = true;
    if (t->state == TURN_BEGINNING || t->state == TURN_SEARCHING ||
        t->state == TURN_CITING) {
        if (t->again_ms) /* nothing is under way: a pause is */
            t->again_ms = (int64_t)uv_now(t->loop->uv);
        turn_timer(t);
        return; /* what is under way comes back and sees `ending` */
    }
    t->state = TURN_ENDING;
    turn_flush(t);
}

void turn_go_on(struct turn *t, enum turn_state next)
{
    t->state = next;
    if (!t->ending)
        return;
    t->state = TURN_ENDING;
    turn_flush(t);
}

void turn_fail(struct turn *t, const char *code, const char *sentence)
{
    if (t->state >= TURN_ENDING || t->failure)
        return;
    t->failure = code;
    t->sentence = sentence;
    turn_end(t, FOOTNOTE_FAILED);
}

void turn_no_memory(struct turn *t)
{
    turn_fail(t, "no_memory", "The server is out of memory.");
}

void turn_unshown(struct turn *t)
{
    t->unshown = true;
    turn_no_memory(t);
}

void turn_lost(struct turn *t)
{
    t->gone = t->job_rc == FOOTNOTE_ENDED || t->job_rc == FOOTNOTE_NOTFOUND;
    if (t->gone)
        turn_end(t, FOOTNOTE_INTERRUPTED); /* its row says how it ended */
    else
        turn_fail(t, "store_busy", "The answer could not be stored.");
}

void turn_abort(struct turn *t, enum turn_abort why)
{
    if (why == ABORT_ELSEWHERE) {
        if (t->state >= TURN_ENDING)
            return; /* it has just ended by itself, or will find out */
        t->gone = true;
        turn_end(t, FOOTNOTE_INTERRUPTED);
    } else if (why == ABORT_GONE) {
        t->gone = true;
        turn_fail(t, "session_deleted", "The session was deleted.");
    } else if (why == ABORT_CLOSING) {
        t->failure = t->failure ? t->failure : "interrupted";
        t->sentence = "The server is stopping.";
        turn_end(t, FOOTNOTE_INTERRUPTED);
    } else {
        turn_end(t, FOOTNOTE_STOPPED);
    }
}
