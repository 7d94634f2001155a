/* begin.c - a question comes in: copied, stored, and off to the search. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/uuid.h"
#include "chat/inner.h"
#include "store/answer/answer.h"
#include "store/idempotency.h"
#include "store/session/message.h"
#include "store/store.h"

enum { ARENA_BYTES_MAX = 64 * 1024 * 1024 };

/* ---- The beginning ------------------------------------------------------ */

static void tell_begun(struct turn *t, enum footnote_rc rc,
                       const struct footnote_err *err)
{
    struct chat_begun b = {.rc = rc, .err = err};

    if (t->feed)
        b.feed = feed_hold(t->feed);
    t->begun(t->begun_arg, &b);
}

static bool make_feed(struct turn *t, const char *id)
{
    struct feed_head head = {.answer = str_c(id),
                             .question = str_c(t->opening->begin.question_text),
                             .model = t->model->name,
                             .created_ms = clock_wall_ms()};

    if (t->stored)
        head.session = t->ask.question.session;
    t->feed = feed_new(&head);
    return t->feed != NULL;
}

static void start(struct turn *t, const char *id)
{
    struct footnote_err err = {.text = "starting an answer"};

    if (!make_feed(t, id)) {
        if (t->stored)
            store_abandon(t->loop->chat->options.store, &t->answer);
        tell_begun(t, FOOTNOTE_NOMEM, &err);
        turn_over(t);
        return;
    }
    atomic_fetch_add(&t->loop->chat->turns, 1);
    if (t->stored) {
        atomic_fetch_add(&t->loop->chat->running, 1);
        hub_add(t->loop->chat->hub, t);
    }
    tell_begun(t, FOOTNOTE_OK, NULL);
    turn_go_on(t, TURN_SEARCHING);
    if (t->state == TURN_SEARCHING)
        turn_search(t, STR_NONE, STR_NONE);
}

/* To regenerate twice is to want two answers, unless a key says otherwise. */
static bool is_new(const struct turn *t)
{
    return t->ask.mode == ANSWER_NEW || t->ask.mode == ANSWER_NEW_OR_EDIT;
}

static void begun(struct turn *t)
{
    if (t->ask.key.p && t->job_rc == FOOTNOTE_OK && !t->opening->keyed.first) {
        t->opening->repeat.answer = str_c(t->opening->keyed.result_text);
        turn_repeat(t);
        return;
    }
    if (is_new(t) &&
        (t->job_rc == FOOTNOTE_RUNNING || t->job_rc == FOOTNOTE_CONFLICT)) {
        turn_repeat(t);
        return;
    }
    if (t->job_rc != FOOTNOTE_OK) {
        tell_begun(t, t->job_rc, &t->opening->err);
        turn_over(t);
        return;
    }
    t->answer = t->opening->begin.answer;
    start(t, t->opening->begin.id_text);
}

/* This was asked before: the feed of that turn is the answer. */
void turn_repeated(struct turn *t, struct feed *feed)
{
    struct chat_begun b = {.feed = feed, .replayed = true};

    if (feed) {
        t->begun(t->begun_arg, &b);
    } else {
        b.rc = t->job_rc == FOOTNOTE_OK ? FOOTNOTE_CONFLICT : t->job_rc;
        b.err = &t->opening->err;
        b.replayed = false;
        t->begun(t->begun_arg, &b);
    }
    turn_over(t);
}

static void begin(struct turn *t)
{
    struct opening *o = t->opening;

    o->begin = (struct answer_begin){.question = t->ask.question,
                                     .mode = t->ask.mode,
                                     .course = t->ask.course};
    if (!t->ask.key.p) {
        turn_write(t, OP(answer_begin), &o->begin, begun);
        return;
    }
    o->keyed = (struct keyed_write){.scope = t->ask.question.session,
                                    .key = t->ask.key,
                                    .request = t->ask.request,
                                    .kind = OP(answer_begin),
                                    .op = &o->begin,
                                    .result = o->begin.id_text};
    turn_write(t, OP(keyed_write), &o->keyed, begun);
}

static void on_begin_mail(struct mail *m)
{
    struct turn *t =
        (struct turn *)(void *)((char *)m - offsetof(struct turn, job_mail));
    char id[UUID_BYTES + 1];

    uuid_v7(id);
    start(t, id);
}

/* ---- Asking ------------------------------------------------------------- */

static void copy_message(struct arena *a, struct message *m)
{
    m->id = arena_str(a, m->id);
    m->session = arena_str(a, m->session);
    m->content = arena_str(a, m->content);
    m->image_s3key = arena_str(a, m->image_s3key);
    m->image_slide = arena_str(a, m->image_slide);
}

static void copy_ask(struct arena *a, struct chat_ask *ask)
{
    struct chat_line *lines =
        arena_many(a, ask->before_n + 1, struct chat_line);

    copy_message(a, &ask->question);
    ask->who.tenant = arena_str(a, ask->who.tenant);
    ask->who.user = arena_str(a, ask->who.user);
    ask->key = arena_str(a, ask->key);
    ask->model = arena_str(a, ask->model);
    ask->course = arena_str(a, ask->course);
    ask->document = arena_str(a, ask->document);
    for (size_t i = 0; lines && i < ask->before_n; i++)
        lines[i] = (struct chat_line){ask->before[i].role,
                                      arena_str(a, ask->before[i].text)};
    ask->before = lines;
}

static enum footnote_rc may_run(struct chat *c, const struct chat_ask *ask,
                                struct footnote_err *err)
{
    int64_t max = c->options.turns_per_user;

    if (max > 0 && hub_count(c->hub, ask->who) >= (size_t)max)
        return err_field(err, FOOTNOTE_BUSY, "turns",
                         "%d answers are running already", (int)max);
    return FOOTNOTE_OK;
}

enum footnote_rc chat_ask(struct chat_loop *l, const struct chat_ask *ask,
                          chat_begun_fn *begun_fn, void *arg,
                          struct footnote_err *err)
{
    const struct chat_options *o = &l->chat->options;
    const struct model *model = models_find(o->models, ask->model);
    struct turn *t;
    enum footnote_rc rc;

    if (!model)
        return err_field(err, FOOTNOTE_INVALID, "model",
                         "%.*s is not configured", STR_ARG(ask->model));
    if (l->closing)
        return err_set(err, FOOTNOTE_BUSY, "the server is stopping");
    TRY(may_run(l->chat, ask, err));
    t = calloc(1, sizeof(*t));
    if (!t)
        return err_set(err, FOOTNOTE_NOMEM, "starting an answer");
    t->arena = ARENA(ARENA_BYTES_MAX);
    t->opening = arena_new(&t->arena, struct opening);
    t->ask = *ask;
    copy_ask(&t->arena, &t->ask);
    rc = arena_rc(&t->arena, err);
    if (rc != FOOTNOTE_OK) {
        arena_free(&t->arena);
        free(t);
        return rc;
    }
    turn_init(t, l, model);
    t->begun = begun_fn;
    t->begun_arg = arg;
    if (t->stored) {
        begin(t);
    } else {
        t->job_mail.deliver = on_begin_mail;
        mail_send(l, &t->job_mail);
    }
    return FOOTNOTE_OK;
}
