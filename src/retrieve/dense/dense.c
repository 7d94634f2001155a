/* dense.c - what a search asks of vectors, and their life. */
#include "retrieve/dense/dense.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "base/uuid.h"
#include "retrieve/dense/dense_course.h"
#include "store/document/document.h"

enum {
    SHORT_BYTES = 512, /* of a question that was refused */
    BATCH_FIRST = 32,
    MARK_BYTES = 10
};

/* ---- Courses: with the lock ---------------------------------------------- */

static void course_free(struct dense_course *c)
{
    vectors_drop(c->vectors);
    dense_todo_free(c);
    free(c->tenant);
    free(c->id);
    free(c);
}

struct dense_course *dense_course_find(struct dense *d, struct str tenant,
                                       struct str id)
{
    struct dense_course *c = d->courses;

    while (c &&
           (!str_eq(str_c(c->id), id) || !str_eq(str_c(c->tenant), tenant)))
        c = c->next;
    if (c)
        return c;
    c = calloc(1, sizeof(*c));
    if (!c)
        return NULL;
    c->tenant = strndup(tenant.p, tenant.n);
    c->id = strndup(id.p, id.n);
    c->index_version = c->embedded_version = -1;
    if (!c->tenant || !c->id) {
        course_free(c);
        return NULL;
    }
    c->next = d->courses;
    d->courses = c;
    return c;
}

void dense_changed(struct dense *d, struct str tenant, struct str course)
{
    struct dense_course *c;

    pthread_mutex_lock(&d->lock);
    c = dense_course_find(d, tenant, course);
    if (c) /* else a search tries again */
        c->to_load = true;
    pthread_cond_broadcast(&d->load_work);
    pthread_mutex_unlock(&d->lock);
}

void dense_all(struct dense *d)
{
    pthread_mutex_lock(&d->lock);
    d->walking = true;
    pthread_cond_broadcast(&d->load_work);
    pthread_mutex_unlock(&d->lock);
}

struct dense_progress dense_progress(struct dense *d, struct str tenant,
                                     struct str course)
{
    struct dense_progress p = {0, 0};

    pthread_mutex_lock(&d->lock);
    for (const struct dense_course *c = d->courses; c; c = c->next)
        if (!course.p || (str_eq(str_c(c->id), course) &&
                          str_eq(str_c(c->tenant), tenant))) {
            p.passages += c->progress.passages;
            p.vectors += c->progress.vectors;
        }
    pthread_mutex_unlock(&d->lock);
    return p;
}

struct endpoint *dense_endpoint(struct dense *d)
{
    return d->endpoint;
}

/* ---- A question ---------------------------------------------------------- */

static bool is_behind(const struct dense_course *c, int64_t index_version)
{
    int64_t has = c->index_version > 0 ? c->index_version : 0;

    return index_version > has;
}

static void wait_until(struct dense *d, int64_t until_ms)
{
    int64_t left = until_ms - clock_mono_ms();
    struct timespec at;

    clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_sec += left / 1000;
    at.tv_nsec += left % 1000 * 1000000L;
    at.tv_sec += at.tv_nsec / 1000000000L;
    at.tv_nsec %= 1000000000L;
    (void)pthread_cond_timedwait(&d->done, &d->lock, &at);
}

/* What was never loaded is waited for until the deadline; what is behind only
 * when the caller has the time.  With the lock. */
static void look_after(struct dense *d, struct dense_course *c,
                       int64_t index_version, bool wait, int64_t until_ms)
{
    uint64_t failures = c->failures;

    c->used = ++d->searches_n;
    while (!d->closing && is_behind(c, index_version) &&
           c->failures == failures) {
        c->asked = true;
        if (!c->loading)
            c->to_load = true;
        pthread_cond_broadcast(&d->load_work);
        if (wait)
            pthread_cond_wait(&d->done, &d->lock);
        else if (c->index_version == -1 && clock_mono_ms() < until_ms)
            wait_until(d, until_ms);
        else
            return;
    }
}

static void take_vectors(struct dense *d, struct arena *a,
                         const struct dense_question *q, int64_t until_ms,
                         struct dense_found *out)
{
    out->vectors = arena_many(a, q->courses_n + 1, struct vectors *);
    if (!out->vectors)
        return;
    pthread_mutex_lock(&d->lock);
    for (size_t i = 0; i < q->courses_n; i++) {
        struct dense_course *c =
            dense_course_find(d, q->who.tenant, q->courses[i].id);

        if (!c)
            continue;
        look_after(d, c, q->courses[i].index_version, q->wait, until_ms);
        if (!c->vectors || c->vectors->n == 0)
            continue;
        atomic_fetch_add(&c->vectors->refs, 1);
        out->vectors[out->vectors_n++] = c->vectors;
    }
    pthread_mutex_unlock(&d->lock);
}

/* A question that is refused is asked shorter, once. */
static bool ask_for_vector(struct dense *d, struct arena *a, bool ours,
                           struct embedding *op, struct str *text)
{
    size_t want = op->want;

    for (;;) {
        op->want = want;
        if (ours ? dense_embed(d, a, op)
                 : embed(d->endpoint, a, op, NULL) == FOOTNOTE_OK)
            return true;
        if (!op->refused || text->n <= SHORT_BYTES)
            return false;
        text->n = SHORT_BYTES;
        text->n = utf8_whole(*text);
    }
}

static const float *embed_question(struct dense *d, struct arena *a,
                                   const struct vectors *v, struct str text,
                                   int64_t left_ms)
{
    struct str whole =
        arena_printf(a, "%s%.*s", d->query_prefix, STR_ARG(text));
    struct str model = str_c(v->model);
    struct embedding op = {.texts = &whole,
                           .n = 1,
                           .lane = ENDPOINT_QUESTIONS,
                           .timeout_ms = left_ms,
                           .model = dense_asked_model(d, model)};

    if (!whole.p || left_ms <= 0)
        return NULL;
    op.want = v->size;
    return ask_for_vector(d, a, str_eq(model, str_c(d->stored)), &op, &whole) &&
                   op.size == v->size
               ? op.floats
               : NULL;
}

/* Courses with vectors of one model share its vector of the question. */
static void find_nearest(struct dense *d, struct arena *a,
                         const struct dense_question *q, int64_t until_ms,
                         size_t max, struct dense_found *out)
{
    const float *floats = NULL;
    const struct vectors *of = NULL;

    for (size_t i = 0; i < out->vectors_n; i++) {
        const struct vectors *v = out->vectors[i];

        if (!of || strcmp(of->model, v->model) != 0 || of->size != v->size)
            floats = endpoint_pause_ms(d->endpoint, ENDPOINT_QUESTIONS) == 0
                         ? embed_question(d, a, v, q->text,
                                          until_ms - clock_mono_ms())
                         : NULL;
        of = v;
        if (floats)
            vectors_nearest(v, a, floats, q->only, out->near, &out->n, max);
        else
            out->failed = true;
    }
}

void dense_find(struct dense *d, struct arena *a,
                const struct dense_question *q, size_t max,
                struct dense_found *out)
{
    int64_t until_ms = clock_mono_ms() + d->wait_ms;

    *out =
        (struct dense_found){.near = arena_many(a, max, struct near_passage)};
    if (!out->near)
        return;
    take_vectors(d, a, q, until_ms, out);
    find_nearest(d, a, q, until_ms, max, out);
}

static bool block_has(const struct vector_block *b, int64_t version,
                      int64_t position)
{
    size_t from = 0, to = b->n;

    if (b->version != version)
        return false;
    while (from < to) {
        size_t half = from + (to - from) / 2;

        if (b->positions[half] < position)
            from = half + 1;
        else
            to = half;
    }
    return from < b->n && b->positions[from] == position;
}

bool dense_compared(const struct dense_found *f, int64_t document,
                    int64_t version, int64_t position)
{
    for (size_t i = 0; i < f->vectors_n; i++) {
        const struct vector_block *b = vectors_find(f->vectors[i], document);

        if (b)
            return block_has(b, version, position);
    }
    return false;
}

void dense_found_free(struct dense_found *f)
{
    for (size_t i = 0; i < f->vectors_n; i++)
        vectors_drop(f->vectors[i]);
    f->vectors_n = 0;
}

/* ---- Life ---------------------------------------------------------------- */

static void closep(struct dense **d)
{
    dense_close(*d);
}

/* Vectors that were made with another prefix are another model's. */
static bool name_model(struct dense *d, const struct dense_options *o)
{
    char hex[SHA256_HEX + 1], mark[MARK_BYTES + 1] = "";
    struct sha256 digest;

    if (*d->passage_prefix) {
        if (sha256(str_c(d->passage_prefix), &digest, NULL) != FOOTNOTE_OK)
            return false;
        sha256_hex(&digest, hex);
        snprintf(mark, sizeof(mark), " #%.8s", hex);
    }
    d->model = strdup(o->model);
    if (!d->model || asprintf(&d->stored, "%s%s", o->model, mark) < 0) {
        d->stored = NULL;
        return false;
    }
    d->mark = d->stored + strlen(d->model);
    return true;
}

static bool set_options(struct dense *d, const struct dense_options *o)
{
    unsigned char random[16];

    random_bytes(random, sizeof(random));
    for (size_t i = 0; i < sizeof(random); i++)
        snprintf(d->holder + 2 * i, 3, "%02x", random[i]);
    d->query_prefix = strdup(o->query_prefix ? o->query_prefix : "");
    d->passage_prefix = strdup(o->passage_prefix ? o->passage_prefix : "");
    d->bytes_max = o->bytes_max;
    d->wait_ms = o->wait_ms;
    d->only_reads = o->only_reads;
    d->batch = BATCH_FIRST;
    return d->query_prefix && d->passage_prefix && name_model(d, o);
}

static void init_locks(struct dense *d)
{
    pthread_condattr_t monotonic;

    pthread_mutex_init(&d->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&d->load_work, &monotonic);
    pthread_cond_init(&d->embed_work, &monotonic);
    pthread_cond_init(&d->done, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

enum footnote_rc dense_open(struct store *st, const struct dense_options *o,
                            struct dense **out, struct footnote_err *err)
{
    AUTO(closep) struct dense *d = calloc(1, sizeof(*d));

    *out = NULL;
    if (!d)
        return err_set(err, FOOTNOTE_NOMEM, "opening the retriever");
    init_locks(d);
    d->store = st;
    if (!set_options(d, o))
        return err_set(err, FOOTNOTE_NOMEM, "opening the retriever");
    TRY(endpoint_open("the embedder", o->url, EMBED_PATH, o->key, &d->endpoint,
                      err));
    TRY(dense_threads_start(d, err));
    *out = d;
    d = NULL; /* it is the caller's now */
    return FOOTNOTE_OK;
}

void dense_close(struct dense *d)
{
    if (!d)
        return;
    if (d->endpoint)
        endpoint_stop(d->endpoint);
    dense_threads_stop(d);
    while (d->courses) {
        struct dense_course *c = d->courses;

        d->courses = c->next;
        course_free(c);
    }
    while (d->old_n > 0)
        free(d->old[--d->old_n].stored);
    endpoint_close(d->endpoint);
    pthread_cond_destroy(&d->load_work);
    pthread_cond_destroy(&d->embed_work);
    pthread_cond_destroy(&d->done);
    pthread_mutex_destroy(&d->lock);
    free(d->model);
    free(d->stored);
    free(d->query_prefix);
    free(d->passage_prefix);
    free(d);
}
