/* check.c - the digest of every source from its fields, and of every message
 * from its text and the digests of its sources: docs/schema.md; and the seals,
 * by the store's own scrub.  A row may be told of twice. */
#include "backup/check.h"

#include <stdarg.h>
#include <stdio.h>

#include "backup_sql.h"
#include "cite/source.h"
#include "store/scrub.h"
#include "store/source/digest.h"
#include "store/source/refs.h"
#include "store/store.h"

enum { PAGE_ROWS = 128, WHAT_BYTES = 200, ARENA_BYTES_MAX = 1024 * 1024 };

struct checking {
    struct db *db;
    const struct restore_options *o;
    struct restored *out;
    struct sha256_ctx *hasher;
    int64_t tenant, session, seq, source; /* of the last row */
};

static void tell(const struct checking *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void tell(const struct checking *c, const char *format, ...)
{
    char what[WHAT_BYTES];
    va_list args;

    va_start(args, format);
    vsnprintf(what, sizeof(what), format, args);
    va_end(args);
    c->out->damaged++;
    c->o->damage(c->o->arg, what);
}

static bool is_digest(struct str stored, const struct sha256 *d)
{
    return stored.n == SHA256_BYTES &&
           memcmp(stored.p, d->b, SHA256_BYTES) == 0;
}

/* ---- Sources ------------------------------------------------------------ */

/* Texts are borrowed from the row. */
static void read_source(struct db_cur *cur, struct source *out)
{
    *out = (struct source){.type = (enum footnote_type)db_col_i64(
                               cur, BACKUP_COL_SOURCES_SOURCE_TYPE)};
    for (int i = 0; i < SOURCE_FIELDS_N; i++) {
        const struct source_field *f = &source_fields[i];
        int column = BACKUP_COL_SOURCES_SOURCE_ID + i; /* the first field */
        struct source_value v = {.has = !db_col_null(cur, column)};

        if (source_is_text(f))
            v.text = db_col_str(cur, column);
        else if (f->kind == SOURCE_SECONDS)
            v.seconds = db_col_f64(cur, column);
        else
            v.whole = db_col_i64(cur, column);
        source_set(out, f, &v);
    }
    if (!out->id.p)
        out->id = db_col_str(cur, BACKUP_COL_SOURCES_SOURCE_KEY);
}

/* The text of a redacted source is gone on purpose. */
static void check_source(struct checking *c, struct db_cur *cur)
{
    struct source s;
    struct sha256 now;

    c->tenant = db_col_i64(cur, BACKUP_COL_SOURCES_TENANT);
    c->source = db_col_i64(cur, BACKUP_COL_SOURCES_SOURCE);
    if (db_col_i64(cur, BACKUP_COL_SOURCES_REDACTED) != 0)
        return;
    read_source(cur, &s);
    if (source_type_name(s.type).p)
        source_digest(c->hasher, &s,
                      db_col_str(cur, BACKUP_COL_SOURCES_SOURCE_KEY), &now);
    if (!source_type_name(s.type).p ||
        !is_digest(db_col_str(cur, BACKUP_COL_SOURCES_DIGEST), &now))
        tell(c, "source %lld/%lld: does not match its digest",
             (long long)c->tenant, (long long)c->source);
}

static enum footnote_rc check_sources(struct checking *c, size_t *n,
                                      struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    TRY(db_run(c->db, (enum stmt_id)BACKUP_STMT_SOURCES, &cur, err,
               db_i64(c->tenant), db_i64(c->source), db_i64(PAGE_ROWS)));
    for (*n = 0;; ++*n) {
        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        check_source(c, cur);
    }
}

/* ---- Messages ----------------------------------------------------------- */

struct lines {
    size_t n;
    struct ref refs[STORE_SOURCES_MAX];
    struct db_cur *cur[STORE_SOURCES_MAX];
    struct digest_line all[STORE_SOURCES_MAX];
};

static void lines_end(struct lines *l)
{
    for (size_t i = 0; i < l->n; i++)
        db_end(&l->cur[i]);
}

/* Asks for the digests of all its sources, in one round trip. */
static enum footnote_rc ask_lines(const struct checking *c, struct str packed,
                                  struct lines *l, struct footnote_err *err)
{
    struct refs refs;

    TRY(refs_begin(&refs, packed, err));
    if (refs.n > STORE_SOURCES_MAX)
        return err_set(err, FOOTNOTE_DAMAGED, "too many references");
    while (refs.n) {
        struct ref *r = &l->refs[l->n];

        TRY(refs_next(&refs, r, err));
        l->cur[l->n] = NULL;
        TRY(db_run(c->db, (enum stmt_id)BACKUP_STMT_SOURCE_DIGEST,
                   &l->cur[l->n], err, db_i64(c->tenant), db_i64(r->source)));
        l->n++;
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc read_lines(struct lines *l, struct footnote_err *err)
{
    for (size_t i = 0; i < l->n; i++) {
        const struct ref *r = &l->refs[i];
        struct sha256 digest;
        struct str stored;
        bool row;

        TRY(db_next(l->cur[i], &row, err));
        if (!row)
            return err_set(err, FOOTNOTE_DAMAGED, "a source is missing");
        stored = db_col_str(l->cur[i], BACKUP_COL_SOURCE_DIGEST_DIGEST);
        if (stored.n != SHA256_BYTES)
            return err_set(err, FOOTNOTE_DAMAGED, "a source has no digest");
        memcpy(digest.b, stored.p, SHA256_BYTES);
        l->all[i] = digest_line(r->number, &digest, r->has_score, r->score);
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc check_message(struct checking *c, struct db_cur *cur,
                                      struct footnote_err *err)
{
    AUTO(lines_end) struct lines l = {.n = 0};
    int64_t role = db_col_i64(cur, BACKUP_COL_MESSAGES_ROLE);
    struct str digest = db_col_str(cur, BACKUP_COL_MESSAGES_DIGEST);
    struct str content = db_col_str(cur, BACKUP_COL_MESSAGES_CONTENT);
    struct str packed = db_col_str(cur, BACKUP_COL_MESSAGES_REFS);
    struct sha256 now;

    if (!content.p)
        return digest.p ? err_set(err, FOOTNOTE_DAMAGED, "its text is gone")
                        : FOOTNOTE_OK;
    if (role < FOOTNOTE_USER || role > FOOTNOTE_SYSTEM)
        return err_set(err, FOOTNOTE_DAMAGED, "it has no role");
    if (role == FOOTNOTE_ASSISTANT && packed.p) {
        TRY(ask_lines(c, packed, &l, err));
        TRY(read_lines(&l, err));
    }
    message_digest(c->hasher, (enum footnote_role)role, content, &now, l.all,
                   l.n);
    return is_digest(digest, &now)
               ? FOOTNOTE_OK
               : err_set(err, FOOTNOTE_DAMAGED, "does not match its digest");
}

static enum footnote_rc check_messages(struct checking *c, size_t *n,
                                       struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    TRY(db_run(c->db, (enum stmt_id)BACKUP_STMT_MESSAGES, &cur, err,
               db_i64(c->tenant), db_i64(c->session), db_i64(c->seq),
               db_i64(PAGE_ROWS)));
    for (*n = 0;; ++*n) {
        struct footnote_err why;
        enum footnote_rc rc;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        c->tenant = db_col_i64(cur, BACKUP_COL_MESSAGES_TENANT);
        c->session = db_col_i64(cur, BACKUP_COL_MESSAGES_SESSION);
        c->seq = db_col_i64(cur, BACKUP_COL_MESSAGES_SEQ);
        rc = check_message(c, cur, &why);
        if (rc == FOOTNOTE_DAMAGED) {
            tell(c, "message %lld/%lld/%lld: %s", (long long)c->tenant,
                 (long long)c->session, (long long)c->seq, why.text);
        } else if (rc != FOOTNOTE_OK) {
            if (err)
                *err = why;
            return rc;
        }
    }
}

/* ---- Both --------------------------------------------------------------- */

typedef enum footnote_rc page_fn(struct checking *c, size_t *n,
                                 struct footnote_err *err);

static enum footnote_rc each_page(struct checking *c, page_fn *fn,
                                  struct footnote_err *err)
{
    size_t n = PAGE_ROWS;

    c->tenant = 0;
    while (n == PAGE_ROWS) {
        if (atomic_load(c->o->stop))
            return err_set(err, FOOTNOTE_BUSY, "was stopped");
        TRY(fn(c, &n, err));
    }
    return FOOTNOTE_OK;
}

enum footnote_rc check_digests(struct db *db, const struct restore_options *o,
                               struct restored *out, struct footnote_err *err)
{
    AUTO(sha256_closep) struct sha256_ctx *hasher = NULL;
    struct checking c = {.db = db, .o = o, .out = out};

    TRY(sha256_open(&hasher, err));
    c.hasher = hasher;
    TRY(each_page(&c, check_sources, err));
    return each_page(&c, check_messages, err);
}

enum footnote_rc check_seals(struct store *st, const struct restore_options *o,
                             struct restored *out, struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(ARENA_BYTES_MAX);
    const struct checking c = {.o = o, .out = out};
    struct scrub s = {.limit = PAGE_ROWS};

    while (!s.over) {
        if (atomic_load(o->stop))
            return err_set(err, FOOTNOTE_BUSY, "was stopped");
        arena_reset(&a);
        TRY(store_own_read(st, &a, OP(scrub), &s, err));
        for (size_t i = 0; i < s.damages_n; i++)
            tell(&c, "%s: does not match its seal", s.damages[i].row);
    }
    return FOOTNOTE_OK;
}
