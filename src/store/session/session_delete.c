/* session_delete.c - ending a session, and clearing what it cites. */
#include "store/session/session.h"

#include "store/answer/word_log.h"
#include "store/session/message_row.h"
#include "store/session/session_row.h"
#include "store/source/digest.h"
#include "store/source/refs.h"
#include "store/state.h"
#include "store/usage.h"

static enum footnote_rc delete_rows(struct tx *tx, const enum stmt_id *stmts,
                                    size_t n, int64_t session,
                                    struct footnote_err *err)
{
    for (size_t i = 0; i < n; i++)
        TRY(db_do(tx->db, stmts[i], err, db_i64(tx->tenant), db_i64(session)));
    return FOOTNOTE_OK;
}

/* References that cannot be read are skipped: a damaged session can be
 * deleted too. */
static enum footnote_rc delete_way_back(struct tx *tx, int64_t session,
                                        struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    TRY(db_run(tx->db, STMT_REFS_FROM, &cur, err, db_i64(tx->tenant),
               db_i64(session), db_i64(0)));
    for (;;) {
        struct refs refs;
        struct ref r;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        if (refs_begin(&refs, db_col_str(cur, COL_REFS_FROM_REFS), NULL) !=
            FOOTNOTE_OK)
            continue;
        while (refs.n && refs_next(&refs, &r, NULL) == FOOTNOTE_OK)
            TRY(db_do(tx->db, STMT_REFS_DELETE, err, db_i64(tx->tenant),
                      db_i64(r.source), db_i64(session)));
    }
}

static enum footnote_rc delete_lease(struct tx *tx, int64_t session,
                                     struct footnote_err *err)
{
    int64_t rows;

    TRY(db_change(tx->db, STMT_SESSION_LEASE_DELETE, &rows, err,
                  db_i64(tx->tenant), db_i64(session)));
    if (rows)
        word_log_forget(tx->store->word_log);
    return FOOTNOTE_OK;
}

/* What is about to be deleted counts no more. */
static enum footnote_rc uncount(struct tx *tx, enum stmt_id bytes_of,
                                int64_t session, int64_t sessions,
                                struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct usage less = {.sessions = -sessions};
    bool row;

    TRY(db_one(tx->db, bytes_of, &cur, &row, err, db_i64(tx->tenant),
               db_i64(session)));
    if (row)
        less.bytes = -db_col_i64(cur, COL_SESSION_BYTES_BYTES);
    return usage_add(tx, tx->account, less, err);
}

/* Lease and session row come first, in the order in which answers take them:
 * then nobody adds to what is deleted.  The second delete_lease() is for a
 * lease that was made in between. */
static enum footnote_rc delete_run(struct tx *tx, void *arg,
                                   struct footnote_err *err)
{
    static const enum stmt_id rest[] = {
        STMT_SESSION_EVENTS_DELETE, STMT_SESSION_VERDICTS_DELETE,
        STMT_SESSION_TEXT_DELETE, STMT_SESSION_MESSAGES_DELETE};
    struct session_delete *op = arg;
    struct session_row s;
    int64_t buried;

    TRY(session_find(tx, op->id, &s, err));
    tx->nothing = !s.found || s.deleted;
    if (tx->nothing)
        return FOOTNOTE_OK;
    TRY(delete_lease(tx, s.key, err));
    TRY(seal_open(tx, SEALED_SESSION, err, db_i64(tx->tenant), db_i64(s.key)));
    TRY(db_change(tx->db, STMT_SESSION_BURY, &buried, err, db_i64(tx->now_ms),
                  db_i64(tx->tenant), db_i64(s.key)));
    tx->nothing = buried == 0; /* another node was faster */
    if (tx->nothing)
        return FOOTNOTE_OK;
    TRY(uncount(tx, STMT_SESSION_BYTES, s.key, 1, err));
    TRY(delete_way_back(tx, s.key, err));
    TRY(delete_lease(tx, s.key, err));
    return delete_rows(tx, rest, sizeof(rest) / sizeof(rest[0]), s.key, err);
}

const struct store_op session_delete_op = {NULL, delete_run};

/* Digests cover sources, so they are made anew without them. */
static enum footnote_rc redigest(struct tx *tx, int64_t session,
                                 struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    TRY(db_run(tx->db, STMT_MESSAGE_REDIGEST_ALL, &cur, err, db_i64(tx->tenant),
               db_i64(session)));
    for (;;) {
        struct sha256 digest;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        message_digest(
            tx->store->hasher,
            (enum footnote_role)db_col_i64(cur, COL_MESSAGE_REDIGEST_ALL_ROLE),
            db_col_str(cur, COL_MESSAGE_REDIGEST_ALL_CONTENT), &digest, NULL,
            0);
        TRY(db_do(tx->db, STMT_MESSAGE_REDIGEST, err,
                  db_blob(digest_str(&digest)), db_i64(tx->tenant),
                  db_i64(session),
                  db_i64(db_col_i64(cur, COL_MESSAGE_REDIGEST_ALL_SEQ))));
    }
}

static enum footnote_rc clear_run(struct tx *tx, void *arg,
                                  struct footnote_err *err)
{
    static const enum stmt_id all[] = {STMT_REFS_CLEAR,
                                       STMT_SESSION_EVENTS_DELETE,
                                       STMT_SESSION_VERDICTS_DELETE};
    struct session_clear *op = arg;
    struct session_row s;

    TRY(session_find(tx, op->id, &s, err));
    if (!s.found || s.deleted)
        return err_field(err, FOOTNOTE_NOTFOUND, "session", "is not there");
    TRY(session_touch(tx, s.key, err));
    TRY(seal_open_rows(tx, SEALED_MESSAGE, STMT_MESSAGES_OF,
                       (struct db_value[]){db_i64(tx->tenant), db_i64(s.key)},
                       2, err));
    TRY(uncount(tx, STMT_SESSION_EVENTS_BYTES, s.key, 0, err));
    TRY(delete_way_back(tx, s.key, err));
    TRY(delete_rows(tx, all, sizeof(all) / sizeof(all[0]), s.key, err));
    return redigest(tx, s.key, err);
}

const struct store_op session_clear_op = {NULL, clear_run};
