/* dense_load.c - the vectors that the store has of a course, into memory.
 *
 * A document is read again only when it has more of them, or another version.
 */
#include <stdlib.h>

#include "base/clock.h"
#include "retrieve/dense/dense_course.h"

enum { VECTORS_AT_ONCE = 128 };

struct loading {
    struct dense *dense;
    struct dense_course *course;
    struct vectors *before; /* a reference; may be NULL */
    struct str model;       /* whose vectors are loaded */
    size_t size;            /* of them; 0: as the first has it */
    struct vectors_state state;
    struct vector_block **blocks; /* one for each document, or NULL */
};

static void loading_free(struct loading *l)
{
    for (size_t i = 0; l->blocks && i < l->state.documents_n; i++)
        vector_block_drop(l->blocks[i]);
    free(l->blocks);
    vectors_drop(l->before);
}

/* ---- Blocks -------------------------------------------------------------- */

static struct vector_block *find_before(const struct loading *l,
                                        const struct vectors_document *d)
{
    const struct vector_block *b =
        l->before && str_eq(str_c(l->before->model), l->model)
            ? vectors_find(l->before, d->document)
            : NULL;
    struct vector_block *same = (struct vector_block *)(uintptr_t)b;

    if (!same || same->version != d->version ||
        same->stored_n != (size_t)d->vectors_n || same->size != l->size)
        return NULL;
    atomic_fetch_add(&same->refs, 1);
    return same;
}

/* What stands for a passage that the endpoint does not take. */
static bool is_empty(struct str floats)
{
    for (size_t i = 0; i < floats.n; i++)
        if (floats.p[i])
            return false;
    return true;
}

/* Vectors of another size were made under other settings. */
static bool add_vectors(struct loading *l, size_t i,
                        const struct document_vectors *from)
{
    const struct vectors_document *d = &l->state.documents[i];
    struct vector_block *b = l->blocks[i];

    for (size_t k = 0; k < from->vectors_n; k++) {
        const struct vector *v = &from->vectors[k];
        size_t size = v->floats.n / sizeof(float);

        if (l->size == 0)
            l->size = size;
        if (size != l->size || is_empty(v->floats))
            continue;
        if (!b)
            b = l->blocks[i] = vector_block_new(d->document, d->version,
                                                (size_t)d->vectors_n, l->size);
        if (!b)
            return false;
        if (b->n < (size_t)d->vectors_n)
            vector_block_add(b, v->position, v->floats.p);
    }
    if (b)
        b->stored_n = (size_t)d->vectors_n;
    return true;
}

/* The rest of a document with many vectors. */
static enum footnote_rc read_on(struct loading *l, size_t i, int64_t after,
                                struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(DENSE_WORK_BYTES);
    const struct vectors_document *d = &l->state.documents[i];
    struct document_vectors some = {d->document, d->version, NULL, 0, 0, after};

    do {
        struct vectors_read op = {.model = l->model,
                                  .documents = &some,
                                  .documents_n = 1,
                                  .after_position = some.last_position,
                                  .limit = VECTORS_AT_ONCE};

        arena_reset(&a);
        TRY(store_read(l->dense->store, dense_reader(l->course), &a,
                       OP(vectors_read), &op, err));
        if (!add_vectors(l, i, &some))
            return err_set(err, FOOTNOTE_NOMEM, "loading vectors");
    } while (some.rows_n == VECTORS_AT_ONCE);
    return FOOTNOTE_OK;
}

static enum footnote_rc read_some(struct loading *l, const size_t *which,
                                  size_t n, struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(DENSE_WORK_BYTES);
    struct document_vectors some[INDEX_DOCUMENTS_MAX];
    struct vectors_read op = {.model = l->model,
                              .documents = some,
                              .documents_n = n,
                              .limit = VECTORS_AT_ONCE};

    for (size_t i = 0; i < n; i++)
        some[i] = (struct document_vectors){
            .document = l->state.documents[which[i]].document,
            .version = l->state.documents[which[i]].version};
    TRY(store_read(l->dense->store, dense_reader(l->course), &a,
                   OP(vectors_read), &op, err));
    for (size_t i = 0; i < n; i++) {
        if (!add_vectors(l, which[i], &some[i]))
            return err_set(err, FOOTNOTE_NOMEM, "loading vectors");
        if (some[i].rows_n == VECTORS_AT_ONCE)
            TRY(read_on(l, which[i], some[i].last_position, err));
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc read_blocks(struct loading *l, struct footnote_err *err)
{
    size_t which[INDEX_DOCUMENTS_MAX], n = 0;

    for (size_t i = 0; i < l->state.documents_n; i++) {
        const struct vectors_document *d = &l->state.documents[i];

        if (d->vectors_n == 0)
            continue;
        l->blocks[i] = find_before(l, d);
        if (l->blocks[i])
            continue;
        which[n++] = i;
        if (n == INDEX_DOCUMENTS_MAX) {
            TRY(read_some(l, which, n, err));
            n = 0;
        }
    }
    return n ? read_some(l, which, n, err) : FOOTNOTE_OK;
}

/* ---- What is there ------------------------------------------------------- */

static struct dense_progress progress_of(const struct vectors_state *s)
{
    struct dense_progress p = {0, 0};

    for (size_t i = 0; i < s->documents_n; i++) {
        p.passages += s->documents[i].passages_n;
        p.vectors += s->documents[i].vectors_n;
    }
    return p;
}

/* The first vector that is met tells how long they are, until the endpoint
 * says otherwise. */
static enum footnote_rc learn_size(struct loading *l, struct arena *a,
                                   struct footnote_err *err)
{
    struct document_vectors one = {.document = 0};
    struct vectors_read op = {.model = str_c(l->dense->stored),
                              .documents = &one,
                              .documents_n = 1,
                              .limit = 1};

    for (size_t i = 0; i < l->state.documents_n && one.vectors_n == 0; i++) {
        if (l->state.documents[i].vectors_n == 0)
            continue;
        one.document = l->state.documents[i].document;
        one.version = l->state.documents[i].version;
        TRY(store_read(l->dense->store, dense_reader(l->course), a,
                       OP(vectors_read), &op, err));
    }
    pthread_mutex_lock(&l->dense->lock);
    if (one.vectors_n && l->dense->size == 0)
        l->dense->size = one.vectors[0].floats.n / sizeof(float);
    l->size = l->dense->size;
    pthread_mutex_unlock(&l->dense->lock);
    return FOOTNOTE_OK;
}

static enum footnote_rc read_state(struct loading *l, struct arena *a,
                                   int64_t course, struct str model,
                                   struct footnote_err *err)
{
    l->state = (struct vectors_state){
        .course = course, .model = model, .bytes = l->size * sizeof(float)};
    return store_read(l->dense->store, dense_reader(l->course), a,
                      OP(vectors_state), &l->state, err);
}

/* Memory is full of what others search, and nobody asks for this course. */
static bool has_no_room(struct dense *d, const struct dense_course *c)
{
    size_t bytes = 0;
    bool full;

    pthread_mutex_lock(&d->lock);
    for (const struct dense_course *i = d->courses; i; i = i->next)
        bytes += i->vectors && i != c ? i->vectors->bytes : 0;
    full = bytes >= d->bytes_max && !c->asked;
    pthread_mutex_unlock(&d->lock);
    return full;
}

/* ---- A turn -------------------------------------------------------------- */

/* The least recently searched courses make room.  With the lock. */
static void forget_some(struct dense *d, const struct dense_course *keep)
{
    for (;;) {
        struct dense_course *oldest = NULL;
        size_t bytes = 0;

        for (struct dense_course *c = d->courses; c; c = c->next) {
            bytes += c->vectors ? c->vectors->bytes : 0;
            if (c != keep && c->vectors && (!oldest || c->used < oldest->used))
                oldest = c;
        }
        if (bytes <= d->bytes_max || !oldest)
            return;
        vectors_drop(oldest->vectors);
        oldest->vectors = NULL;
        oldest->index_version = -1; /* a search loads it again */
    }
}

static void install(struct loading *l, struct vectors *v, bool forgotten,
                    int64_t index_version, struct dense_progress p)
{
    struct dense *d = l->dense;
    struct dense_course *c = l->course;

    pthread_mutex_lock(&d->lock);
    vectors_drop(c->vectors);
    c->vectors = v;
    c->index_version = forgotten ? -1 : index_version;
    c->progress = p;
    c->loaded_ms = clock_mono_ms();
    if (p.vectors < p.passages &&
        (c->embedded_version != index_version || c->embedded_size != d->size)) {
        c->to_embed = true;
        pthread_cond_broadcast(&d->embed_work);
    }
    forget_some(d, c);
    pthread_mutex_unlock(&d->lock);
}

static enum footnote_rc load_all(struct loading *l, struct arena *a,
                                 struct footnote_err *err)
{
    struct index_documents course = {.course = str_c(l->course->id),
                                     .only_course = true};
    struct dense_progress p;
    struct vectors *v;
    struct str old;
    size_t n = 0;

    TRY(store_read(l->dense->store, dense_reader(l->course), a,
                   OP(index_documents), &course, err));
    TRY(read_state(l, a, course.key, l->model, err));
    if (l->size == 0) {
        TRY(learn_size(l, a, err));
        TRY(read_state(l, a, course.key, l->model, err));
    }
    p = progress_of(&l->state);
    if (has_no_room(l->dense, l->course)) {
        install(l, NULL, true, course.index_version, p);
        return FOOTNOTE_OK;
    }
    old = p.vectors < p.passages
              ? dense_old_model(l->dense, l->course, a, course.key, p.vectors)
              : STR_NONE;
    if (old.p) {
        l->model = old;
        l->size = l->before && str_eq(str_c(l->before->model), old)
                      ? l->before->size
                      : 0;
        TRY(read_state(l, a, course.key, old, err));
    }
    l->blocks = calloc(l->state.documents_n + 1, sizeof(struct vector_block *));
    if (!l->blocks)
        return err_set(err, FOOTNOTE_NOMEM, "loading vectors");
    TRY(read_blocks(l, err));
    for (size_t i = 0; i < l->state.documents_n; i++)
        if (l->blocks[i])
            l->blocks[n++] = l->blocks[i];
    v = vectors_new(l->blocks, n, l->size, l->model);
    l->state.documents_n = 0; /* the blocks are its own now */
    if (!v)
        return err_set(err, FOOTNOTE_NOMEM, "loading vectors");
    install(l, v, false, course.index_version, p);
    return FOOTNOTE_OK;
}

enum footnote_rc dense_load(struct dense *d, struct dense_course *c,
                            struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(DENSE_LIST_BYTES);
    struct loading l = {.dense = d, .course = c, .model = str_c(d->stored)};
    enum footnote_rc rc;

    pthread_mutex_lock(&d->lock);
    l.before = c->vectors;
    l.size = d->size;
    if (l.before)
        atomic_fetch_add(&l.before->refs, 1);
    pthread_mutex_unlock(&d->lock);
    rc = load_all(&l, &a, err);
    loading_free(&l);
    return rc;
}
