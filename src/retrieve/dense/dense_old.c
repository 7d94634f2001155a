/* dense_old.c - a course goes on with the vectors of its old model while those
 * of the new one are made.
 *
 * Then questions must be asked of the old model as well, so it must still be
 * there.  Some endpoints answer by whatever model they have, so one passage is
 * asked for again: only the same vector proves it. */
#include <math.h>
#include <stdlib.h>

#include "retrieve/dense/dense_course.h"

enum { PROOF_MS = 5000 };
#define PROOF_COSINE 0.98

struct str dense_asked_model(const struct dense *d, struct str stored)
{
    size_t mark = strlen(d->mark);

    stored.n -= mark < stored.n ? mark : 0;
    return stored;
}

/* Made with the same prefixes: only then is a question asked the same way. */
static bool has_our_mark(const struct dense *d, struct str stored)
{
    size_t mark = strlen(d->mark);

    if (!mark)
        return memmem(stored.p, stored.n, " #", 2) == NULL;
    return stored.n > mark &&
           str_eq(str_skip(stored, stored.n - mark), str_c(d->mark));
}

/* ---- The proof ----------------------------------------------------------- */

struct proof {
    struct dense *dense;
    struct dense_course *course;
    struct arena *arena;
    struct str model;
    struct document_vectors vector;
    struct document_passages passage;
    struct str title;
};

static bool find_vector(struct proof *p, int64_t course)
{
    struct vectors_state state = {.course = course, .model = p->model};
    struct vectors_read read = {.model = p->model,
                                .documents = &p->vector,
                                .documents_n = 1,
                                .limit = 1};

    if (store_read(p->dense->store, dense_reader(p->course), p->arena,
                   OP(vectors_state), &state, NULL) != FOOTNOTE_OK)
        return false;
    for (size_t i = 0; i < state.documents_n; i++) {
        if (state.documents[i].vectors_n == 0)
            continue;
        p->vector.document = state.documents[i].document;
        p->vector.version = state.documents[i].version;
        return store_read(p->dense->store, dense_reader(p->course), p->arena,
                          OP(vectors_read), &read, NULL) == FOOTNOTE_OK &&
               p->vector.vectors_n == 1;
    }
    return false;
}

static bool find_passage(struct proof *p)
{
    struct index_documents list = {.course = str_c(p->course->id)};
    struct index_passages read = {.documents = &p->passage,
                                  .documents_n = 1,
                                  .after_position =
                                      p->vector.vectors[0].position - 1,
                                  .limit = 1};

    p->passage.document = p->vector.document;
    p->passage.version = p->vector.version;
    if (store_read(p->dense->store, dense_reader(p->course), p->arena,
                   OP(index_passages), &read, NULL) != FOOTNOTE_OK ||
        p->passage.passages_n != 1 ||
        store_read(p->dense->store, dense_reader(p->course), p->arena,
                   OP(index_documents), &list, NULL) != FOOTNOTE_OK)
        return false;
    for (size_t i = 0; i < list.documents_n; i++)
        if (list.documents[i].key == p->vector.document)
            p->title = list.documents[i].title;
    return true;
}

static double cosine(struct str stored, const float *now, size_t n)
{
    double sum = 0;
    float f;

    for (size_t i = 0; i < n; i++) {
        memcpy(&f, stored.p + i * sizeof(f), sizeof(f));
        sum += (double)f * (double)now[i];
    }
    return sum;
}

/* False also when it cannot be asked just now; *known says which. */
static bool is_there(struct proof *p, bool *known)
{
    struct str text =
        dense_passage_text(p->dense, p->arena, p->title,
                           &p->passage.passages[0], DENSE_TEXT_BYTES);
    struct embedding op = {.texts = &text,
                           .n = 1,
                           .model = dense_asked_model(p->dense, p->model),
                           .lane = ENDPOINT_QUESTIONS,
                           .timeout_ms = PROOF_MS};
    struct str stored = p->vector.vectors[0].floats;

    *known = true;
    if (embed(p->dense->endpoint, p->arena, &op, NULL) != FOOTNOTE_OK) {
        *known = false;
        return false;
    }
    return op.size * sizeof(float) == stored.n &&
           cosine(stored, op.floats, op.size) >= PROOF_COSINE;
}

/* ---- Which --------------------------------------------------------------- */

static struct old_model *find_old(struct dense *d, struct str model)
{
    for (size_t i = 0; i < d->old_n; i++)
        if (str_eq(str_c(d->old[i].stored), model))
            return &d->old[i];
    return NULL;
}

static void remember(struct dense *d, struct str model, bool fits)
{
    char *name = strndup(model.p, model.n);

    pthread_mutex_lock(&d->lock);
    if (name && d->old_n < DENSE_OLD_MODELS) {
        d->old[d->old_n++] = (struct old_model){name, fits};
        name = NULL;
    }
    pthread_mutex_unlock(&d->lock);
    free(name);
}

static bool fits(struct dense *d, struct dense_course *c, struct arena *a,
                 int64_t course, struct str model)
{
    struct proof p = {.dense = d, .course = c, .arena = a, .model = model};
    const struct old_model *old = find_old(d, model);
    bool known, there;

    if (old)
        return old->fits;
    if (endpoint_pause_ms(d->endpoint, ENDPOINT_QUESTIONS) > 0 ||
        !find_vector(&p, course) || !find_passage(&p))
        return false;
    there = is_there(&p, &known);
    if (known)
        remember(d, model, there);
    return there;
}

struct str dense_old_model(struct dense *d, struct dense_course *c,
                           struct arena *a, int64_t course, int64_t now_n)
{
    struct vectors_models all = {.course = course};
    const struct vectors_model *best = NULL;

    if (store_read(d->store, dense_reader(c), a, OP(vectors_models), &all,
                   NULL) != FOOTNOTE_OK)
        return STR_NONE;
    for (size_t i = 0; i < all.models_n; i++) {
        const struct vectors_model *m = &all.models[i];

        if (m->vectors_n > now_n && !str_eq(m->model, str_c(d->stored)) &&
            has_our_mark(d, m->model) &&
            (!best || m->vectors_n > best->vectors_n))
            best = m;
    }
    return best && fits(d, c, a, course, best->model) ? best->model : STR_NONE;
}
