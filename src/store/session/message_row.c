/* message_row.c - messages as rows: found, placed, inserted, filled. */
#include "store/session/message_row.h"

#include <assert.h>

#include "store/check.h"
#include "store/damage.h"
#include "store/session/message.h"
#include "store/session/session_row.h"
#include "store/source/digest.h"
#include "store/strings.h"
#include "store/usage.h"

enum footnote_rc message_check(struct tx *tx, struct db_cur *cur,
                               struct db_value row[SEAL_COLUMNS_MAX],
                               struct footnote_err *err)
{
    const struct db_value tenant = db_i64(tx->tenant);

    TRY(seal_check_row(tx, SEALED_MESSAGE, cur, &tenant, 1, row, err));
    if (tx->account &&
        tx->account != db_value_i64(&row[COL_MESSAGE_SEALED_OWNER]))
        return damage_in_row(tx->store, SEALED_MESSAGE, cur, 0, err);
    return FOOTNOTE_OK;
}

enum footnote_rc message_read_row(struct tx *tx, int64_t session, int64_t seq,
                                  struct db_cur **cur,
                                  struct db_value row[SEAL_COLUMNS_MAX],
                                  struct footnote_err *err)
{
    const struct db_value key[] = {db_i64(tx->tenant), db_i64(session),
                                   db_i64(seq)};
    bool there;

    TRY(db_one_n(tx->db, STMT_MESSAGE_SEAL_READ, key, 3, cur, &there, err));
    if (!there)
        return damage_found(tx->store, SEALED_MESSAGE, key, err);
    TRY(message_check(tx, *cur, row, err));
    if (db_value_i64(&row[COL_MESSAGE_SEALED_SESSION]) != session ||
        db_value_i64(&row[COL_MESSAGE_SEALED_SEQ]) != seq)
        return damage_found(tx->store, SEALED_MESSAGE, key, err);
    return FOOTNOTE_OK;
}

enum footnote_rc message_ask(struct tx *tx, struct str id, struct db_cur **cur,
                             struct footnote_err *err)
{
    return db_run(tx->db, STMT_MESSAGE_FIND, cur, err, db_i64(tx->tenant),
                  db_i64(tx->account), db_text(id));
}

enum footnote_rc message_answer(struct tx *tx, struct str id,
                                struct db_cur *cur, struct message_row *out,
                                struct footnote_err *err)
{
    struct db_value row[SEAL_COLUMNS_MAX];
    struct str saved;

    *out = (struct message_row){.found = false};
    TRY(db_next(cur, &out->found, err));
    if (!out->found)
        return FOOTNOTE_OK;
    TRY(message_check(tx, cur, row, err));
    if (!str_eq(id, db_value_str(&row[COL_MESSAGE_SEALED_ID])))
        return damage_in_row(tx->store, SEALED_MESSAGE, cur, 0, err);
    out->session = db_value_i64(&row[COL_MESSAGE_SEALED_SESSION]);
    out->seq = db_value_i64(&row[COL_MESSAGE_SEALED_SEQ]);
    out->role = (enum footnote_role)db_value_i64(&row[COL_MESSAGE_SEALED_ROLE]);
    out->status =
        (enum footnote_status)db_value_i64(&row[COL_MESSAGE_SEALED_STATUS]);
    saved = db_col_str(cur, COL_MESSAGE_FIND_SAVED_DIGEST);
    out->has_saved = saved.n == SHA256_BYTES;
    if (out->has_saved)
        memcpy(out->saved.b, saved.p, SHA256_BYTES);
    out->parent = db_value_i64(&row[COL_MESSAGE_SEALED_PARENT]);
    out->shown = (enum shown)db_col_i64(cur, COL_MESSAGE_ROW_SHOWN);
    out->has_content = row[COL_MESSAGE_SEALED_CONTENT].type != DB_NULL;
    return FOOTNOTE_OK;
}

enum footnote_rc message_find(struct tx *tx, struct str id,
                              struct message_row *out, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    *out = (struct message_row){.found = false};
    if (!id_can_be(id))
        return FOOTNOTE_OK;
    TRY(message_ask(tx, id, &cur, err));
    return message_answer(tx, id, cur, out, err);
}

/* ---- Where it stands ---------------------------------------------------- */

enum footnote_rc message_parent(struct tx *tx, int64_t session, struct str of,
                                int64_t *seq, struct footnote_err *err)
{
    struct message_row row;

    *seq = of.p ? 0 : PARENT_LAST;
    if (!of.n)
        return FOOTNOTE_OK;
    TRY(message_find(tx, of, &row, err));
    if (!row.found || row.session != session)
        return err_field(err, FOOTNOTE_NOTFOUND, "message", "is not there");
    *seq = row.seq;
    return FOOTNOTE_OK;
}

enum footnote_rc message_above(struct tx *tx, int64_t session, int64_t seq,
                               unsigned roles, int64_t *above,
                               enum footnote_role *role,
                               struct footnote_err *err)
{
    for (;;) {
        AUTO(db_end) struct db_cur *cur = NULL;
        bool row;

        *above = 0;
        TRY(db_one(tx->db, STMT_MESSAGE_PARENT, &cur, &row, err,
                   db_i64(tx->tenant), db_i64(session), db_i64(seq)));
        if (!row)
            return FOOTNOTE_OK;
        *above = db_col_i64(cur, COL_MESSAGE_PARENT_SEQ);
        *role = (enum footnote_role)db_col_i64(cur, COL_MESSAGE_PARENT_ROLE);
        TRY(path_check(tx, session, seq, *above, err));
        if (roles & ROLE_BIT(*role))
            return FOOTNOTE_OK;
        seq = *above;
    }
}

enum footnote_rc message_place_ask(struct tx *tx, int64_t session,
                                   struct db_cur **cur,
                                   struct footnote_err *err)
{
    return db_run(tx->db, STMT_MESSAGE_LEAF, cur, err, db_i64(tx->tenant),
                  db_i64(session));
}

enum footnote_rc message_place_answer(struct db_cur *cur, int64_t parent,
                                      struct message_new *n,
                                      struct footnote_err *err)
{
    int64_t leaf;
    bool row;

    TRY(db_next(cur, &row, err));
    leaf = row ? db_col_i64(cur, COL_MESSAGE_LEAF_SEQ) : n->seq - 1;
    n->parent = parent == PARENT_LAST ? leaf : parent;
    n->branches = n->parent != leaf;
    return FOOTNOTE_OK;
}

enum footnote_rc message_place(struct tx *tx, int64_t parent,
                               struct message_new *n, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    TRY(message_place_ask(tx, n->session, &cur, err));
    return message_place_answer(cur, parent, n, err);
}

/* ---- Its row ------------------------------------------------------------ */

/* The lists of a message as they are stored. */
struct packed_lists {
    struct str doc_refs, rag, web;
};

static enum footnote_rc pack_lists(struct tx *tx, const struct message *m,
                                   struct packed_lists *p,
                                   struct footnote_err *err)
{
    TRY(strings_pack(tx, m->doc_refs, m->doc_refs_n, &p->doc_refs, err));
    TRY(strings_pack(tx, m->rag_source_ids, m->rag_source_ids_n, &p->rag, err));
    return strings_pack(tx, m->web_source_ids, m->web_source_ids_n, &p->web,
                        err);
}

static enum footnote_rc count(struct tx *tx, const struct message *m,
                              const struct packed_lists *p, size_t row,
                              struct footnote_err *err)
{
    size_t bytes = row + m->content.n + p->doc_refs.n + p->rag.n + p->web.n;

    return usage_add(tx, tx->account, (struct usage){.bytes = (int64_t)bytes},
                     err);
}

/* The columns of message_sealed that a new message has. */
enum { INSERTED = COL_MESSAGE_SEALED_PARENT + 1 };

static void sealed_columns(const struct tx *tx, const struct message_new *n,
                           const struct packed_lists *p,
                           struct db_value row[INSERTED])
{
    const struct message *m = n->m;
    const struct db_value columns[INSERTED] = {
        db_i64(tx->tenant),
        db_i64(n->session),
        db_i64(n->seq),
        db_i64(tx->account),
        db_text(n->id),
        db_i64(m->role),
        db_i64(m->status),
        db_i64(m->created_ms ? m->created_ms : tx->now_ms),
        db_text(m->content),
        db_blob(digest_str(n->digest)),
        db_opt(m->has_low_confidence, m->low_confidence),
        db_text(p->doc_refs),
        db_text(p->rag),
        db_text(p->web),
        db_text(m->image_s3key),
        db_text(m->image_slide),
        db_opt(m->has_image_page, m->image_page),
        db_blob(n->refs),
        db_i64(n->parent)};

    memcpy(row, columns, sizeof(columns));
}

enum footnote_rc message_insert(struct tx *tx, const struct message_new *n,
                                struct footnote_err *err)
{
    const struct message *m = n->m;
    struct packed_lists p;
    struct db_value row[INSERTED + 2];
    /* Tenant, session and ordinal then fit into one number, which is the row's
     * place in SQLite's file: see sql/query/message.sql. */
    bool near =
        tx->tenant < 1 << 15 && n->session < 1 << 28 && n->seq < 1 << 20;

    TRY(pack_lists(tx, m, &p, err));
    TRY(count(tx, m, &p, SQL_USAGE_MESSAGE, err));
    sealed_columns(tx, n, &p, row);
    row[INSERTED] = seal_of(SEALED_MESSAGE, row, INSERTED);
    row[INSERTED + 1] = db_blob(digest_str(n->saved));
    TRY(db_do_n(tx->db, near ? STMT_MESSAGE_INSERT : STMT_MESSAGE_INSERT_FAR,
                row, INSERTED + 2, err));
    return n->branches ? path_show(tx, n->session, n->seq, err) : FOOTNOTE_OK;
}

enum footnote_rc message_limit(struct tx *tx, int64_t session, int64_t seq,
                               struct str scope, struct footnote_err *err)
{
    if (!scope.p)
        return FOOTNOTE_OK;
    TRY(seal_open(tx, SEALED_MESSAGE, err, db_i64(tx->tenant), db_i64(session),
                  db_i64(seq)));
    return db_do(tx->db, STMT_MESSAGE_LIMIT, err, db_text(scope),
                 db_i64(tx->tenant), db_i64(session), db_i64(seq));
}

enum footnote_rc message_fill(struct tx *tx, const struct message_new *n,
                              struct footnote_err *err)
{
    const struct message *m = n->m;
    struct packed_lists p;

    assert(m->content.p && n->digest && n->saved);
    TRY(pack_lists(tx, m, &p, err));
    TRY(count(tx, m, &p, 0, err));
    TRY(session_title(tx, n->session, title_of(m), err));
    TRY(seal_open(tx, SEALED_MESSAGE, err, db_i64(tx->tenant),
                  db_i64(n->session), db_i64(n->seq)));
    return db_do(
        tx->db, STMT_MESSAGE_FILL, err, db_i64(m->status),
        db_i64(m->created_ms ? m->created_ms : tx->now_ms), db_text(m->content),
        db_blob(digest_str(n->digest)), db_blob(digest_str(n->saved)),
        db_opt(m->has_low_confidence, m->low_confidence), db_text(p.doc_refs),
        db_text(p.rag), db_text(p.web), db_text(m->image_s3key),
        db_text(m->image_slide), db_opt(m->has_image_page, m->image_page),
        db_i64(tx->tenant), db_i64(n->session), db_i64(n->seq));
}
