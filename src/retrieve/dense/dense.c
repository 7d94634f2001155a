/* dense.c - the vectors of courses, in memory; a thread makes and stores them.
 *
 * A question is compared with every vector of a course: below a hundred
 * thousand of them nothing cleverer is needed, and no more are loaded. */
#include "retrieve/dense/dense.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "store/document/search.h"

enum {
    PASSAGES_AT_ONCE = 32, /* in one request */
    VECTORS_MAX = 100000,  /* of a course, in memory */
    TEXT_BYTES_MAX = 8192, /* of a passage; models read no more */
    PAUSE_MS = 10 * 1000   /* after a failure */
};
#define LOAD_BYTES_MAX ((size_t)2 << 30)
#define WORK_BYTES_MAX ((size_t)128 << 20)

struct course_vectors {
    struct course_vectors *next;
    char *tenant, *user, *id; /* id: of the course */
    int64_t course, index_version;
    bool to_embed;  /* passages without a vector may be there */
    bool stale;     /* the store has vectors that are not here */
    size_t n, size; /* vectors, and floats of each */
    struct near_passage *passages;
    float *floats; /* n times size */
};

struct dense {
    struct store *store;
    struct embedder embedder;
    char *url, *model, *key;
    pthread_mutex_t lock; /* of all that follows */
    pthread_cond_t work, idle;
    pthread_t thread;
    bool has_thread, closing, busy;
    int64_t paused_until_ms;
    struct course_vectors *courses;
};

/* ---- The endpoint ------------------------------------------------------- */

static bool is_paused(struct dense *d)
{
    bool paused;

    pthread_mutex_lock(&d->lock);
    paused = d->closing || clock_mono_ms() < d->paused_until_ms;
    pthread_mutex_unlock(&d->lock);
    return paused;
}

/* A failure pauses all use of the endpoint. */
static bool embed_or_pause(struct dense *d, struct arena *a,
                           struct embedding *op)
{
    if (embed(&d->embedder, a, op, NULL) == FOOTNOTE_OK)
        return true;
    pthread_mutex_lock(&d->lock);
    d->paused_until_ms = clock_mono_ms() + PAUSE_MS;
    pthread_mutex_unlock(&d->lock);
    return false;
}

/* ---- Vectors of a course: the caller holds the lock ---------------------- */

static void vectors_clear(struct course_vectors *c)
{
    free(c->passages);
    free(c->floats);
    c->passages = NULL;
    c->floats = NULL;
    c->n = c->size = 0;
}

static void vectors_free(struct course_vectors *c)
{
    vectors_clear(c);
    free(c->tenant);
    free(c->user);
    free(c->id);
    free(c);
}

static struct course_vectors *vectors_find(struct dense *d, struct who who,
                                           const struct scope_course *course)
{
    struct course_vectors *c = d->courses;

    while (c &&
           (c->course != course->key || !str_eq(str_c(c->tenant), who.tenant)))
        c = c->next;
    if (c)
        return c;
    c = calloc(1, sizeof(*c));
    if (!c)
        return NULL;
    c->tenant = strndup(who.tenant.p, who.tenant.n);
    c->user = strndup(who.user.p, who.user.n);
    c->id = strndup(course->id.p, course->id.n);
    c->course = course->key;
    c->index_version = -1;
    if (!c->tenant || !c->user || !c->id) {
        vectors_free(c);
        return NULL;
    }
    c->next = d->courses;
    d->courses = c;
    return c;
}

static void vectors_fill(struct course_vectors *c,
                         const struct vectors_read *op)
{
    size_t size = op->vectors_n ? op->vectors[0].floats.n : 0;

    vectors_clear(c);
    c->passages = calloc(op->vectors_n + 1, sizeof(*c->passages));
    c->floats = malloc(op->vectors_n * size + 1);
    if (!c->passages || !c->floats) {
        vectors_clear(c);
        return;
    }
    c->size = size / sizeof(float);
    for (size_t i = 0; i < op->vectors_n; i++) {
        const struct vector *v = &op->vectors[i];

        if (v->floats.n != size) /* made under other settings */
            continue;
        c->passages[c->n] =
            (struct near_passage){v->document, v->version, v->position, 0};
        memcpy(c->floats + c->n++ * c->size, v->floats.p, size);
    }
}

/* Makes the vectors as new as the store's.  Other searches wait meanwhile, but
 * a course is read only when its documents or vectors have changed. */
static void vectors_load(struct dense *d, struct course_vectors *c,
                         struct who who, int64_t index_version)
{
    AUTO(arena_free) struct arena a = ARENA(LOAD_BYTES_MAX);
    struct vectors_read op = {
        .course = c->course, .model = str_c(d->model), .limit = VECTORS_MAX};

    if (c->index_version == index_version && !c->stale)
        return;
    if (store_read(d->store, who, &a, OP(vectors_read), &op, NULL) !=
        FOOTNOTE_OK)
        return;
    c->to_embed |= c->index_version != index_version;
    c->index_version = index_version;
    c->stale = false;
    vectors_fill(c, &op);
    if (c->to_embed)
        pthread_cond_signal(&d->work);
}

/* ---- The nearest --------------------------------------------------------- */

static float dot(const float *a, const float *b, size_t n)
{
    float sums[8] = {0}, sum = 0;
    size_t i = 0;

    for (; i + 8 <= n; i += 8)
        for (size_t k = 0; k < 8; k++)
            sums[k] += a[i + k] * b[i + k];
    for (; i < n; i++)
        sum += a[i] * b[i];
    for (size_t k = 0; k < 8; k++)
        sum += sums[k];
    return sum;
}

/* Keeps `out` sorted; max is small. */
static void insert_nearest(struct near_passage *out, size_t *n, size_t max,
                           struct near_passage item)
{
    size_t i;

    if (*n == max && item.score <= out[*n - 1].score)
        return;
    i = *n < max ? (*n)++ : *n - 1;
    for (; i > 0 && out[i - 1].score < item.score; i--)
        out[i] = out[i - 1];
    out[i] = item;
}

static void scan(const struct course_vectors *c,
                 const struct embedding *question, int64_t document,
                 struct near_passage *out, size_t *n, size_t max)
{
    if (c->size != question->size)
        return;
    for (size_t i = 0; i < c->n; i++) {
        struct near_passage item = c->passages[i];

        if (document && item.document != document)
            continue;
        item.score = dot(question->floats, c->floats + i * c->size, c->size);
        insert_nearest(out, n, max, item);
    }
}

size_t dense_nearest(struct dense *d, struct arena *a,
                     const struct dense_question *q, struct near_passage *out,
                     size_t max)
{
    struct embedding op = {
        .texts = &q->text, .n = 1, .timeout_ms = EMBED_QUESTION_MS};
    size_t n = 0, vectors_n = 0;

    pthread_mutex_lock(&d->lock);
    for (size_t i = 0; i < q->courses_n; i++) {
        struct course_vectors *c = vectors_find(d, q->who, &q->courses[i]);

        if (c)
            vectors_load(d, c, q->who, q->courses[i].index_version);
        vectors_n += c ? c->n : 0;
    }
    pthread_mutex_unlock(&d->lock);
    if (vectors_n == 0 || is_paused(d) || !embed_or_pause(d, a, &op))
        return 0;
    pthread_mutex_lock(&d->lock);
    for (size_t i = 0; i < q->courses_n; i++) {
        const struct course_vectors *c =
            vectors_find(d, q->who, &q->courses[i]);

        if (c)
            scan(c, &op, q->document, out, &n, max);
    }
    pthread_mutex_unlock(&d->lock);
    return n;
}

/* ---- The thread ---------------------------------------------------------- */

struct embed_job { /* a course to embed */
    struct who who;
    struct str course;
};

static bool store_vectors(struct dense *d, const struct embed_job *e,
                          const struct vectors_missing *missing,
                          const struct embedding *made)
{
    struct vector vectors[PASSAGES_AT_ONCE];
    struct vectors_put put = {str_c(d->model), vectors, missing->passages_n};

    for (size_t i = 0; i < missing->passages_n; i++)
        vectors[i] =
            (struct vector){missing->passages[i].document,
                            missing->passages[i].version,
                            missing->passages[i].position,
                            {(const char *)(made->floats + i * made->size),
                             made->size * sizeof(float)}};
    return store_write(d->store, e->who, OP(vectors_put), &put, NULL) ==
           FOOTNOTE_OK;
}

/* Embeds the next passages of a document that have no vector; false: none is
 * left, or something failed. */
static bool embed_some(struct dense *d, const struct embed_job *e,
                       struct vectors_missing *missing)
{
    AUTO(arena_free) struct arena a = ARENA(WORK_BYTES_MAX);
    struct str texts[PASSAGES_AT_ONCE];
    struct embedding op = {.texts = texts, .timeout_ms = EMBED_PASSAGES_MS};

    if (store_read(d->store, e->who, &a, OP(vectors_missing), missing, NULL) !=
            FOOTNOTE_OK ||
        missing->passages_n == 0)
        return false;
    assert(missing->passages_n <= PASSAGES_AT_ONCE);
    for (; op.n < missing->passages_n; op.n++) {
        struct str text = missing->passages[op.n].text;

        if (text.n > TEXT_BYTES_MAX) {
            text.n = TEXT_BYTES_MAX;
            text.n = utf8_whole(text);
        }
        texts[op.n] = text;
    }
    missing->after_position = missing->passages[op.n - 1].position;
    return embed_or_pause(d, &a, &op) && store_vectors(d, e, missing, &op);
}

/* Each passage is looked at once. */
static void embed_course(struct dense *d, const struct embed_job *e)
{
    AUTO(arena_free) struct arena a = ARENA(LOAD_BYTES_MAX);
    struct index_documents list = {.course = e->course};

    if (store_read(d->store, e->who, &a, OP(index_documents), &list, NULL) !=
        FOOTNOTE_OK)
        return;
    for (size_t i = 0; i < list.documents_n; i++) {
        struct vectors_missing missing = {.document = list.documents[i].key,
                                          .version = list.documents[i].version,
                                          .model = str_c(d->model),
                                          .limit = PASSAGES_AT_ONCE};

        while (!is_paused(d) && embed_some(d, e, &missing))
            continue;
    }
}

static struct course_vectors *next_to_embed(struct dense *d)
{
    struct course_vectors *c = d->courses;

    while (c && !c->to_embed)
        c = c->next;
    return c;
}

static void *work(void *arg)
{
    struct dense *d = arg;

    pthread_mutex_lock(&d->lock);
    while (!d->closing) {
        struct course_vectors *c = next_to_embed(d);
        struct embed_job e;

        d->busy = c != NULL;
        if (!c) {
            pthread_cond_broadcast(&d->idle);
            pthread_cond_wait(&d->work, &d->lock);
            continue;
        }
        /* Courses and their names stay until dense_close(). */
        e = (struct embed_job){{str_c(c->tenant), str_c(c->user)},
                               str_c(c->id)};
        c->to_embed = false;
        pthread_mutex_unlock(&d->lock);
        embed_course(d, &e);
        pthread_mutex_lock(&d->lock);
        c->stale = true;
    }
    d->busy = false;
    pthread_cond_broadcast(&d->idle);
    pthread_mutex_unlock(&d->lock);
    return NULL;
}

void dense_wait_idle(struct dense *d)
{
    pthread_mutex_lock(&d->lock);
    while (!d->closing && (d->busy || next_to_embed(d)))
        pthread_cond_wait(&d->idle, &d->lock);
    pthread_mutex_unlock(&d->lock);
}

/* ---- Life ---------------------------------------------------------------- */

static void closep(struct dense **d)
{
    dense_close(*d);
}

enum footnote_rc dense_open(struct store *st, const struct embedder *e,
                            struct dense **out, struct footnote_err *err)
{
    AUTO(closep) struct dense *d = calloc(1, sizeof(*d));

    *out = NULL;
    if (!d)
        return err_set(err, FOOTNOTE_NOMEM, "opening the retriever");
    pthread_mutex_init(&d->lock, NULL);
    pthread_cond_init(&d->work, NULL);
    pthread_cond_init(&d->idle, NULL);
    d->store = st;
    d->url = strdup(e->url);
    d->model = strdup(e->model);
    d->key = e->key ? strdup(e->key) : NULL;
    d->embedder = (struct embedder){d->url, d->model, d->key};
    if (!d->url || !d->model || (e->key && !d->key) ||
        pthread_create(&d->thread, NULL, work, d) != 0)
        return err_set(err, FOOTNOTE_NOMEM, "opening the retriever");
    d->has_thread = true;
    *out = d;
    d = NULL; /* it is the caller's now */
    return FOOTNOTE_OK;
}

void dense_close(struct dense *d)
{
    if (!d)
        return;
    pthread_mutex_lock(&d->lock);
    d->closing = true;
    pthread_cond_broadcast(&d->work);
    pthread_mutex_unlock(&d->lock);
    if (d->has_thread)
        pthread_join(d->thread, NULL);
    while (d->courses) {
        struct course_vectors *c = d->courses;

        d->courses = c->next;
        vectors_free(c);
    }
    pthread_cond_destroy(&d->work);
    pthread_cond_destroy(&d->idle);
    pthread_mutex_destroy(&d->lock);
    free(d->url);
    free(d->model);
    free(d->key);
    free(d);
}
