/* ask_local.c - runs a turn in this process, on the data folder, whose lock
 * keeps servers out meanwhile.  The turn is stored like any other: after a
 * kill, the next start finds it interrupted. */
#include <assert.h>
#include <uv.h>

#include "cli/ask.h"
#include "cli/services.h"
#include "http/stream/chat.h"
#include "store/answer/answer.h"
#include "store/document/search.h"
#include "store/session/course.h"

enum { EVENT_BYTES_MAX = 16 * 1024 * 1024, COURSES_BYTES_MAX = 64 << 20 };

struct local_ask {
    struct asking *ask;
    struct ask_show *show;
    int lock;
    struct services services;
    struct arena arena;
    uv_loop_t uv;
    struct chat_loop *loop;
    struct feed *feed;
    struct view *view;
    enum footnote_rc rc; /* of the question */
    struct footnote_err err;
};

static void finish(struct local_ask *l)
{
    view_close(l->view);
    feed_drop(l->feed);
    l->view = NULL;
    l->feed = NULL;
    chat_loop_close(l->loop, NULL, NULL);
}

/* ---- Watching ----------------------------------------------------------- */

static bool show_entry(void *arg, const struct feed_entry *e)
{
    AUTO(buf_free) struct buf b = BUF(EVENT_BYTES_MAX);
    struct local_ask *l = arg;
    struct format_state shown = {.kind = &event_format,
                                 .head = feed_head(l->feed)};

    event_format.entry(&b, &shown, e);
    if (b.broken == FOOTNOTE_OK)
        ask_show_bytes(l->show, buf_str(&b));
    else
        l->show->broken = true;
    return true;
}

static void on_wake(void *arg)
{
    struct local_ask *l = arg;

    assert(l->view);
    (void)view_read(l->view, show_entry, l);
    if (view_is_over(l->view))
        finish(l);
}

static void on_begun(void *arg, const struct chat_begun *b)
{
    struct local_ask *l = arg;

    assert(!l->feed && !l->view);
    l->rc = b->rc;
    l->feed = b->feed;
    if (b->rc == FOOTNOTE_OK)
        l->view = view_open(b->feed, l->loop, on_wake, l);
    if (l->view) {
        view_wake(l->view);
        return;
    }
    if (b->rc == FOOTNOTE_OK)
        l->rc = err_set(&l->err, FOOTNOTE_NOMEM, "watching the answer");
    else
        l->err = *b->err;
    finish(l);
}

/* ---- Asking ------------------------------------------------------------- */

/* That they are there, and kept with the question as a server keeps them. */
static enum footnote_rc find_documents(struct local_ask *l, struct chat_ask *q,
                                       struct footnote_err *err)
{
    struct search_scope find = {.course = q->course, .filter = &q->filter};

    if (!filter_limits(&q->filter))
        return FOOTNOTE_OK;
    TRY(store_read(l->services.store, q->who, &l->arena, OP(search_scope),
                   &find, err));
    if (q->filter.documents_n)
        q->course = find.courses[0].id;
    q->filter.course = q->course;
    return filter_pack(&l->arena, &q->filter, &q->question.scope, err);
}

static enum footnote_rc ask_and_wait(struct local_ask *l,
                                     struct footnote_err *err)
{
    const struct asking *a = l->ask;
    struct chat_ask q = {
        .who = a->who,
        .question = {.session = a->session, .content = a->question},
        .mode = ANSWER_NEW,
        .model = a->model,
        .filter = a->limits.filter};

    if (a->course.p)
        TRY(cli_course(l->services.store, a->who, &l->arena, a->course,
                       &q.course, err));
    TRY(find_documents(l, &q, err));
    TRY(chat_loop_open(l->services.chat, &l->uv, &l->loop, err));
    if (chat_ask(l->loop, &q, on_begun, l, &l->err) != FOOTNOTE_OK) {
        l->rc = l->err.rc;
        finish(l);
    }
    uv_run(&l->uv, UV_RUN_DEFAULT);
    if (l->rc != FOOTNOTE_OK)
        *err = l->err;
    return l->rc;
}

/* ---- Opening and closing ------------------------------------------------ */

static void close_all(struct local_ask *l)
{
    if (l->services.store) {
        services_close(&l->services);
        store_close(l->services.store);
    }
    lock_release(&l->lock);
    arena_free(&l->arena);
}

enum footnote_rc ask_local(struct asking *a, struct ask_show *s,
                           struct footnote_err *err)
{
    AUTO(close_all)
    struct local_ask l = {
        .ask = a, .show = s, .lock = -1, .arena = ARENA(COURSES_BYTES_MAX)};
    struct cli *c = a->c;
    enum footnote_rc rc;

    c->config.ingest_workers = 0; /* leave the queue to a server */
    c->config.index_wait_ms = c->config.turn_ms_max; /* nobody else waits */
    TRY(folder_enter_existing(&c->config, err));
    TRY(lock_take(&c->config, &l.lock, err));
    TRY(folder_open_locked(&c->arena, &c->config, STR_NONE, &l.services.store,
                           err));
    TRY(services_open(&c->arena, &c->config, &l.services, err));
    if (uv_loop_init(&l.uv) != 0)
        return err_set(err, FOOTNOTE_NOMEM, "starting a loop");
    rc = ask_and_wait(&l, err);
    (void)uv_loop_close(&l.uv);
    return rc;
}
