/* dense.c - vectors of courses in memory, made and kept by a thread.
 *
 * A flat scan over all vectors of a course: below a hundred thousand of them
 * nothing cleverer is needed, and more are not held. */
#include "retrieve/dense/dense.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "store/document/search.h"
#include "store/store.h"

enum {
    PASSAGES_AT_ONCE = 32, /* in one request */
    VECTORS_MAX = 100000,  /* of a course, held in memory */
    TEXT_BYTES_MAX = 8192, /* of a passage; models read no more */
    PAUSE_MS = 10 * 1000   /* after a failure */
};
#define LOAD_BYTES_MAX ((size_t)2 << 30)
#define WORK_BYTES_MAX ((size_t)128 << 20)

struct space { /* vectors of a course */
    struct space *next;
    char *tenant, *user;
    int64_t course, docs_version;
    bool wanted, grown; /* to be embedded; more were added since */
    size_t n, size;
    struct near *passages;
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
    struct space *spaces;
};

/* ---- The endpoint ------------------------------------------------------- */

static bool is_paused(struct dense *d)
{
    bool paused;

    pthread_mutex_lock(&d->lock);
    paused = clock_mono_ms() < d->paused_until_ms;
    pthread_mutex_unlock(&d->lock);
    return paused;
}

static bool ask(struct dense *d, struct arena *a, struct embedding *op)
{
    if (embed(&d->embedder, a, op, NULL) == FOOTNOTE_OK)
        return true;
    pthread_mutex_lock(&d->lock);
    d->paused_until_ms = clock_mono_ms() + PAUSE_MS;
    pthread_mutex_unlock(&d->lock);
    return false;
}

/* ---- Spaces: the caller holds the lock ----------------------------------- */

static void space_empty(struct space *s)
{
    free(s->passages);
    free(s->floats);
    s->passages = NULL;
    s->floats = NULL;
    s->n = s->size = 0;
}

static struct space *space_find(struct dense *d, struct who who, int64_t course)
{
    struct space *s = d->spaces;

    while (s && (s->course != course || !str_eq(str_c(s->tenant), who.tenant)))
        s = s->next;
    if (s)
        return s;
    s = calloc(1, sizeof(*s));
    if (!s)
        return NULL;
    s->tenant = strndup(who.tenant.p, who.tenant.n);
    s->user = strndup(who.user.p, who.user.n);
    s->course = course;
    s->docs_version = -1;
    if (!s->tenant || !s->user) {
        free(s->tenant);
        free(s->user);
        free(s);
        return NULL;
    }
    s->next = d->spaces;
    d->spaces = s;
    return s;
}

static void space_fill(struct space *s, const struct vectors_read *op)
{
    size_t size = op->vectors_n ? op->vectors[0].floats.n : 0;

    space_empty(s);
    s->passages = calloc(op->vectors_n + 1, sizeof(*s->passages));
    s->floats = malloc(op->vectors_n * size + 1);
    if (!s->passages || !s->floats) {
        space_empty(s);
        return;
    }
    s->size = size / sizeof(float);
    for (size_t i = 0; i < op->vectors_n; i++) {
        const struct vector *v = &op->vectors[i];

        if (v->floats.n != size) /* made under other settings */
            continue;
        s->passages[s->n] =
            (struct near){v->document, v->version, v->position, 0};
        memcpy(s->floats + s->n++ * s->size, v->floats.p, size);
    }
}

/* As new as the store.  Reading waits for it, so others wait for the lock: a
 * course is read when its documents have changed, not at every search. */
static void space_load(struct dense *d, struct space *s, struct who who,
                       int64_t docs_version)
{
    AUTO(arena_free) struct arena a = ARENA(LOAD_BYTES_MAX);
    struct vectors_read op = {
        .course = s->course, .model = str_c(d->model), .limit = VECTORS_MAX};

    if (s->docs_version == docs_version && !s->grown)
        return;
    if (store_read(d->store, who, &a, OP(vectors_read), &op, NULL) !=
        FOOTNOTE_OK)
        return;
    s->wanted |= s->docs_version != docs_version;
    s->docs_version = docs_version;
    s->grown = false;
    space_fill(s, &op);
    if (s->wanted)
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
static void insert(struct near *out, size_t *n, size_t max, struct near item)
{
    size_t i;

    if (*n == max && item.score <= out[*n - 1].score)
        return;
    i = *n < max ? (*n)++ : *n - 1;
    for (; i > 0 && out[i - 1].score < item.score; i--)
        out[i] = out[i - 1];
    out[i] = item;
}

static void scan(const struct space *s, const struct embedding *question,
                 int64_t document, struct near *out, size_t *n, size_t max)
{
    if (s->size != question->size)
        return;
    for (size_t i = 0; i < s->n; i++) {
        struct near item = s->passages[i];

        if (document && item.document != document)
            continue;
        item.score = dot(question->floats, s->floats + i * s->size, s->size);
        insert(out, n, max, item);
    }
}

size_t dense_nearest(struct dense *d, struct arena *a,
                     const struct dense_question *q, struct near *out,
                     size_t max)
{
    struct embedding op = {
        .texts = &q->text, .n = 1, .timeout_ms = EMBED_QUESTION_MS};
    size_t n = 0, held = 0;

    pthread_mutex_lock(&d->lock);
    for (size_t i = 0; i < q->courses_n; i++) {
        struct space *s = space_find(d, q->who, q->courses[i].key);

        if (s)
            space_load(d, s, q->who, q->docs_version);
        held += s ? s->n : 0;
    }
    pthread_mutex_unlock(&d->lock);
    if (held == 0 || is_paused(d) || !ask(d, a, &op))
        return 0;
    pthread_mutex_lock(&d->lock);
    for (size_t i = 0; i < q->courses_n; i++) {
        const struct space *s = space_find(d, q->who, q->courses[i].key);

        if (s)
            scan(s, &op, q->document, out, &n, max);
    }
    pthread_mutex_unlock(&d->lock);
    return n;
}

/* ---- The thread ---------------------------------------------------------- */

struct errand { /* a course to embed */
    struct who who;
    int64_t course;
};

static struct str cut(struct str s)
{
    size_t n = s.n < TEXT_BYTES_MAX ? s.n : TEXT_BYTES_MAX;

    while (n < s.n && n > 0 && ((unsigned char)s.p[n] & 0xc0) == 0x80)
        n--;
    return (struct str){s.p, n};
}

static bool keep(struct dense *d, const struct errand *e,
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

/* Some passages that have no vector yet; false: none is left, or something
 * failed. */
static bool embed_some(struct dense *d, const struct errand *e)
{
    AUTO(arena_free) struct arena a = ARENA(WORK_BYTES_MAX);
    struct vectors_missing missing = {.course = e->course,
                                      .model = str_c(d->model),
                                      .limit = PASSAGES_AT_ONCE};
    struct str texts[PASSAGES_AT_ONCE];
    struct embedding op = {.texts = texts, .timeout_ms = EMBED_PASSAGES_MS};

    if (store_read(d->store, e->who, &a, OP(vectors_missing), &missing, NULL) !=
            FOOTNOTE_OK ||
        missing.passages_n == 0)
        return false;
    for (; op.n < missing.passages_n; op.n++)
        texts[op.n] = cut(missing.passages[op.n].text);
    return ask(d, &a, &op) && keep(d, e, &missing, &op);
}

static struct space *next_wanted(struct dense *d)
{
    struct space *s = d->spaces;

    while (s && !s->wanted)
        s = s->next;
    return s;
}

static bool is_closing(struct dense *d)
{
    bool closing;

    pthread_mutex_lock(&d->lock);
    closing = d->closing;
    pthread_mutex_unlock(&d->lock);
    return closing;
}

static void *work(void *arg)
{
    struct dense *d = arg;

    pthread_mutex_lock(&d->lock);
    while (!d->closing) {
        struct space *s = next_wanted(d);
        struct errand e;

        d->busy = s != NULL;
        if (!s) {
            pthread_cond_broadcast(&d->idle);
            pthread_cond_wait(&d->work, &d->lock);
            continue;
        }
        /* Spaces and their names stay until the end. */
        e = (struct errand){{str_c(s->tenant), str_c(s->user)}, s->course};
        s->wanted = false;
        pthread_mutex_unlock(&d->lock);
        while (!is_closing(d) && !is_paused(d) && embed_some(d, &e))
            continue;
        pthread_mutex_lock(&d->lock);
        s->grown = true;
    }
    d->busy = false;
    pthread_cond_broadcast(&d->idle);
    pthread_mutex_unlock(&d->lock);
    return NULL;
}

void dense_settle(struct dense *d)
{
    pthread_mutex_lock(&d->lock);
    while (!d->closing && (d->busy || next_wanted(d)))
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
    while (d->spaces) {
        struct space *s = d->spaces;

        d->spaces = s->next;
        space_empty(s);
        free(s->tenant);
        free(s->user);
        free(s);
    }
    pthread_cond_destroy(&d->work);
    pthread_cond_destroy(&d->idle);
    pthread_mutex_destroy(&d->lock);
    free(d->url);
    free(d->model);
    free(d->key);
    free(d);
}
