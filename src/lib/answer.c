/* answer.c - an answer as it grows.
 *
 * Strict: every call returns after its commit.  Relaxed: text is handed to the
 * writer and the call returns; a failure is told by the next call.  Sources
 * and the end are always waited for, and by then so is all text. */
#include <pthread.h>
#include <stdlib.h>

#include "lib/convert.h"
#include "store/answer/answer.h"

struct footnote_answer {
    struct footnote *fn;
    struct answer answer;
    bool ended;
    char id[STORE_ID_BYTES_MAX + 1];
    /* Relaxed text under way. */
    pthread_mutex_t lock;
    pthread_cond_t idle;
    size_t pending;
    struct footnote_err failed; /* rc OK: none */
};

static enum footnote_rc answer_new(struct footnote *fn, struct answer_begin *op,
                                   struct footnote_answer **out,
                                   struct footnote_err *err)
{
    struct footnote_answer *a = calloc(1, sizeof(*a));
    enum footnote_rc rc;

    *out = NULL;
    if (!a)
        return err_set(err, FOOTNOTE_NOMEM, "opening an answer");
    rc = store_write(fn->store, lib_who(fn), OP(answer_begin), op, err);
    if (rc != FOOTNOTE_OK) {
        free(a);
        return rc;
    }
    a->fn = fn;
    a->answer = op->answer;
    memcpy(a->id, op->id_text, sizeof(a->id));
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->idle, NULL);
    *out = a;
    return FOOTNOTE_OK;
}

enum footnote_rc footnote_answer_open(struct footnote *fn,
                                      const struct footnote_message *question,
                                      const char *answer_id,
                                      struct footnote_answer **out,
                                      struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(FRONT_ARENA_BYTES);
    struct answer_begin op = {.mode = ANSWER_NEW_OR_EDIT,
                              .answer_id = str_c(answer_id)};

    *out = NULL;
    TRY(lib_message(&a, question, &op.question, err));
    return answer_new(fn, &op, out, err);
}

enum footnote_rc footnote_answer_again(struct footnote *fn, const char *session,
                                       const char *question,
                                       const char *answer_id,
                                       struct footnote_answer **out,
                                       struct footnote_err *err)
{
    struct answer_begin op = {
        .mode = ANSWER_REGENERATE,
        .answer_id = str_c(answer_id),
        .question = {.id = str_c(question), .session = str_c(session)}};

    *out = NULL;
    return answer_new(fn, &op, out, err);
}

const char *footnote_answer_id(const struct footnote_answer *a)
{
    return a->id;
}

/* ---- Relaxed text ------------------------------------------------------- */

struct relaxed { /* one piece of text on its way */
    struct store_job job;
    struct footnote_answer *owner;
    struct answer before; /* as it was when the piece was handed over */
    struct answer_append op;
    char text[];
};

static void relaxed_done(struct store_job *job, enum footnote_rc rc,
                         const struct footnote_err *err)
{
    struct relaxed *r = (struct relaxed *)job;
    struct footnote_answer *a = r->owner;

    pthread_mutex_lock(&a->lock);
    if (rc != FOOTNOTE_OK && a->failed.rc == FOOTNOTE_OK)
        a->failed = *err;
    if (--a->pending == 0)
        pthread_cond_signal(&a->idle);
    pthread_mutex_unlock(&a->lock);
    free(r);
}

/* A failure of relaxed text so far; with `wait`, of all of it. */
static enum footnote_rc check_text_failed(struct footnote_answer *a, bool wait,
                                          struct footnote_err *err)
{
    struct footnote_err failed;

    pthread_mutex_lock(&a->lock);
    while (wait && a->pending > 0)
        pthread_cond_wait(&a->idle, &a->lock);
    failed = a->failed;
    pthread_mutex_unlock(&a->lock);
    if (failed.rc != FOOTNOTE_OK && err)
        *err = failed;
    return failed.rc;
}

static enum footnote_rc write_relaxed(struct footnote_answer *a,
                                      struct str text, struct footnote_err *err)
{
    struct relaxed *r = calloc(1, sizeof(*r) + text.n);
    enum footnote_rc rc;

    if (!r)
        return err_set(err, FOOTNOTE_NOMEM, "writing an answer");
    memcpy(r->text, text.p, text.n);
    r->owner = a;
    r->before = a->answer;
    r->op =
        (struct answer_append){.answer = &r->before, .text = {r->text, text.n}};
    r->job = (struct store_job){.who = lib_who(a->fn),
                                .kind = OP(answer_append),
                                .op = &r->op,
                                .done = relaxed_done};
    rc = answer_advance(&a->answer, r->op.text, err);
    if (rc != FOOTNOTE_OK) {
        free(r);
        return rc;
    }
    pthread_mutex_lock(&a->lock);
    a->pending++;
    pthread_mutex_unlock(&a->lock);
    rc = store_submit(a->fn->store, &r->job, err);
    if (rc != FOOTNOTE_OK)
        relaxed_done(&r->job, rc, &(struct footnote_err){.rc = rc});
    return rc;
}

/* ---- Calls -------------------------------------------------------------- */

static enum footnote_rc check_open(struct footnote_answer *a,
                                   struct footnote_err *err)
{
    if (a->ended)
        return err_set(err, FOOTNOTE_ENDED, "the answer was finished");
    return FOOTNOTE_OK;
}

enum footnote_rc footnote_answer_cite(struct footnote_answer *a,
                                      const struct footnote_source *s,
                                      size_t s_n, uint32_t *numbers,
                                      struct footnote_err *err)
{
    AUTO(arena_free) struct arena arena = ARENA(FRONT_ARENA_BYTES);
    struct answer_cite op = {.answer = &a->answer, .sources_n = s_n};

    op.numbers = numbers;
    TRY(check_open(a, err));
    TRY(check_text_failed(a, true, err));
    TRY(lib_sources(&arena, s, s_n, &op.sources, err));
    return store_write(a->fn->store, lib_who(a->fn), OP(answer_cite), &op, err);
}

enum footnote_rc footnote_answer_write(struct footnote_answer *a,
                                       const char *text, size_t bytes,
                                       struct footnote_err *err)
{
    struct answer_append op = {.answer = &a->answer, .text = {text, bytes}};

    TRY(check_open(a, err));
    TRY(check_text_failed(a, false, err));
    if (bytes == 0)
        return FOOTNOTE_OK;
    if (store_is_relaxed(a->fn->store))
        return write_relaxed(a, op.text, err);
    return store_write(a->fn->store, lib_who(a->fn), OP(answer_append), &op,
                       err);
}

enum footnote_rc footnote_answer_finish(struct footnote_answer *a,
                                        enum footnote_status end,
                                        bool low_confidence,
                                        struct footnote_err *err)
{
    AUTO(arena_free) struct arena arena = ARENA(FRONT_ARENA_BYTES);
    struct answer_measure measure = {.answer = &a->answer};
    struct answer_finish op = {.answer = &a->answer,
                               .status = end,
                               .measured = &measure.measured,
                               .has_low_confidence = true,
                               .low_confidence = low_confidence};

    TRY(check_open(a, err));
    TRY(check_text_failed(a, true, err));
    /* If it fails, the sources have no support. */
    (void)store_read(a->fn->store, lib_who(a->fn), &arena, OP(answer_measure),
                     &measure, NULL);
    TRY(store_write(a->fn->store, lib_who(a->fn), OP(answer_finish), &op, err));
    a->ended = true;
    return FOOTNOTE_OK;
}

void footnote_answer_close(struct footnote_answer *a)
{
    struct answer_finish op;

    if (!a)
        return;
    (void)check_text_failed(a, true, NULL);
    op = (struct answer_finish){.answer = &a->answer,
                                .status = FOOTNOTE_INTERRUPTED};
    if (!a->ended && store_write(a->fn->store, lib_who(a->fn),
                                 OP(answer_finish), &op, NULL) != FOOTNOTE_OK)
        store_abandon(a->fn->store, &a->answer);
    pthread_cond_destroy(&a->idle);
    pthread_mutex_destroy(&a->lock);
    free(a);
}
