/* digest_check.c - messages and sources compared with their digests. */
#include "store/read/digest_check.h"

#include "store/list.h"
#include "store/read/loader.h"
#include "store/source/digest.h"
#include "store/source/refs.h"

enum { PAGE_MESSAGES = 50, PAGE_SOURCES = 200 };

static enum footnote_rc add_damaged(struct tx *tx, struct digest_check *op,
                                    struct str name, struct footnote_err *err)
{
    struct str *one =
        list_add(tx->out, &op->damaged, &op->damaged_n, sizeof(*one));

    if (one)
        *one = name;
    return arena_rc(tx->out, err);
}

static bool read_digest(struct db_cur *cur, int column, struct sha256 *out)
{
    struct str digest = db_col_str(cur, column);

    if (digest.n == SHA256_BYTES)
        memcpy(out->b, digest.p, SHA256_BYTES);
    return digest.n == SHA256_BYTES;
}

/* ---- Messages ------------------------------------------------------------ */

/* The line of a reference, with the digest that its source has now. */
static enum footnote_rc find_line(struct tx *tx, int64_t tenant,
                                  const struct ref *r, struct digest_line *out,
                                  bool *there, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct sha256 digest = {{0}};

    TRY(db_one(tx->db, STMT_DIGEST_SOURCE, &cur, there, err, db_i64(tenant),
               db_i64(r->source)));
    if (*there)
        *there = read_digest(cur, COL_DIGEST_SOURCE_DIGEST, &digest);
    *out = digest_line(r->number, &digest, r->has_score, r->score);
    return FOOTNOTE_OK;
}

/* *good is false when the references cannot be read, or name no source. */
static enum footnote_rc find_lines(struct tx *tx, int64_t tenant,
                                   struct str packed,
                                   struct digest_line **lines, size_t *n,
                                   bool *good, struct footnote_err *err)
{
    struct refs refs;
    struct ref r;

    *good = refs_begin(&refs, packed, NULL) == FOOTNOTE_OK;
    while (*good && refs.n > 0) {
        struct digest_line *line;

        if (refs_next(&refs, &r, NULL) != FOOTNOTE_OK) {
            *good = false;
            break;
        }
        line = list_add(tx->scratch, lines, n, sizeof(*line));
        if (!line)
            return arena_rc(tx->scratch, err);
        TRY(find_line(tx, tenant, &r, line, good, err));
    }
    return FOOTNOTE_OK;
}

/* A message that is not complete has no digest yet, and needs none. */
static enum footnote_rc check_message(struct tx *tx, struct sha256_ctx *hasher,
                                      struct db_cur *cur, bool *good,
                                      struct footnote_err *err)
{
    int64_t tenant = db_col_i64(cur, COL_DIGEST_MESSAGES_TENANT);
    enum footnote_role role =
        (enum footnote_role)db_col_i64(cur, COL_DIGEST_MESSAGES_ROLE);
    struct str content = db_col_str(cur, COL_DIGEST_MESSAGES_CONTENT);
    struct str packed = db_col_str(cur, COL_DIGEST_MESSAGES_REFS);
    struct digest_line *lines = NULL;
    struct sha256 want, now;
    size_t n = 0;

    *good = true;
    if (!read_digest(cur, COL_DIGEST_MESSAGES_DIGEST, &want)) {
        *good = !content.p || db_col_i64(cur, COL_DIGEST_MESSAGES_STATUS) ==
                                  FOOTNOTE_STREAMING;
        return FOOTNOTE_OK;
    }
    if (packed.p)
        TRY(find_lines(tx, tenant, packed, &lines, &n, good, err));
    if (!*good)
        return FOOTNOTE_OK;
    message_digest(hasher, role, content, &now, lines,
                   role == FOOTNOTE_ASSISTANT ? n : 0);
    *good = sha256_eq(&now, &want);
    return FOOTNOTE_OK;
}

static enum footnote_rc check_messages(struct tx *tx, struct digest_check *op,
                                       struct sha256_ctx *hasher,
                                       struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row, good;

    TRY(db_run(tx->db, STMT_DIGEST_MESSAGES, &cur, err, db_i64(op->tenant),
               db_i64(op->row), db_i64(op->seq), db_i64(PAGE_MESSAGES)));
    for (;;) {
        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        TRY(check_message(tx, hasher, cur, &good, err));
        if (!good || db_sound(tx->db, NULL) != FOOTNOTE_OK)
            TRY(add_damaged(
                tx, op,
                arena_printf(
                    tx->out, "message %.*s of %.*s",
                    STR_ARG(db_col_str(cur, COL_DIGEST_MESSAGES_ID)),
                    STR_ARG(db_col_str(cur, COL_DIGEST_MESSAGES_TENANT_NAME))),
                err));
        op->tenant = db_col_i64(cur, COL_DIGEST_MESSAGES_TENANT);
        op->row = db_col_i64(cur, COL_DIGEST_MESSAGES_SESSION);
        op->seq = db_col_i64(cur, COL_DIGEST_MESSAGES_SEQ);
        db_told(tx->db);
        op->compared++;
    }
}

/* ---- Sources ------------------------------------------------------------- */

/* Of a redacted one the text is gone, and only the digest is left. */
static bool check_source(struct tx *tx, struct sha256_ctx *hasher,
                         struct db_cur *cur)
{
    struct sha256 want, now;
    struct source s;

    if (!read_digest(cur, COL_DIGEST_SOURCES_DIGEST, &want))
        return false;
    if (db_col_i64(cur, COL_DIGEST_SOURCES_REDACTED) != 0)
        return true;
    loader_columns(tx->scratch, cur, COL_DIGEST_SOURCES_SOURCE_TYPE, &s);
    source_digest(hasher, &s, db_col_str(cur, COL_DIGEST_SOURCES_SOURCE_KEY),
                  &now);
    return sha256_eq(&now, &want);
}

static enum footnote_rc check_sources(struct tx *tx, struct digest_check *op,
                                      struct sha256_ctx *hasher,
                                      struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    TRY(db_run(tx->db, STMT_DIGEST_SOURCES, &cur, err, db_i64(op->tenant),
               db_i64(op->row), db_i64(PAGE_SOURCES)));
    for (;;) {
        TRY(db_next(cur, &row, err));
        if (!row)
            return arena_rc(tx->scratch, err);
        op->tenant = db_col_i64(cur, COL_DIGEST_SOURCES_TENANT);
        op->row = db_col_i64(cur, COL_DIGEST_SOURCES_SOURCE);
        if (!check_source(tx, hasher, cur) ||
            db_sound(tx->db, NULL) != FOOTNOTE_OK)
            TRY(add_damaged(
                tx, op,
                arena_printf(
                    tx->out, "source %lld of %.*s", (long long)op->row,
                    STR_ARG(db_col_str(cur, COL_DIGEST_SOURCES_TENANT_NAME))),
                err));
        op->compared++;
        db_told(tx->db);
    }
}

/* ---- Both ---------------------------------------------------------------- */

typedef enum footnote_rc page_fn(struct tx *tx, struct digest_check *op,
                                 struct sha256_ctx *hasher,
                                 struct footnote_err *err);

static enum footnote_rc run_page(struct tx *tx, struct digest_check *op,
                                 page_fn *check, int64_t full,
                                 struct footnote_err *err)
{
    AUTO(sha256_closep) struct sha256_ctx *hasher = NULL;

    op->compared = 0;
    op->damaged = NULL;
    op->damaged_n = 0;
    TRY(sha256_open(&hasher, err));
    TRY(check(tx, op, hasher, err));
    op->done = op->compared < full;
    return FOOTNOTE_OK;
}

static enum footnote_rc messages_run(struct tx *tx, void *arg,
                                     struct footnote_err *err)
{
    return run_page(tx, arg, check_messages, PAGE_MESSAGES, err);
}

static enum footnote_rc sources_run(struct tx *tx, void *arg,
                                    struct footnote_err *err)
{
    return run_page(tx, arg, check_sources, PAGE_SOURCES, err);
}

const struct store_op digest_messages_op = {NULL, messages_run};
const struct store_op digest_sources_op = {NULL, sources_run};
