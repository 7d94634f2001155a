/* pool.c - one row per source, shared by all that cite it.
 *
 * A source is found by (pool, digest, version of its document).  The writer
 * remembers recent sources and the versions of their documents; a rollback
 * empties both. */
#include <assert.h>
#include <stdlib.h>

#include "store/document/document_row.h"
#include "store/id_cache.h"
#include "store/session/message.h"
#include "store/source/digest.h"
#include "store/source/pool.h"
#include "store/source/reference.h"
#include "store/state.h"

enum { SLOTS = 64 * 1024, DOCUMENTS = 4 * 1024 };

struct pooled {
    uint64_t generation;
    int64_t tenant, pool, version, source;
    struct sha256 digest;
};
struct cited_document {
    uint64_t generation;
    int64_t tenant, docs_version, version;
    size_t id_n;
    char id[STORE_ID_BYTES_MAX];
};
struct pool {
    uint64_t generation;
    struct pooled slots[SLOTS];
    struct cited_document documents[DOCUMENTS];
};

enum footnote_rc pool_open(struct pool **out, struct footnote_err *err)
{
    *out = calloc(1, sizeof(**out));
    if (!*out)
        return err_set(err, FOOTNOTE_NOMEM, "opening the store");
    (*out)->generation = 1;
    return FOOTNOTE_OK;
}

void pool_close(struct pool *p)
{
    free(p);
}

void pool_forget(struct pool *p)
{
    p->generation++;
}

static struct pooled *slot_of(struct pool *p, int64_t pool,
                              const struct sha256 *digest)
{
    uint64_t h;

    memcpy(&h, digest->b, sizeof(h));
    return &p->slots[(h ^ (uint64_t)pool) % SLOTS];
}

/* An id that is the key is not stored twice. */
static enum footnote_rc insert(struct tx *tx, int64_t pool,
                               const struct new_reference *r, int64_t key,
                               struct footnote_err *err)
{
    enum { FIRST = 7 }; /* column of the fields */
    struct source s = r->ref->source;
    struct db_value args[FIRST + SOURCE_FIELDS_N] = {
        db_i64(tx->tenant), db_i64(key),
        db_i64(pool),       db_blob(digest_str(&r->digest)),
        db_i64(r->version), db_i64(s.type),
        db_text(r->key)};

    if (str_eq(s.id, r->key))
        s.id = STR_NONE;
    for (size_t i = 0; i < SOURCE_FIELDS_N; i++) {
        const struct source_field *f = &source_fields[i];
        struct source_value v = source_get(&s, f);

        args[FIRST + i] = source_is_text(f) ? db_text(v.text)
                          : f->kind == SOURCE_SECONDS
                              ? db_opt_f64(v.has, v.seconds)
                              : db_opt(v.has, v.whole);
    }
    return db_do_n(tx->db, STMT_SOURCE_INSERT, args, FIRST + SOURCE_FIELDS_N,
                   err);
}

enum footnote_rc pool_ask(struct tx *tx, int64_t pool, struct new_reference *r,
                          struct footnote_err *err)
{
    const struct pooled *s = slot_of(tx->store->pool, pool, &r->digest);

    assert(r->ref && !r->stored);
    r->asked = NULL;
    if (s->generation == tx->store->pool->generation &&
        s->tenant == tx->tenant && s->pool == pool &&
        s->version == r->version && sha256_eq(&s->digest, &r->digest)) {
        r->source = s->source;
        return FOOTNOTE_OK;
    }
    return db_run(tx->db, STMT_SOURCE_FIND, &r->asked, err, db_i64(tx->tenant),
                  db_i64(pool), db_blob(digest_str(&r->digest)),
                  db_i64(r->version));
}

enum footnote_rc pool_put(struct tx *tx, int64_t pool, struct new_reference *r,
                          struct footnote_err *err)
{
    bool row;

    if (!r->asked)
        return FOOTNOTE_OK;
    TRY(db_next(r->asked, &row, err));
    if (row) {
        r->source = db_col_i64(r->asked, COL_SOURCE_FIND_SOURCE);
    } else {
        TRY(key_new(tx, &r->source, err));
        TRY(insert(tx, pool, r, r->source, err));
    }
    *slot_of(tx->store->pool, pool, &r->digest) =
        (struct pooled){tx->store->pool->generation,
                        tx->tenant,
                        pool,
                        r->version,
                        r->source,
                        r->digest};
    return FOOTNOTE_OK;
}

void pool_drop(struct new_reference *r)
{
    db_end(&r->asked);
}

/* Reads tx->docs_version, which a new session does not bring. */
static enum footnote_rc docs_version_now(struct tx *tx,
                                         struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    TRY(db_one(tx->db, STMT_DOCS_VERSION, &cur, &row, err, db_i64(tx->tenant)));
    tx->docs_version = row ? db_col_i64(cur, COL_DOCS_VERSION_DOCS_VERSION) : 0;
    return FOOTNOTE_OK;
}

enum footnote_rc document_version_now(struct tx *tx, const struct source *s,
                                      int64_t *version,
                                      struct footnote_err *err)
{
    struct pool *p = tx->store->pool;
    struct str id = s->document.p ? s->document : s->lecture;
    struct cited_document *k = &p->documents[str_hash(id) % DOCUMENTS];
    struct document_row d;

    *version = 0;
    if (!id.p)
        return FOOTNOTE_OK;
    if (tx->docs_version < 0)
        TRY(docs_version_now(tx, err));
    if (tx->docs_version == 0)
        return FOOTNOTE_OK;
    if (k->generation == p->generation && k->tenant == tx->tenant &&
        k->docs_version == tx->docs_version && k->id_n == id.n &&
        memcmp(k->id, id.p, id.n) == 0) {
        *version = k->version;
        return FOOTNOTE_OK;
    }
    TRY(document_find(tx, id, &d, err));
    if (d.found)
        *version = d.searchable_version ? d.searchable_version : d.version;
    assert(id.n <= sizeof(k->id)); /* source_check() */
    *k = (struct cited_document){.generation = p->generation,
                                 .tenant = tx->tenant,
                                 .docs_version = tx->docs_version,
                                 .version = *version,
                                 .id_n = id.n};
    memcpy(k->id, id.p, id.n);
    return FOOTNOTE_OK;
}
