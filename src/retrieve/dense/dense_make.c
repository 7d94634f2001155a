/* dense_make.c - makes the vectors of a course, some at a time.
 *
 * What was made is stored with the next request, so a kill costs one request.
 * The store says what is still missing, so nothing is made twice.  An endpoint
 * that refuses a request gets smaller ones, then shorter texts; a passage that
 * it never takes is left to its words: an empty vector stands for it. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/utf8.h"
#include "retrieve/dense/dense_course.h"

enum {
    PASSAGES_AT_ONCE = 32, /* in one request */
    REQUESTS_A_TURN = 8,
    TEXT_BYTES_MIN = 256, /* shorter texts are not tried */
    PASSAGES_MS = 30000,
    TURN_MS = 20000,  /* with one request more it is less than DENSE_TURN_MS */
    OTHER_SIZE_N = 3, /* answers of another size, until it is believed */
    STORE_PAUSE_MS = 2000,
    REFUSED_PAUSE_MS = 20000,
    NOT_OUR_TURN_MS = 5000
};

/* ---- The endpoint -------------------------------------------------------- */

/* One answer of another size may be a mistake; several are another model.  All
 * vectors are then made anew.  With the lock. */
static void note_size(struct dense *d, size_t size, bool ok)
{
    if (ok) {
        d->size = size;
        d->other_n = 0;
        return;
    }
    if (size == 0 || size == d->size)
        return;
    d->other_n = size == d->other_size ? d->other_n + 1 : 1;
    d->other_size = size;
    if (d->other_n < OTHER_SIZE_N)
        return;
    log_write(LOG_WARN,
              "the embedder's vectors have another size: "
              "all are made anew",
              LOG_NUM("was", (int64_t)d->size), LOG_NUM("is", (int64_t)size));
    d->size = size;
    d->other_n = 0;
    for (struct dense_course *c = d->courses; c; c = c->next)
        c->to_load = true;
    pthread_cond_broadcast(&d->load_work);
}

bool dense_embed(struct dense *d, struct arena *a, struct embedding *op)
{
    bool ok;

    pthread_mutex_lock(&d->lock);
    op->want = d->size;
    pthread_mutex_unlock(&d->lock);
    ok = embed(d->endpoint, a, op, NULL) == FOOTNOTE_OK;
    pthread_mutex_lock(&d->lock);
    note_size(d, op->size, ok);
    pthread_mutex_unlock(&d->lock);
    return ok;
}

struct str dense_passage_text(const struct dense *d, struct arena *a,
                              struct str title, const struct index_passage *p,
                              size_t bytes)
{
    AUTO(buf_free) struct buf b = BUF((size_t)1 << 30);
    struct str text;

    buf_add(&b, str_c(d->passage_prefix));
    if (title.n) {
        buf_add(&b, title);
        buf_add_c(&b, '\n');
    }
    if (p->heading.n && !str_eq(p->heading, title)) {
        buf_add(&b, p->heading);
        buf_add_c(&b, '\n');
    }
    buf_add(&b, p->text);
    text = buf_str(&b);
    if (text.n > bytes) {
        text.n = bytes;
        text.n = utf8_whole(text);
    }
    return arena_str(a, text);
}

/* ---- What is to be done -------------------------------------------------- */

void dense_todo_free(struct dense_course *c)
{
    for (size_t i = 0; i < c->todo_n; i++)
        free(c->todo[i].title);
    free(c->todo);
    c->todo = NULL;
    c->todo_n = c->todo_at = 0;
    c->after_position = 0;
}

static struct str title_of(const struct index_documents *list, int64_t document)
{
    for (size_t i = 0; i < list->documents_n; i++)
        if (list->documents[i].key == document)
            return list->documents[i].title;
    return STR_NONE;
}

static bool add_todo(struct dense_course *c, const struct vectors_document *d,
                     struct str title)
{
    struct dense_todo *t = &c->todo[c->todo_n];

    *t = (struct dense_todo){d->document, d->version, NULL};
    if (title.n && !(t->title = strndup(title.p, title.n)))
        return false;
    c->todo_n++;
    return true;
}

static bool list_todo(struct dense *d, struct dense_course *c, size_t size)
{
    AUTO(arena_free) struct arena a = ARENA(DENSE_LIST_BYTES);
    struct index_documents list = {.course = str_c(c->id)};
    struct vectors_state state = {.model = str_c(d->stored),
                                  .bytes = size * sizeof(float)};

    if (store_read(d->store, dense_reader(c), &a, OP(index_documents), &list,
                   NULL) != FOOTNOTE_OK)
        return false;
    state.course = list.key;
    if (store_read(d->store, dense_reader(c), &a, OP(vectors_state), &state,
                   NULL) != FOOTNOTE_OK)
        return false;
    c->todo = calloc(state.documents_n + 1, sizeof(*c->todo));
    c->key = list.key;
    c->tenant_key = list.tenant;
    c->todo_version = list.index_version;
    for (size_t i = 0; c->todo && i < state.documents_n; i++)
        if (state.documents[i].vectors_n < state.documents[i].passages_n &&
            !add_todo(c, &state.documents[i],
                      title_of(&list, state.documents[i].document)))
            dense_todo_free(c);
    return c->todo != NULL;
}

/* ---- A request ----------------------------------------------------------- */

struct batch {
    struct dense *dense;
    struct dense_course *course;
    struct arena *arena;
    struct batch_passage {
        const struct index_passage *passage;
        struct str title; /* of its document */
    } passages[PASSAGES_AT_ONCE];
    size_t n;
    size_t next_at; /* where the list goes on behind them */
    int64_t next_position;
    size_t text_bytes;
    bool refused;
};

/* The next passages of the list, of one document or of several. */
static bool gather(struct batch *b, size_t vector_bytes)
{
    const struct dense_course *c = b->course;
    struct dense *d = b->dense;

    b->next_at = c->todo_at;
    b->next_position = c->after_position;
    while (b->n < d->batch && b->next_at < c->todo_n) {
        const struct dense_todo *t = &c->todo[b->next_at];
        struct vectors_missing op = {.document = t->document,
                                     .version = t->version,
                                     .after_position = b->next_position,
                                     .model = str_c(d->stored),
                                     .bytes = vector_bytes,
                                     .limit = d->batch - b->n};

        if (store_read(d->store, dense_reader(c), b->arena, OP(vectors_missing),
                       &op, NULL) != FOOTNOTE_OK)
            return false;
        for (size_t i = 0; i < op.passages_n; i++)
            b->passages[b->n++] =
                (struct batch_passage){&op.passages[i], str_c(t->title)};
        if (op.passages_n < op.limit) {
            b->next_at++;
            b->next_position = 0;
        } else {
            b->next_position = op.passages[op.passages_n - 1].position;
        }
    }
    return true;
}

static bool store_vectors(const struct batch *b, const struct embedding *made)
{
    struct dense *d = b->dense;
    struct vector vectors[PASSAGES_AT_ONCE];
    struct vectors_put put = {b->course->tenant_key, str_c(d->stored), vectors,
                              made->n};

    for (size_t i = 0; i < made->n; i++) {
        const struct index_passage *p = b->passages[i].passage;

        vectors[i] =
            (struct vector){p->document,
                            p->version,
                            p->position,
                            {(const char *)(made->floats + i * made->size),
                             made->size * sizeof(float)}};
    }
    if (store_own(d->store, OP(vectors_put), &put, NULL) != FOOTNOTE_OK)
        return false;
    pthread_mutex_lock(&d->lock);
    b->course->progress.vectors += (int64_t)made->n;
    d->made_n += made->n;
    pthread_mutex_unlock(&d->lock);
    return true;
}

static bool ask_for_vectors(struct batch *b)
{
    struct str texts[PASSAGES_AT_ONCE];
    struct embedding op = {.texts = texts,
                           .n = b->n,
                           .model = str_c(b->dense->model),
                           .lane = ENDPOINT_PASSAGES,
                           .timeout_ms = PASSAGES_MS};
    bool ok;

    for (size_t i = 0; i < op.n; i++)
        texts[i] = dense_passage_text(b->dense, b->arena, b->passages[i].title,
                                      b->passages[i].passage, b->text_bytes);
    if (arena_rc(b->arena, NULL) != FOOTNOTE_OK)
        return false;
    ok = dense_embed(b->dense, b->arena, &op);
    b->refused = op.refused;
    return ok && store_vectors(b, &op);
}

/* Whether the endpoint takes any text at all. */
static bool takes_a_word(struct batch *b)
{
    struct str word = STR("word");
    struct embedding op = {.texts = &word,
                           .n = 1,
                           .model = str_c(b->dense->model),
                           .lane = ENDPOINT_PASSAGES,
                           .timeout_ms = PASSAGES_MS};

    return dense_embed(b->dense, b->arena, &op);
}

/* An endpoint that refuses everything is down; it is left alone for a while. */
static bool refuses_all(struct batch *b)
{
    if (takes_a_word(b))
        return false;
    pthread_mutex_lock(&b->dense->lock);
    b->course->not_before_ms = clock_mono_ms() + REFUSED_PAUSE_MS;
    pthread_mutex_unlock(&b->dense->lock);
    return true;
}

/* A vector without a length: the passage is done with, and found by its words.
 */
static bool give_up(struct batch *b)
{
    struct embedding none = {.n = 1};

    pthread_mutex_lock(&b->dense->lock);
    none.size = b->dense->size;
    pthread_mutex_unlock(&b->dense->lock);
    none.floats = arena_many(b->arena, none.size, float);
    log_write(LOG_WARN, "the embedder gives no vector of a passage",
              LOG_NUM("position", b->passages[0].passage->position));
    return none.floats && none.size && store_vectors(b, &none);
}

/* One passage, ever shorter. */
static bool embed_alone(struct batch *b)
{
    for (; b->text_bytes >= TEXT_BYTES_MIN; b->text_bytes /= 2) {
        if (ask_for_vectors(b))
            return true;
        if (!b->refused)
            return false;
    }
    return give_up(b);
}

static bool embed_batch(struct batch *b)
{
    struct dense *d = b->dense;

    if (ask_for_vectors(b)) {
        d->batch =
            d->batch * 2 < PASSAGES_AT_ONCE ? d->batch * 2 : PASSAGES_AT_ONCE;
        return true;
    }
    if (!b->refused || refuses_all(b))
        return false;
    if (b->n > 1) {
        d->batch = b->n / 2; /* the next request has fewer */
        b->next_at = b->course->todo_at;
        b->next_position = b->course->after_position;
        return true;
    }
    b->text_bytes /= 2;
    return embed_alone(b);
}

/* Embeds the next passages; false: not now. */
static bool embed_some(struct dense *d, struct dense_course *c, size_t size)
{
    AUTO(arena_free) struct arena a = ARENA(DENSE_WORK_BYTES);
    struct batch b = {
        .dense = d, .course = c, .arena = &a, .text_bytes = DENSE_TEXT_BYTES};

    if (!gather(&b, size * sizeof(float)) || (b.n > 0 && !embed_batch(&b)))
        return false;
    c->todo_at = b.next_at;
    c->after_position = b.next_position;
    return true;
}

/* ---- A turn -------------------------------------------------------------- */

static bool has_turn(struct dense *d, struct dense_course *c, int64_t ms)
{
    struct vectors_turn turn = {.tenant = c->tenant_key,
                                .course = c->key,
                                .model = str_c(d->stored),
                                .holder = str_c(d->holder),
                                .ms = ms};

    return store_own(d->store, OP(vectors_turn), &turn, NULL) == FOOTNOTE_OK &&
           turn.mine;
}

void dense_end_turn(struct dense *d, struct dense_course *c)
{
    if (c->todo_n)
        (void)has_turn(d, c, 0);
}

static void wait_a_little(struct dense *d, struct dense_course *c, int64_t ms)
{
    pthread_mutex_lock(&d->lock);
    if (c->not_before_ms < clock_mono_ms() + ms)
        c->not_before_ms = clock_mono_ms() + ms;
    c->to_load |= ms == NOT_OUR_TURN_MS; /* another node makes them */
    pthread_cond_broadcast(&d->load_work);
    pthread_mutex_unlock(&d->lock);
}

/* Documents that have changed since are not in the list, or are in it with an
 * old version. */
static void drop_old_todo(struct dense *d, struct dense_course *c)
{
    bool old;

    pthread_mutex_lock(&d->lock);
    old = c->index_version != -1 && c->index_version != c->todo_version;
    pthread_mutex_unlock(&d->lock);
    if (old)
        dense_todo_free(c);
}

static bool may_go_on(struct dense *d, size_t *size)
{
    bool may;

    pthread_mutex_lock(&d->lock);
    *size = d->size;
    may = !d->closing;
    pthread_mutex_unlock(&d->lock);
    return may && endpoint_pause_ms(d->endpoint, ENDPOINT_PASSAGES) == 0;
}

bool dense_make(struct dense *d, struct dense_course *c, bool *over)
{
    int64_t until_ms = clock_mono_ms() + TURN_MS;
    size_t size = 0, was;
    bool ok = true;

    *over = false;
    if (!may_go_on(d, &size))
        return false;
    was = size;
    drop_old_todo(d, c);
    if (!c->todo && !list_todo(d, c, size)) {
        wait_a_little(d, c, STORE_PAUSE_MS);
        return false;
    }
    if (c->todo_n && !has_turn(d, c, DENSE_TURN_MS)) {
        dense_todo_free(c);
        wait_a_little(d, c, NOT_OUR_TURN_MS);
        return false;
    }
    for (int i = 0; ok && i < REQUESTS_A_TURN && c->todo_at < c->todo_n &&
                    clock_mono_ms() <= until_ms;
         i++)
        ok = may_go_on(d, &size) && embed_some(d, c, size);
    if (!ok && endpoint_pause_ms(d->endpoint, ENDPOINT_PASSAGES) == 0)
        wait_a_little(d, c, STORE_PAUSE_MS - 1);
    *over = c->todo_at == c->todo_n;
    if (*over)
        dense_end_turn(d, c);
    if (*over || (was && was != size))
        dense_todo_free(c);
    return ok;
}
