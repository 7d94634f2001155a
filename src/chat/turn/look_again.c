/* look_again.c - see look_again.h. */
#include "chat/turn/look_again.h"

#include <assert.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "chat/loop/engine.h"
#include "chat/loop/loop_message.h"
#include "chat/turn/look_words.h"
#include "store/session/message.h"
#include "store/source/verdict_form.h"

enum {
    LOOKS_MAX = 4, /* at the same time, on all loops */
    ARENA_BYTES_MAX = 1024 * 1024,
    MINUTE_MS = 60 * 1000
};

struct look {
    struct chat_loop *loop;
    struct look *next, **link; /* of the loop */
    struct arena arena;
    struct who who;
    struct sentence_verdict *list;
    size_t n;
    struct model_call *call;
    struct buf reply;
    struct verdict_add op;
    struct store_job job;
    struct loop_message message; /* it is done */
    enum footnote_rc rc;
};

/* ---- How often ----------------------------------------------------------- */

static void count(struct chat *c, enum chat_look outcome)
{
    atomic_fetch_add(&c->looks[outcome], 1);
}

/* The minute and how many it has had, in one word. */
static bool may_ask(struct chat *c)
{
    uint64_t minute = (uint64_t)(clock_mono_ms() / MINUTE_MS);
    uint64_t was = atomic_load(&c->look_minute), now;

    do {
        uint64_t n = was >> 16 == minute ? was & 0xffff : 0;

        if ((int64_t)n >= c->options.verify_per_minute)
            return false;
        now = minute << 16 | (n + 1);
    } while (!atomic_compare_exchange_weak(&c->look_minute, &was, now));
    return true;
}

/* ---- Its end ------------------------------------------------------------- */

static void look_free(struct look *k)
{
    struct chat_loop *l = k->loop;

    assert(!k->call);
    *k->link = k->next;
    if (k->next)
        k->next->link = k->link;
    atomic_fetch_sub(&l->chat->looking, 1);
    buf_free(&k->reply);
    arena_free(&k->arena);
    free(k);
    chat_loop_left(l);
}

static void failed(struct look *k, enum chat_look outcome, const char *why)
{
    count(k->loop->chat, outcome);
    log_write(LOG_WARN, "an answer was not looked at again",
              LOG_TEXT("model", k->op.judge), LOG_TEXT("error", str_c(why)));
    look_free(k);
}

static void on_stored(struct loop_message *m)
{
    struct look *k =
        (struct look *)(void *)((char *)m - offsetof(struct look, message));

    if (k->rc != FOOTNOTE_OK) {
        failed(k, CHAT_LOOK_UNSTORED, footnote_rc_text(k->rc));
        return;
    }
    count(k->loop->chat, CHAT_LOOK_KEPT);
    look_free(k);
}

/* In the writer's thread. */
static void on_job_done(struct store_job *job, enum footnote_rc rc,
                        const struct footnote_err *err)
{
    struct look *k =
        (struct look *)(void *)((char *)job - offsetof(struct look, job));

    (void)err;
    k->rc = rc;
    loop_message_send(k->loop, &k->message);
}

/* Once: a record that cannot be stored now is not worth waiting for. */
static void store(struct look *k)
{
    struct footnote_err err;

    k->message.deliver = on_stored;
    k->job = (struct store_job){.who = k->who,
                                .kind = OP(verdict_add),
                                .op = &k->op,
                                .no_wait = true,
                                .done = on_job_done};
    k->rc = store_submit(k->loop->chat->options.store, &k->job, &err);
    if (k->rc != FOOTNOTE_OK)
        loop_message_send(k->loop, &k->message);
}

static void read_reply(struct look *k)
{
    struct footnote_err err;

    if (!look_read(&k->arena, buf_str(&k->reply), k->list, k->n))
        failed(k, CHAT_LOOK_UNREADABLE, "the reply is no list of verdicts");
    else if (verdicts_pack(&k->arena, k->list, k->n, &k->op.sentences, &err) !=
             FOOTNOTE_OK)
        failed(k, CHAT_LOOK_UNSTORED, err.text);
    else
        store(k);
}

/* ---- Asking -------------------------------------------------------------- */

static void on_text(void *arg, struct str delta)
{
    struct look *k = arg;

    buf_add(&k->reply, delta);
    if (buf_rc(&k->reply, NULL) == FOOTNOTE_OK)
        return;
    model_cancel(k->call);
    k->call = NULL;
    failed(k, CHAT_LOOK_UNREADABLE, "the reply is too long");
}

static void on_end(void *arg, const struct model_end *end)
{
    struct look *k = arg;

    k->call = NULL;
    if (end->ok)
        read_reply(k);
    else
        failed(k, CHAT_LOOK_FAILED, end->code);
}

static enum footnote_rc start(struct look *k, const struct message *m,
                              const struct model *model,
                              struct footnote_err *err)
{
    struct model_events events = {.arg = k, .text = on_text, .end = on_end};
    struct model_ask ask = {.model = model, .lines_n = 2};
    struct look_words words;

    TRY(look_words(&k->arena, m, &words, err));
    k->list = words.list;
    k->n = words.n;
    if (!k->n)
        return FOOTNOTE_OK;
    k->reply = BUF(words.reply_bytes_max);
    k->who = (struct who){arena_str(&k->arena, k->who.tenant),
                          arena_str(&k->arena, k->who.user),
                          arena_str(&k->arena, k->who.scope)};
    k->op = (struct verdict_add){.message = arena_str(&k->arena, m->id),
                                 .digest = m->digest,
                                 .judge = model->name};
    TRY(arena_rc(&k->arena, err));
    ask.lines = words.lines;
    return model_start(k->loop->models, k->loop->chat->options.models, &ask,
                       &events, &k->call, err);
}

static struct look *look_new(struct chat_loop *l, struct who who)
{
    struct look *k = calloc(1, sizeof(*k));

    if (!k)
        return NULL;
    k->loop = l;
    k->who = who;
    k->arena = ARENA(ARENA_BYTES_MAX);
    k->next = l->looks;
    if (k->next)
        k->next->link = &k->next;
    k->link = &l->looks;
    l->looks = k;
    atomic_fetch_add(&l->chat->looking, 1);
    return k;
}

void look_again(struct chat_loop *l, struct who who, const struct message *m)
{
    struct chat *c = l->chat;
    struct footnote_err err = {.text = ""};
    const struct model *model;
    struct look *k;

    if (!c->options.verify_model.p || l->closing || !m->verdicts_n ||
        !m->has_digest)
        return;
    model = models_find(c->options.models, c->options.verify_model);
    if (!model || model->extractive)
        return;
    if (atomic_load(&c->looking) >= LOOKS_MAX || !may_ask(c)) {
        count(c, CHAT_LOOK_SKIPPED);
        return;
    }
    k = look_new(l, who);
    if (!k)
        return;
    k->op.judge = model->name;
    if (start(k, m, model, &err) != FOOTNOTE_OK)
        failed(k, CHAT_LOOK_FAILED, err.text);
    else if (!k->n)
        look_free(k);
}

/* One whose record is with the writer comes back, and leaves then. */
void look_again_stop(struct chat_loop *l)
{
    for (struct look *k = l->looks, *next; k; k = next) {
        next = k->next;
        if (!k->call)
            continue;
        model_cancel(k->call);
        k->call = NULL;
        look_free(k);
    }
}
