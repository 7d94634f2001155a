/* reference.c - the sources of one message: numbers, marks, storing.
 *
 * A list of references is made ready in steps: check and digest (no database
 * needed), give numbers, find the markers, store.  The same steps serve a
 * message saved whole, sources added later, and an answer that ends. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "store/seal.h"
#include "store/session/message.h"
#include "store/source/pool.h"
#include "store/source/reference.h"
#include "store/source/refs.h"
#include "store/strings.h"

static enum footnote_rc new_references_one(struct tx *tx, struct sha256_ctx *c,
                                           const struct reference *ref,
                                           struct new_reference *out,
                                           struct footnote_err *err)
{
    TRY(source_check(&ref->source, err));
    if (ref->number > STORE_NUMBER_MAX)
        return err_field(err, FOOTNOTE_INVALID, "chunkNumber", "%u is over %d",
                         ref->number, STORE_NUMBER_MAX);
    if (ref->has_score && !isfinite(ref->score))
        return err_field(err, FOOTNOTE_INVALID, "score", "is not a number");
    *out = (struct new_reference){
        .ref = ref,
        .number = ref->number,
        .title = ref->source.title,
        .preview = ref->source.preview,
        .is_image = ref->source.type == FOOTNOTE_IMAGE,
        .has_score = ref->has_score,
        .score = ref->score + 0.0, /* no -0: see source.h */
        .support = -1};
    TRY(source_key(tx->scratch, &ref->source, &out->key, err));
    source_digest(c, &ref->source, out->key, &out->digest);
    return FOOTNOTE_OK;
}

enum footnote_rc new_references_make(struct tx *tx, struct sha256_ctx *c,
                                     const struct reference *refs, size_t n,
                                     struct new_references *out,
                                     struct footnote_err *err)
{
    *out = (struct new_references){.n = n};
    if (n > STORE_SOURCES_MAX)
        return err_field(err, FOOTNOTE_TOOBIG, "sources", "%zu, at most %d", n,
                         STORE_SOURCES_MAX);
    out->items = arena_many(tx->scratch, n + 1, struct new_reference);
    if (!out->items)
        return arena_rc(tx->scratch, err);
    for (size_t i = 0; i < n; i++) {
        enum footnote_rc rc =
            new_references_one(tx, c, &refs[i], &out->items[i], err);

        if (rc != FOOTNOTE_OK) {
            err_prefix(err, "sources/%zu", i);
            err_about(err, "sources/%zu", i);
            return rc;
        }
    }
    return FOOTNOTE_OK;
}

/* ---- Numbers ------------------------------------------------------------ */

/* A source may stand in the list under several numbers that were given; one
 * without a number is the first of them. */
static struct new_reference *same_source(const struct new_references *l,
                                         const struct new_reference *r)
{
    uint32_t given = r->ref->number;

    for (size_t i = 0; i < l->n; i++)
        if (sha256_eq(&l->items[i].digest, &r->digest) &&
            (given == 0 || l->items[i].number == given))
            return &l->items[i];
    return NULL;
}

static bool number_used(const struct new_references *l, uint32_t number)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->items[i].number == number)
            return true;
    return false;
}

/* References with a given number come first, so that no other takes it. */
static enum footnote_rc add_numbered(const struct new_references *fresh,
                                     struct new_references *out,
                                     struct footnote_err *err)
{
    for (size_t i = 0; i < fresh->n; i++) {
        const struct new_reference *r = &fresh->items[i];
        uint32_t given = r->ref->number;

        if (given == 0 || same_source(out, r))
            continue;
        if (number_used(out, given))
            return err_set(err, FOOTNOTE_NUMBER,
                           "sources/%zu: number %u is another source's", i,
                           given);
        out->items[out->n] = *r;
        out->items[out->n++].number = given;
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc add_unnumbered(const struct new_references *fresh,
                                       uint32_t next,
                                       struct new_references *out,
                                       struct footnote_err *err)
{
    for (size_t i = 0; i < fresh->n; i++) {
        const struct new_reference *r = &fresh->items[i];

        if (same_source(out, r))
            continue;
        while (number_used(out, next))
            next++;
        if (next > STORE_NUMBER_MAX)
            return err_set(err, FOOTNOTE_INVALID, "no number is left");
        out->items[out->n] = *r;
        out->items[out->n++].number = next++;
    }
    return FOOTNOTE_OK;
}

static int by_number(const void *a, const void *b)
{
    const struct new_reference *x = a, *y = b;

    return (x->number > y->number) - (x->number < y->number);
}

enum footnote_rc new_references_number(struct tx *tx,
                                       const struct new_references *there,
                                       const struct new_references *fresh,
                                       uint32_t from,
                                       struct new_references *out,
                                       struct footnote_err *err)
{
    *out = (struct new_references){.n = there->n};
    out->items =
        arena_many(tx->scratch, there->n + fresh->n + 1, struct new_reference);
    if (!out->items)
        return arena_rc(tx->scratch, err);
    if (there->n)
        memcpy(out->items, there->items, there->n * sizeof(*out->items));
    for (size_t i = 0; i < there->n; i++)
        if (there->items[i].number >= from)
            from = there->items[i].number + 1;
    TRY(add_numbered(fresh, out, err));
    TRY(add_unnumbered(fresh, from, out, err));
    if (out->n > STORE_SOURCES_MAX)
        return err_field(err, FOOTNOTE_TOOBIG, "sources", "%zu, at most %d",
                         out->n, STORE_SOURCES_MAX);
    for (size_t i = 0; i < fresh->n; i++) {
        const struct new_reference *r = same_source(out, &fresh->items[i]);

        assert(r); /* every source is in the list by now */
        fresh->items[i].number = r->number;
    }
    qsort(out->items, out->n, sizeof(*out->items), by_number);
    return FOOTNOTE_OK;
}

void new_references_numbers(const struct new_references *fresh,
                            uint32_t *numbers)
{
    for (size_t i = 0; numbers && i < fresh->n; i++)
        numbers[i] = fresh->items[i].number;
}

/* ---- What is stored ----------------------------------------------------- */

static enum footnote_rc unpack(struct tx *tx, struct str packed,
                               struct new_references *out,
                               struct footnote_err *err)
{
    struct refs refs;

    TRY(refs_begin(&refs, packed, err));
    out->items = arena_many(tx->scratch, refs.n + 1, struct new_reference);
    if (!out->items)
        return arena_rc(tx->scratch, err);
    while (refs.n) {
        struct ref r;

        TRY(refs_next(&refs, &r, err));
        out->items[out->n++] =
            (struct new_reference){.number = r.number,
                                   .source = r.source,
                                   .support = r.support,
                                   .has_score = r.has_score,
                                   .score = r.score,
                                   .spans = arena_str(tx->scratch, r.spans),
                                   .stored = true,
                                   .was_cited = r.spans.p != NULL};
    }
    return arena_rc(tx->scratch, err);
}

static void add_source(struct tx *tx, struct db_cur *cur,
                       const struct new_references *list)
{
    int64_t source = db_col_i64(cur, COL_SOURCES_OF_SOURCE);
    struct str digest = db_col_str(cur, COL_SOURCES_OF_DIGEST);

    for (size_t i = 0; i < list->n; i++) {
        struct new_reference *r = &list->items[i];

        if (r->source != source)
            continue;
        if (digest.n == SHA256_BYTES)
            memcpy(r->digest.b, digest.p, SHA256_BYTES);
        r->title =
            arena_str(tx->scratch, db_col_str(cur, COL_SOURCES_OF_TITLE));
        r->preview =
            arena_str(tx->scratch, db_col_str(cur, COL_SOURCES_OF_PREVIEW));
        r->is_image =
            db_col_i64(cur, COL_SOURCES_OF_SOURCE_TYPE) == FOOTNOTE_IMAGE;
    }
}

/* Loads digest, title, preview and type of the sources. */
static enum footnote_rc load_sources(struct tx *tx,
                                     const struct new_references *list,
                                     struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    int64_t keys[STORE_SOURCES_MAX];
    struct str packed;

    if (list->n == 0)
        return FOOTNOTE_OK;
    assert(list->n <= STORE_SOURCES_MAX); /* refs_begin() */
    for (size_t i = 0; i < list->n; i++)
        keys[i] = list->items[i].source;
    TRY(keys_pack(tx->scratch, keys, list->n, &packed, err));
    TRY(db_run(tx->db, STMT_SOURCES_OF, &cur, err, db_text(packed),
               db_i64(tx->tenant)));
    for (;;) {
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return arena_rc(tx->scratch, err);
        add_source(tx, cur, list);
    }
}

enum footnote_rc new_references_load(struct tx *tx, int64_t session,
                                     int64_t seq, struct new_references *out,
                                     struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    *out = (struct new_references){.n = 0};
    TRY(db_one(tx->db, STMT_REFS_GET, &cur, &row, err, db_i64(tx->tenant),
               db_i64(session), db_i64(seq)));
    if (!row)
        return err_field(err, FOOTNOTE_NOTFOUND, "message", "was deleted");
    TRY(unpack(tx, db_col_str(cur, COL_REFS_GET_REFS), out, err));
    return load_sources(tx, out, err);
}

enum footnote_rc new_references_load_sound(struct tx *tx, int64_t session,
                                           int64_t seq,
                                           struct new_references *out,
                                           struct footnote_err *err)
{
    struct footnote_err why;
    enum footnote_rc rc = new_references_load(tx, session, seq, out, &why);

    if (rc == FOOTNOTE_DAMAGED || rc == FOOTNOTE_NOTFOUND) {
        out->n = 0;
        return FOOTNOTE_OK;
    }
    if (rc != FOOTNOTE_OK && err)
        *err = why;
    return rc;
}

/* ---- Storing ------------------------------------------------------------ */

#define REF_VALUES(r)                                                          \
    db_i64((r)->number), db_i64((r)->source), db_i64((r)->spans.p != NULL)

static enum footnote_rc insert(struct tx *tx, int64_t session, int64_t seq,
                               const struct new_reference *r,
                               struct footnote_err *err)
{
    return db_do(tx->db, STMT_REF_INSERT, err, db_i64(tx->tenant),
                 db_i64(session), db_i64(seq), REF_VALUES(r));
}

void new_references_drop(const struct new_references *list)
{
    for (size_t i = 0; i < list->n; i++)
        pool_drop(&list->items[i]);
}

/* The same source under another number, if one stands before item i. */
static const struct new_reference *same_before(const struct new_references *l,
                                               size_t i)
{
    const struct new_reference *r = &l->items[i];

    for (size_t k = 0; k < i; k++) {
        const struct new_reference *o = &l->items[k];

        if (!o->stored && sha256_eq(&o->digest, &r->digest) &&
            o->binding.document == r->binding.document &&
            o->binding.version == r->binding.version)
            return o;
    }
    return NULL;
}

static enum footnote_rc ask_all(struct tx *tx, int64_t pool,
                                const struct new_references *list,
                                struct footnote_err *err)
{
    for (size_t i = 0; i < list->n; i++) {
        struct new_reference *r = &list->items[i];

        if (r->stored)
            continue;
        TRY(binding_now(tx, pool, &r->ref->source, &r->binding, err));
        if (r->binding.document && r->ref->version) /* it was read before */
            r->binding.version = r->ref->version;
        if (!same_before(list, i))
            TRY(pool_ask(tx, pool, r, err));
    }
    return FOOTNOTE_OK;
}

enum footnote_rc new_references_ask(struct tx *tx, int64_t pool,
                                    const struct new_references *list,
                                    struct footnote_err *err)
{
    enum footnote_rc rc;

    for (size_t i = 0; i < list->n; i++)
        list->items[i].asked = NULL; /* of an earlier run */
    rc = ask_all(tx, pool, list, err);
    if (rc != FOOTNOTE_OK)
        new_references_drop(list);
    return rc;
}

enum footnote_rc new_references_put(struct tx *tx, int64_t pool,
                                    const struct new_references *list,
                                    struct footnote_err *err)
{
    for (size_t i = 0; i < list->n; i++) {
        struct new_reference *r = &list->items[i];
        const struct new_reference *same = same_before(list, i);

        if (r->stored)
            continue;
        if (same)
            r->source = same->source;
        else
            TRY(pool_put(tx, pool, r, err));
    }
    return FOOTNOTE_OK;
}

enum footnote_rc new_references_pack(struct tx *tx,
                                     const struct new_references *list,
                                     struct str *out, struct footnote_err *err)
{
    struct ref *refs = arena_many(tx->scratch, list->n + 1, struct ref);

    *out = STR_NONE;
    if (!refs)
        return arena_rc(tx->scratch, err);
    for (size_t i = 0; i < list->n; i++) {
        const struct new_reference *r = &list->items[i];

        refs[i] = (struct ref){r->number, r->source,    r->support,
                               r->spans,  r->has_score, r->score};
    }
    *out = refs_pack(tx->scratch, refs, list->n);
    return arena_rc(tx->scratch, err);
}

/* Four rows at once save three round trips.  SQLite has no round trips, and a
 * statement of several rows costs it a journal to undo some of them. */
enum { FOUR = 4 };

enum footnote_rc new_references_insert(struct tx *tx, int64_t session,
                                       int64_t seq,
                                       const struct new_references *list,
                                       struct footnote_err *err)
{
    const struct new_reference *some[FOUR];
    size_t n = 0;

    for (size_t i = 0; i < list->n; i++) {
        const struct new_reference *r = &list->items[i];

        if (r->stored)
            continue;
        assert(r->source > 0 && r->number > 0);
        some[n++] = r;
        if (n == FOUR)
            TRY(db_do(tx->db, STMT_REFS_INSERT, err, db_i64(tx->tenant),
                      db_i64(session), db_i64(seq), REF_VALUES(some[0]),
                      REF_VALUES(some[1]), REF_VALUES(some[2]),
                      REF_VALUES(some[3])));
        else if (!db_has_round_trips(tx->db))
            TRY(insert(tx, session, seq, r, err));
        else
            continue;
        n = 0;
    }
    for (size_t i = 0; i < n; i++)
        TRY(insert(tx, session, seq, some[i], err));
    return FOOTNOTE_OK;
}

/* Updates the way back of those that the text now cites, or no longer does. */
static enum footnote_rc recite(struct tx *tx, int64_t session, int64_t seq,
                               const struct new_references *list,
                               struct footnote_err *err)
{
    for (size_t i = 0; i < list->n; i++) {
        const struct new_reference *r = &list->items[i];
        bool cited = r->spans.p != NULL;

        if (r->stored && cited != r->was_cited)
            TRY(db_do(tx->db, STMT_REF_CITE, err, db_i64(cited),
                      db_i64(tx->tenant), db_i64(r->source), db_i64(session),
                      db_i64(seq), db_i64(r->number)));
    }
    return FOOTNOTE_OK;
}

enum footnote_rc new_references_write(struct tx *tx, int64_t session,
                                      int64_t seq,
                                      const struct new_references *list,
                                      struct footnote_err *err)
{
    struct str packed;

    if (list->n == 0)
        return FOOTNOTE_OK;
    assert(list->n <= STORE_SOURCES_MAX);
    TRY(new_references_pack(tx, list, &packed, err));
    TRY(seal_open(tx, SEALED_MESSAGE, err, db_i64(tx->tenant), db_i64(session),
                  db_i64(seq)));
    TRY(db_do(tx->db, STMT_REFS_PUT, err, db_blob(packed), db_i64(tx->tenant),
              db_i64(session), db_i64(seq)));
    TRY(recite(tx, session, seq, list, err));
    return new_references_insert(tx, session, seq, list, err);
}

enum footnote_rc new_references_store(struct tx *tx, int64_t session,
                                      int64_t seq, int64_t pool,
                                      const struct new_references *list,
                                      struct footnote_err *err)
{
    enum footnote_rc rc;

    TRY(new_references_ask(tx, pool, list, err));
    rc = new_references_put(tx, pool, list, err);
    if (rc == FOOTNOTE_OK)
        rc = new_references_write(tx, session, seq, list, err);
    new_references_drop(list);
    return rc;
}
