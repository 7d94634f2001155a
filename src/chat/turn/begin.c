/* begin.c - a question comes in: copied, stored, and off to the search. */
#include <stdlib.h>

#include "base/clock.h"
#include "chat/turn/hub.h"
#include "chat/turn/repeat.h"
#include "chat/turn/search.h"
#include "chat/turn/turn.h"
#include "chat/turn/write.h"

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

static void start(struct turn *t, const char *id)
{
    struct footnote_err err = {.text = "starting an answer"};
    struct feed_head head = {.session = t->ask.question.session,
                             .answer = str_c(id),
                             .question = str_c(t->opening->begin.question_text),
                             .model = t->model->name,
                             .created_ms = clock_wall_ms()};

    t->feed = feed_new(&head);
    if (!t->feed) {
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
        turn_search(t, STR_NONE, NULL);
}

/* To regenerate twice is to want two answers, unless a key says otherwise. */
static void begun(struct turn *t)
{
    struct opening *o = t->opening;
    bool is_new =
        t->ask.mode == ANSWER_NEW || t->ask.mode == ANSWER_NEW_OR_EDIT;

    if (t->ask.key.p && t->job_rc == FOOTNOTE_OK && !o->keyed.first) {
        o->repeat.answer = str_c(o->keyed.result_text);
        turn_repeat(t);
    } else if (is_new && (t->job_rc == FOOTNOTE_RUNNING ||
                          t->job_rc == FOOTNOTE_CONFLICT)) {
        turn_repeat(t);
    } else if (t->job_rc != FOOTNOTE_OK) {
        tell_begun(t, t->job_rc, &o->err);
        turn_over(t);
    } else {
        t->answer = o->begin.answer;
        start(t, o->begin.id_text);
    }
}

void turn_repeated(struct turn *t, struct feed *feed)
{
    struct chat_begun b = {.feed = feed, .replayed = feed != NULL};

    if (!feed) {
        b.rc = t->job_rc == FOOTNOTE_OK ? FOOTNOTE_CONFLICT : t->job_rc;
        b.err = &t->opening->err;
    }
    t->begun(t->begun_arg, &b);
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

/* A turn that is not stored begins later all the same. */
static void on_begin_message(struct loop_message *m)
{
    struct turn *t =
        (struct turn *)(void *)((char *)m - offsetof(struct turn, job_message));
    char id[UUID_BYTES + 1];

    uuid_v7(id);
    start(t, id);
}

/* ---- Asking ------------------------------------------------------------- */

static void copy_texts(struct arena *a, struct chat_ask *ask)
{
    struct message *q = &ask->question;
    struct str *texts[] = {&q->id,          &q->session,      &q->content,
                           &q->parent,      &q->image_s3key,  &q->image_slide,
                           &ask->key,       &ask->who.tenant, &ask->who.user,
                           &ask->who.scope, &ask->course,     &q->scope,
                           &ask->model,     &ask->languages};
    struct chat_line *lines =
        arena_many(a, ask->before_n + 1, struct chat_line);

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        *texts[i] = arena_str(a, *texts[i]);
    for (size_t i = 0; lines && i < ask->before_n; i++)
        lines[i] = (struct chat_line){ask->before[i].role,
                                      arena_str(a, ask->before[i].text)};
    ask->before = lines;
}

/* As text it is copied, and read again. */
static enum footnote_rc copy_filter(struct arena *a, struct chat_ask *ask,
                                    struct footnote_err *err)
{
    struct str packed;

    TRY(filter_pack(a, &ask->filter, &packed, err));
    return filter_unpack(a, packed, &ask->filter, err);
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
    t = calloc(1, sizeof(*t));
    if (!t)
        return err_set(err, FOOTNOTE_NOMEM, "starting an answer");
    t->arena = t->search_arena = ARENA(ARENA_BYTES_MAX);
    t->opening = arena_new(&t->arena, struct opening);
    t->ask = *ask;
    copy_texts(&t->arena, &t->ask);
    rc = copy_filter(&t->arena, &t->ask, err);
    if (rc == FOOTNOTE_OK)
        rc = arena_rc(&t->arena, err);
    if (rc == FOOTNOTE_OK &&
        !hub_enter(l->chat->hub, t, (size_t)o->turns_per_user))
        rc =
            err_field(err, FOOTNOTE_BUSY, "turns",
                      "%d answers are running already", (int)o->turns_per_user);
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
        t->job_message.deliver = on_begin_message;
        loop_message_send(l, &t->job_message);
    }
    return FOOTNOTE_OK;
}
