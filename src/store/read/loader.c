/* loader.c - sources for readers: from the cache or the pool, checked by their
 * digest, with what became of their document since. */
#include "store/read/loader.h"

#include <assert.h>

#include "store/damage.h"
#include "store/read/source_cache.h"
#include "store/session/course.h"
#include "store/session/course_row.h"
#include "store/session/message.h"
#include "store/state.h"

enum footnote_rc loader_init(struct loader *l, struct tx *tx, bool light,
                             struct footnote_err *err)
{
    *l = (struct loader){.tx = tx, .light = light};
    return sha256_open(&l->hasher, err);
}

void loader_free(struct loader *l)
{
    sha256_close(l->hasher);
}

static struct str text(struct arena *a, struct db_cur *cur, int column)
{
    return arena_str(a, db_col_str(cur, column));
}

enum { DOCUMENT = COL_SOURCE_GET_DOCUMENT_SEALED };

static void read_facts(const struct tx *tx, struct db_cur *cur, struct facts *f)
{
    int64_t searchable =
        db_col_i64(cur, DOCUMENT + COL_DOCUMENT_SEALED_SEARCHABLE_VERSION);

    *f = (struct facts){
        .docs_version = tx->docs_version + 1, /* 0 is "not asked" */
        .cited_version = db_col_i64(cur, COL_SOURCE_SEALED_VERSION),
        .course = db_col_i64(cur, DOCUMENT + COL_DOCUMENT_SEALED_COURSE),
        .version =
            searchable
                ? searchable
                : db_col_i64(cur, DOCUMENT + COL_DOCUMENT_SEALED_VERSION),
        .bound = db_col_i64(cur, COL_SOURCE_SEALED_DOCUMENT) != 0,
        .deleted = !db_col_null(cur, DOCUMENT + COL_DOCUMENT_SEALED_DELETED_MS),
        .redacted =
            db_col_i64(cur, COL_SOURCE_SEALED_REDACTED) != 0 ||
            db_col_i64(cur, DOCUMENT + COL_DOCUMENT_SEALED_REDACTED) != 0};
}

void loader_columns(struct arena *a, struct db_cur *cur, int first,
                    struct source *s)
{
    *s = (struct source){.type = (enum footnote_type)db_col_i64(cur, first)};
    for (int i = 0; i < SOURCE_FIELDS_N; i++) {
        const struct source_field *f = &source_fields[i];
        int column = first + 2 + i; /* behind type and key */
        struct source_value v = {.has = !db_col_null(cur, column)};

        if (source_is_text(f))
            v.text = text(a, cur, column);
        else if (f->kind == SOURCE_SECONDS)
            v.seconds = db_col_f64(cur, column);
        else
            v.whole = db_col_i64(cur, column);
        source_set(s, f, &v);
    }
    if (!s->id.p)
        s->id = text(a, cur, first + 1);
}

/* A source that is not what was stored is never shown.  A redacted one has
 * lost its text on purpose; its digest still names it. */
static enum footnote_rc check(struct loader *l, const struct stored_source *s,
                              struct db_cur *cur, struct footnote_err *err)
{
    struct sha256 now;

    if (db_col_i64(cur, COL_SOURCE_SEALED_REDACTED) != 0)
        return FOOTNOTE_OK;
    source_digest(l->hasher, &s->source,
                  db_col_str(cur, COL_SOURCE_SEALED_SOURCE_KEY), &now);
    if (!sha256_eq(&now, &s->digest))
        return damage_in_row(l->tx->store, SEALED_SOURCE, cur, 0, err);
    return FOOTNOTE_OK;
}

static enum footnote_rc ask(struct tx *tx, int64_t key, struct db_cur **cur,
                            struct footnote_err *err)
{
    return db_run(tx->db, STMT_SOURCE_GET, cur, err, db_i64(tx->tenant),
                  db_i64(key));
}

/* The next row of an answer to ask(): a source, and the document that it cites.
 */
static enum footnote_rc next(struct tx *tx, struct db_cur *cur, int64_t key,
                             struct footnote_err *err)
{
    const struct db_value of[] = {db_i64(tx->tenant), db_i64(key)};
    int64_t document;
    bool row;

    TRY(db_next(cur, &row, err));
    if (!row)
        return damage_found(tx->store, SEALED_SOURCE, of, err);
    TRY(seal_check_key_n(tx, SEALED_SOURCE, cur, 0, of, 2, err));
    document = db_col_i64(cur, COL_SOURCE_SEALED_DOCUMENT);
    if (document == 0)
        return FOOTNOTE_OK;
    return seal_check_key(tx, SEALED_DOCUMENT, cur, DOCUMENT, err,
                          db_i64(tx->tenant), db_i64(document));
}

/* Texts live in `a`. */
static enum footnote_rc answer(struct loader *l, struct arena *a,
                               struct db_cur *cur, int64_t key,
                               struct stored_source *out,
                               struct footnote_err *err)
{
    struct tx *tx = l->tx;
    struct str digest;

    TRY(next(tx, cur, key, err));
    *out =
        (struct stored_source){.pool = db_col_i64(cur, COL_SOURCE_SEALED_POOL)};
    read_facts(tx, cur, &out->facts);
    digest = db_col_str(cur, COL_SOURCE_SEALED_DIGEST);
    if (digest.n == SHA256_BYTES)
        memcpy(out->digest.b, digest.p, SHA256_BYTES);
    loader_columns(a, cur, COL_SOURCE_SEALED_SOURCE_TYPE, &out->source);
    TRY(arena_rc(a, err));
    TRY(check(l, out, cur, err));
    cache_put(tx->store->cache, tx->tenant, key, out);
    return FOOTNOTE_OK;
}

static enum footnote_rc fetch(struct loader *l, int64_t key,
                              struct stored_source *out,
                              struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    TRY(ask(l->tx, key, &cur, err));
    return answer(l, l->tx->out, cur, key, out, err);
}

/* ---- Ahead -------------------------------------------------------------- */

enum { AHEAD_MAX = 64 };

struct ahead {
    size_t n;
    int64_t keys[AHEAD_MAX];
    struct db_cur *cur[AHEAD_MAX];
};

static void ahead_end(struct ahead *a)
{
    for (size_t i = 0; i < a->n; i++)
        db_end(&a->cur[i]);
}

/* The next reference that was not looked at, NULL after the last. */
static const struct reference *next_ahead(struct loader *l)
{
    while (l->ahead_n && l->ahead_source >= l->ahead->sources_n) {
        l->ahead++;
        l->ahead_n--;
        l->ahead_source = 0;
    }
    return l->ahead_n ? &l->ahead->sources[l->ahead_source++] : NULL;
}

static bool is_asked(const struct ahead *a, int64_t key)
{
    for (size_t i = 0; i < a->n; i++)
        if (a->keys[i] == key)
            return true;
    return false;
}

/* Puts sources that will be needed into the cache, in one round trip.  It
 * never looks back: what the cache cannot hold is fetched one by one. */
static enum footnote_rc fetch_ahead(struct loader *l, struct footnote_err *err)
{
    AUTO(ahead_end) struct ahead a = {.n = 0};
    struct tx *tx = l->tx;
    const struct reference *r;
    struct stored_source s;

    while (a.n < AHEAD_MAX && (r = next_ahead(l)) != NULL) {
        if (is_asked(&a, r->key) ||
            cache_has(tx->store->cache, tx->tenant, r->key))
            continue;
        a.keys[a.n] = r->key;
        a.cur[a.n] = NULL;
        TRY(ask(tx, r->key, &a.cur[a.n++], err));
    }
    for (size_t i = 0; i < a.n; i++)
        TRY(answer(l, tx->scratch, a.cur[i], a.keys[i], &s, err));
    return FOOTNOTE_OK;
}

/* From the cache, or from the pool; a file has no round trips to save. */
static enum footnote_rc get_source(struct loader *l, int64_t key,
                                   struct stored_source *out,
                                   struct footnote_err *err)
{
    struct tx *tx = l->tx;
    struct source_cache *cache = tx->store->cache;

    if (cache_get(cache, tx->tenant, key, tx->out, out))
        return FOOTNOTE_OK;
    TRY(arena_rc(tx->out, err));
    if (l->ahead_n && db_has_round_trips(tx->db)) {
        TRY(fetch_ahead(l, err));
        if (cache_get(cache, tx->tenant, key, tx->out, out))
            return FOOTNOTE_OK;
        TRY(arena_rc(tx->out, err));
    }
    return fetch(l, key, out, err);
}

/* ---- What became of its document ---------------------------------------- */

void loader_role(struct loader *l, int64_t course, enum member_role role)
{
    size_t at = l->roles_n++ % (sizeof(l->roles) / sizeof(l->roles[0]));

    l->roles[at].course = course;
    l->roles[at].role = role;
}

static enum footnote_rc role_in(struct loader *l, int64_t course,
                                enum member_role *out, struct footnote_err *err)
{
    size_t slots = sizeof(l->roles) / sizeof(l->roles[0]);

    for (size_t i = 0; i < l->roles_n && i < slots; i++)
        if (l->roles[i].course == course) {
            *out = l->roles[i].role;
            return FOOTNOTE_OK;
        }
    TRY(course_role(l->tx, course, out, err));
    loader_role(l, course, *out);
    return FOOTNOTE_OK;
}

/* Whether anything can become of it: what names no document is never bound,
 * and what its saver cited outside of all courses is bound at once or never. */
static bool can_change(const struct loader *l, const struct stored_source *s)
{
    return s->facts.bound || (s->pool != l->tx->account &&
                              (s->source.document.p || s->source.lecture.p));
}

static enum footnote_rc find_facts(struct loader *l, int64_t key,
                                   struct stored_source *s,
                                   struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct tx *tx = l->tx;

    if (s->facts.docs_version == tx->docs_version + 1 || !can_change(l, s))
        return FOOTNOTE_OK;
    TRY(ask(tx, key, &cur, err));
    TRY(next(tx, cur, key, err));
    read_facts(tx, cur, &s->facts);
    cache_set_facts(tx->store->cache, tx->tenant, key, &s->facts);
    return FOOTNOTE_OK;
}

/* Rights are asked for at every read: they may have been withdrawn. */
static enum footnote_rc may_read(struct loader *l,
                                 const struct stored_source *s, bool *may,
                                 struct footnote_err *err)
{
    enum member_role role = MEMBER_OWNER;

    if (s->pool != l->tx->account)
        TRY(role_in(l, s->pool, &role, err));
    if (role != MEMBER_NONE && s->facts.bound && s->facts.course != s->pool)
        TRY(role_in(l, s->facts.course, &role, err));
    *may = role != MEMBER_NONE;
    return FOOTNOTE_OK;
}

static enum footnote_state state_of(const struct facts *f, bool may)
{
    if (!may)
        return FOOTNOTE_WITHDRAWN;
    if (f->redacted)
        return FOOTNOTE_REDACTED;
    if (!f->bound)
        return FOOTNOTE_EXTERNAL;
    if (f->deleted)
        return FOOTNOTE_DELETED;
    return f->cited_version == f->version ? FOOTNOTE_LIVE : FOOTNOTE_CHANGED;
}

/* ---- All of it ---------------------------------------------------------- */

struct str source_doc_ref(struct arena *a, const struct source *s)
{
    if (s->type == FOOTNOTE_JOURNAL && s->date.p && s->title.p)
        return arena_printf(a, "%.*s:%.*s", STR_ARG(s->date),
                            STR_ARG(s->title));
    return s->document.p  ? s->document
           : s->lecture.p ? s->lecture
           : s->url.p     ? s->url
                          : s->id;
}

/* Of a document that the asker may no longer read nothing is left but that
 * there was a source, and of what kind.  Its id would name the document. */
static enum footnote_rc withdraw(struct loader *l, struct reference *out,
                                 struct footnote_err *err)
{
    l->withdrawn = source_doc_ref(l->tx->scratch, &out->source);
    out->source = (struct source){
        .type = out->source.type,
        .id = arena_printf(l->tx->out, "withdrawn_%u", out->number)};
    out->version = 0;
    TRY(arena_rc(l->tx->scratch, err));
    return arena_rc(l->tx->out, err);
}

enum footnote_rc loader_source(struct loader *l, struct reference *out,
                               struct footnote_err *err)
{
    struct stored_source s;
    bool may;

    assert(out->key > 0 && l->hasher);
    TRY(get_source(l, out->key, &s, err));
    TRY(find_facts(l, out->key, &s, err));
    TRY(may_read(l, &s, &may, err));
    out->source = s.source;
    out->digest = s.digest;
    out->version = s.facts.bound ? s.facts.cited_version : 0;
    out->state = state_of(&s.facts, may);
    if (out->state == FOOTNOTE_WITHDRAWN)
        return withdraw(l, out, err);
    if (l->light || out->state == FOOTNOTE_REDACTED)
        out->source.preview = STR_NONE;
    if (out->state == FOOTNOTE_REDACTED) /* a cached copy may still have it */
        out->source.meta = out->source.locator = STR_NONE;
    return FOOTNOTE_OK;
}
