/* pool.c - one row per source, shared by all that cite it.
 *
 * A source is found by (pool, digest, document, version): the same words with
 * and without a document of ours are two sources, so that nobody's saving gets
 * what became of another's.  The writer remembers recent ones; a rollback
 * empties that. */
#include <assert.h>
#include <stdlib.h>

#include "store/id_cache.h"
#include "store/seal.h"
#include "store/session/message.h"
#include "store/source/digest.h"
#include "store/source/pool.h"
#include "store/source/reference.h"
#include "store/state.h"
#include "store/usage.h"

enum { SLOTS = 64 * 1024 };

struct pooled {
    uint64_t generation;
    int64_t tenant, pool, source;
    struct binding binding;
    struct sha256 digest;
};
struct pool {
    uint64_t generation;
    struct pooled slots[SLOTS];
    struct bindings *bindings;
};

enum footnote_rc pool_open(struct pool **out, struct footnote_err *err)
{
    *out = calloc(1, sizeof(**out));
    if (!*out)
        return err_set(err, FOOTNOTE_NOMEM, "opening the store");
    (*out)->generation = 1;
    return bindings_open(&(*out)->bindings, err);
}

void pool_close(struct pool *p)
{
    if (p)
        bindings_close(p->bindings);
    free(p);
}

void pool_forget(struct pool *p)
{
    p->generation++;
    bindings_forget(p->bindings);
}

struct bindings *pool_bindings(struct pool *p)
{
    return p->bindings;
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
    enum { FIRST = 8, SEAL = COL_SOURCE_SEALED_SEAL }; /* of the fields */
    struct source s = r->ref->source;
    struct db_value args[SEAL + 1] = {db_i64(tx->tenant),
                                      db_i64(key),
                                      db_i64(pool),
                                      db_blob(digest_str(&r->digest)),
                                      db_i64(r->binding.document),
                                      db_i64(r->binding.version),
                                      db_i64(s.type),
                                      db_text(r->key)};

    size_t bytes = SQL_USAGE_SOURCE;

    if (str_eq(s.id, r->key))
        s.id = STR_NONE;
    for (size_t i = 0; i < SOURCE_FIELDS_N; i++) {
        const struct source_field *f = &source_fields[i];
        struct source_value v = source_get(&s, f);

        bytes += source_is_text(f) ? v.text.n : 0;
        args[FIRST + i] = source_is_text(f) ? db_text(v.text)
                          : f->kind == SOURCE_SECONDS
                              ? db_opt_f64(v.has, v.seconds)
                              : db_opt(v.has, v.whole);
    }
    TRY(usage_add(tx, tx->account,
                  (struct usage){.source_bytes = (int64_t)bytes}, err));
    args[COL_SOURCE_SEALED_REDACTED] = db_i64(0);
    args[SEAL] = seal_of(SEALED_SOURCE, args, SEAL);
    return db_do_n(tx->db, STMT_SOURCE_INSERT, args, SEAL + 1, err);
}

enum footnote_rc pool_ask(struct tx *tx, int64_t pool, struct new_reference *r,
                          struct footnote_err *err)
{
    const struct pooled *s = slot_of(tx->store->pool, pool, &r->digest);

    assert(r->ref && !r->stored);
    r->asked = NULL;
    if (s->generation == tx->store->pool->generation &&
        s->tenant == tx->tenant && s->pool == pool &&
        s->binding.document == r->binding.document &&
        s->binding.version == r->binding.version &&
        sha256_eq(&s->digest, &r->digest)) {
        r->source = s->source;
        return FOOTNOTE_OK;
    }
    return db_run(tx->db, STMT_SOURCE_FIND, &r->asked, err, db_i64(tx->tenant),
                  db_i64(pool), db_blob(digest_str(&r->digest)),
                  db_i64(r->binding.document), db_i64(r->binding.version));
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
                        r->source,
                        r->binding,
                        r->digest};
    return FOOTNOTE_OK;
}

void pool_drop(struct new_reference *r)
{
    db_end(&r->asked);
}
