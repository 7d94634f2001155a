/* message.c - saving messages, and sources for messages. */
#include <assert.h>

#include "store/answer/lease.h"
#include "store/check.h"
#include "store/damage.h"
#include "store/session/course_row.h"
#include "store/session/message.h"
#include "store/session/message_row.h"
#include "store/session/scope.h"
#include "store/session/session_row.h"
#include "store/source/digest.h"
#include "store/source/marking.h"
#include "store/source/reference.h"
#include "store/source/verdicts.h"
#include "store/state.h"
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

static enum footnote_rc ask(struct tx *tx, struct str id, struct db_cur **cur,
                            struct footnote_err *err)
{
    return db_run(tx->db, STMT_MESSAGE_FIND, cur, err, db_i64(tx->tenant),
                  db_i64(tx->account), db_text(id));
}

static enum footnote_rc answer(struct tx *tx, struct str id, struct db_cur *cur,
                               struct message_row *out,
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
    TRY(ask(tx, id, &cur, err));
    return answer(tx, id, cur, out, err);
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

/* ---- message_save ------------------------------------------------------- */

/* What is there already stands where it stands. */
static enum footnote_rc same_parent(struct tx *tx,
                                    const struct message_save *op,
                                    const struct message_row *row,
                                    struct footnote_err *err)
{
    int64_t parent;

    TRY(message_parent(tx, row->session, op->message.parent, &parent, err));
    if (parent != PARENT_LAST && parent != row->parent)
        return err_set(err, FOOTNOTE_CONFLICT,
                       "message %s: is there after another message",
                       op->id_text);
    return FOOTNOTE_OK;
}

static enum footnote_rc save_prepare(struct tx *tx, void *arg,
                                     struct footnote_err *err)
{
    AUTO(sha256_closep) struct sha256_ctx *c = NULL;
    struct message_save *op = arg;
    struct message *m = &op->message;
    struct prepared_message *r =
        arena_new(tx->scratch, struct prepared_message);

    if (!r)
        return arena_rc(tx->scratch, err);
    if (!m->session.p)
        return err_field(err, FOOTNOTE_INVALID, "session", "is missing");
    TRY(check_id(m->session, "session", err));
    TRY(check_id(op->course, "courseId", err));
    TRY(check_message(m, err));
    id_or_new(m->id, op->id_text);
    TRY(sha256_open(&c, err));
    TRY(new_references_make(tx, c, m->sources, m->sources_n, &r->fresh, err));
    TRY(new_references_number(tx, &(struct new_references){.n = 0}, &r->fresh,
                              1, &r->whole, err));
    TRY(new_references_mark(tx, m->content, &r->whole, MARKING_BYTES, err));
    TRY(new_references_digest(tx, c, m->role, m->content, &r->whole, &r->digest,
                              err));
    request_digest(c, m, &r->fresh, &r->saved);
    op->prepared = r;
    return FOOTNOTE_OK;
}

/* The message was saved before: a repeat, or another message with its id. */
static enum footnote_rc repeat(struct tx *tx, struct message_save *op,
                               const struct message_row *row,
                               struct footnote_err *err)
{
    struct new_references there, whole;

    if (!row->has_saved || !sha256_eq(&row->saved, &op->prepared->saved))
        return err_set(err, FOOTNOTE_CONFLICT,
                       "message %s: is there with other content", op->id_text);
    TRY(same_parent(tx, op, row, err));
    op->made = tx->again;
    TRY(new_references_load(tx, row->session, row->seq, &there, err));
    TRY(new_references_number(tx, &there, &op->prepared->fresh, 1, &whole,
                              err));
    new_references_numbers(&op->prepared->fresh, op->numbers);
    return FOOTNOTE_OK;
}

/* What the words of its sources carry of it, if it was judged. */
static enum footnote_rc keep_verdicts(struct tx *tx, int64_t session,
                                      int64_t seq, const struct sha256 *digest,
                                      const struct new_references *list,
                                      bool first, struct footnote_err *err)
{
    struct verdict_new v = {.session = session,
                            .seq = seq,
                            .digest = digest,
                            .judge = STR(VERDICT_JUDGE_TEXT),
                            .sentences = list->verdicts,
                            .first = first};

    return verdict_insert(tx, &v, err);
}

/* Sources that came before their message keep their numbers. */
static enum footnote_rc fill_placeholder(struct tx *tx, struct message_save *op,
                                         const struct session_row *s,
                                         const struct message_row *row,
                                         struct footnote_err *err)
{
    const struct message *m = &op->message;
    struct message_new n = {.m = m,
                            .id = str_c(op->id_text),
                            .session = s->key,
                            .seq = row->seq,
                            .saved = &op->prepared->saved};
    struct new_references there, whole;
    struct sha256 digest;

    if (row->session != s->key || row->role != m->role)
        return err_set(err, FOOTNOTE_CONFLICT,
                       "message %s: is in another session or role",
                       op->id_text);
    if (m->status == FOOTNOTE_STREAMING)
        return err_set(err, FOOTNOTE_CONFLICT, "message %s: is there already",
                       op->id_text);
    TRY(same_parent(tx, op, row, err));
    TRY(session_touch(tx, s->key, err));
    TRY(new_references_load(tx, s->key, row->seq, &there, err));
    if (m->role == FOOTNOTE_USER) /* retrieved sources are not its own */
        there.n = 0;
    TRY(new_references_number(tx, &there, &op->prepared->fresh, 1, &whole,
                              err));
    TRY(new_references_mark(tx, m->content, &whole, MARKING_BYTES_WRITER, err));
    TRY(new_references_digest(tx, tx->store->hasher, m->role, m->content,
                              &whole, &digest, err));
    n.digest = &digest;
    TRY(message_fill(tx, &n, err));
    if (m->role == FOOTNOTE_ASSISTANT && whole.n == 0)
        return mark_borrowed(tx, s->key, row->seq, m->content, err);
    if (m->role == FOOTNOTE_ASSISTANT)
        TRY(keep_verdicts(tx, s->key, row->seq, &digest, &whole, true, err));
    return new_references_store(tx, s->key, row->seq, s->pool, &whole, err);
}

/* Another path is shown while no answer runs on this one. */
static enum footnote_rc insert_asked(struct tx *tx, struct db_cur *next,
                                     struct db_cur *place,
                                     struct session_row *s,
                                     struct message_new *n,
                                     const struct new_references *list,
                                     struct footnote_err *err)
{
    TRY(session_next_answer(tx, next, s, &n->seq, err));
    TRY(message_place_answer(place, n->parent, n, err));
    if (n->branches)
        TRY(lease_none(tx, s->key, err));
    TRY(new_references_put(tx, s->pool, list, err));
    TRY(new_references_pack(tx, list, &n->refs, err));
    TRY(message_insert(tx, n, err));
    return new_references_insert(tx, s->key, n->seq, list, err);
}

/* Inserts a message with its sources, after n->parent or PARENT_LAST.  Its
 * ordinal, its place and its pooled sources are asked for in one round trip. */
static enum footnote_rc insert_whole(struct tx *tx, struct session_row *s,
                                     struct message_new *n,
                                     const struct new_references *list,
                                     struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *next = NULL;
    AUTO(db_end) struct db_cur *place = NULL;
    enum footnote_rc rc;

    TRY(session_next_ask(tx, s, title_of(n->m), &next, err));
    TRY(message_place_ask(tx, s->key, &place, err));
    TRY(new_references_ask(tx, s->pool, list, err));
    rc = insert_asked(tx, next, place, s, n, list, err);
    new_references_drop(list);
    return rc;
}

/* What the caller says that the digest is.  An answer that showed what was
 * retrieved for its question was read with the digest of its text alone. */
static enum footnote_rc check_digest(struct tx *tx,
                                     const struct message_save *op,
                                     const struct sha256 *digest,
                                     struct footnote_err *err)
{
    struct sha256 bare;
    char hex[SHA256_HEX + 1];

    sha256_hex(digest, hex);
    if (!op->digest.p || str_eq(op->digest, str_c(hex)))
        return FOOTNOTE_OK;
    message_digest(tx->store->hasher, op->message.role, op->message.content,
                   &bare, NULL, 0);
    sha256_hex(&bare, hex);
    if (str_eq(op->digest, str_c(hex)))
        return FOOTNOTE_OK;
    return err_field(err, FOOTNOTE_INVALID, "digest",
                     "is not that of this message with its sources");
}

static enum footnote_rc save_new(struct tx *tx, struct message_save *op,
                                 struct session_row *s,
                                 struct footnote_err *err)
{
    const struct message *m = &op->message;
    struct message_new n = {.m = m,
                            .id = str_c(op->id_text),
                            .session = s->key,
                            .digest = &op->prepared->digest,
                            .saved = &op->prepared->saved};

    TRY(check_digest(tx, op, n.digest, err));
    TRY(message_parent(tx, s->key, op->message.parent, &n.parent, err));
    TRY(insert_whole(tx, s, &n, &op->prepared->whole, err));
    if (m->role != FOOTNOTE_ASSISTANT)
        return FOOTNOTE_OK;
    if (m->sources_n == 0)
        return mark_borrowed(tx, s->key, n.seq, m->content, err);
    return keep_verdicts(tx, s->key, n.seq, n.digest, &op->prepared->whole,
                         true, err);
}

/* Opens an answer that the caller writes; its text so far is the first part. */
static enum footnote_rc save_streaming(struct tx *tx, struct message_save *op,
                                       struct session_row *s,
                                       struct footnote_err *err)
{
    struct message m = op->message;
    struct message_new n = {.m = &m,
                            .id = str_c(op->id_text),
                            .session = s->key,
                            .saved = &op->prepared->saved};

    m.content = STR_NONE;
    TRY(message_parent(tx, s->key, op->message.parent, &n.parent, err));
    TRY(lease_none(tx, s->key, err));
    TRY(insert_whole(tx, s, &n, &op->prepared->whole, err));
    return answer_open_unheld(tx, s->key, n.seq, op->message.content, err);
}

/* Finds both in one round trip. */
static enum footnote_rc find_rows(struct tx *tx, const struct message_save *op,
                                  struct session_row *s,
                                  struct message_row *row,
                                  struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *session = NULL;
    AUTO(db_end) struct db_cur *message = NULL;

    TRY(session_ask(tx, op->message.session, &session, err));
    TRY(ask(tx, str_c(op->id_text), &message, err));
    TRY(session_answer(tx, session, s, err));
    return answer(tx, str_c(op->id_text), message, row, err);
}

/* A session that is there is not moved by a message. */
static enum footnote_rc check_place(struct tx *tx,
                                    const struct message_save *op,
                                    const struct session_row *s,
                                    struct footnote_err *err)
{
    struct course_row c;

    TRY(session_may_write(tx, s, err));
    if (!op->course.p)
        return FOOTNOTE_OK;
    TRY(course_find(tx, op->course, &c, err));
    if (!c.found || c.key != s->pool)
        return err_field(err, FOOTNOTE_CONFLICT, "session",
                         "is in another course, or in none");
    return FOOTNOTE_OK;
}

static enum footnote_rc save_run(struct tx *tx, void *arg,
                                 struct footnote_err *err)
{
    struct message_save *op = arg;
    struct session_row s;
    struct message_row row;

    TRY(find_rows(tx, op, &s, &row, err));
    if (s.deleted)
        TRY(session_confined(tx, op->course, err));
    if (s.deleted)
        return err_field(err, FOOTNOTE_NOTFOUND, "session", "was deleted");
    if (row.found && (row.has_saved || row.status == FOOTNOTE_STREAMING))
        return repeat(tx, op, &row, err);
    TRY(usage_check(
        tx, (struct usage){.bytes = (int64_t)op->message.content.n + 1}, err));
    if (s.found)
        TRY(check_place(tx, op, &s, err));
    else
        TRY(session_make(
            tx,
            &(struct session_new){.id = op->message.session,
                                  .course = {op->course, op->share}},
            &s, err));
    op->made = true;
    if (row.found)
        TRY(fill_placeholder(tx, op, &s, &row, err));
    else if (op->message.status == FOOTNOTE_STREAMING)
        TRY(save_streaming(tx, op, &s, err));
    else
        TRY(save_new(tx, op, &s, err));
    new_references_numbers(&op->prepared->fresh, op->numbers);
    return FOOTNOTE_OK;
}

const struct store_op message_save_op = {save_prepare, save_run};

/* ---- message_cite ------------------------------------------------------- */

static enum footnote_rc cite_prepare(struct tx *tx, void *arg,
                                     struct footnote_err *err)
{
    AUTO(sha256_closep) struct sha256_ctx *c = NULL;
    struct message_cite *op = arg;
    struct prepared_message *r =
        arena_new(tx->scratch, struct prepared_message);

    if (!r)
        return arena_rc(tx->scratch, err);
    if (!op->message.p)
        return err_field(err, FOOTNOTE_INVALID, "message", "is missing");
    TRY(check_id(op->message, "message", err));
    TRY(check_id(op->session, "session", err));
    TRY(sha256_open(&c, err));
    TRY(new_references_make(tx, c, op->sources, op->sources_n, &r->fresh, err));
    op->prepared = r;
    return FOOTNOTE_OK;
}

/* Makes the row of a message that is yet to come. */
static enum footnote_rc make_placeholder(struct tx *tx, struct str session,
                                         struct str id, enum footnote_role role,
                                         struct session_row *s, int64_t *seq,
                                         struct footnote_err *err)
{
    struct message m = {.role = role};
    struct message_new n = {.m = &m, .id = id};

    if (!session.p)
        return err_field(err, FOOTNOTE_NOTFOUND, "message", "is not there");
    TRY(session_need(tx, session, STR_NONE, s, err));
    TRY(session_next(tx, s, STR_NONE, seq, err));
    n.session = s->key;
    n.seq = *seq;
    TRY(message_place(tx, PARENT_LAST, &n, err));
    return message_insert(tx, &n, err);
}

enum footnote_rc message_need(struct tx *tx, struct str session, struct str id,
                              enum footnote_role role, struct session_row *s,
                              struct message_row *row, struct footnote_err *err)
{
    TRY(message_find(tx, id, row, err));
    if (!row->found || row->status != FOOTNOTE_STREAMING)
        TRY(usage_check(tx, (struct usage){.bytes = 1}, err));
    if (!row->found) {
        row->role = role;
        return make_placeholder(tx, session, id, role, s, &row->seq, err);
    }
    TRY(session_of(tx, row->session, s, err));
    if (s->deleted && session.p)
        TRY(session_confined(tx, STR_NONE, err));
    if (s->deleted && scope_confines(tx->scope))
        return err_field(err, FOOTNOTE_NOTFOUND, "message", "is not there");
    if (session.p) {
        struct session_row asked;

        TRY(session_find(tx, session, &asked, err));
        if (!asked.found || asked.key != row->session)
            return err_field(err, FOOTNOTE_CONFLICT, "message",
                             "is in another session");
    }
    if (row->role != role)
        return err_field(err, FOOTNOTE_INVALID, "message", "has another role");
    TRY(session_may_write(tx, s, err));
    return session_touch(tx, s->key, err);
}

static enum footnote_rc cite_run(struct tx *tx, void *arg,
                                 struct footnote_err *err)
{
    struct message_cite *op = arg;
    struct new_references there, whole;
    struct session_row s;
    struct message_row row;

    TRY(message_need(tx, op->session, op->message, FOOTNOTE_ASSISTANT, &s, &row,
                     err));
    TRY(new_references_load(tx, s.key, row.seq, &there, err));
    TRY(new_references_number(tx, &there, &op->prepared->fresh, 1, &whole,
                              err));
    if (row.has_content && row.status != FOOTNOTE_STREAMING)
        TRY(message_remark(tx, s.key, row.seq, &whole, err));
    TRY(new_references_store(tx, s.key, row.seq, s.pool, &whole, err));
    new_references_numbers(&op->prepared->fresh, op->numbers);
    return FOOTNOTE_OK;
}

const struct store_op message_cite_op = {cite_prepare, cite_run};

/* ---- Marks after the fact ----------------------------------------------- */

enum footnote_rc message_remark(struct tx *tx, int64_t session, int64_t seq,
                                struct new_references *whole,
                                struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct sha256 digest;
    struct str content = STR_NONE;
    bool row;

    TRY(db_one(tx->db, STMT_MESSAGE_CONTENT, &cur, &row, err,
               db_i64(tx->tenant), db_i64(session), db_i64(seq)));
    if (row)
        content = arena_str(tx->scratch,
                            db_col_str(cur, COL_MESSAGE_CONTENT_CONTENT));
    TRY(arena_rc(tx->scratch, err));
    TRY(new_references_mark(tx, content, whole, MARKING_BYTES_WRITER, err));
    TRY(new_references_digest(tx, tx->store->hasher, FOOTNOTE_ASSISTANT,
                              content, whole, &digest, err));
    TRY(keep_verdicts(tx, session, seq, &digest, whole, false, err));
    TRY(seal_open(tx, SEALED_MESSAGE, err, db_i64(tx->tenant), db_i64(session),
                  db_i64(seq)));
    return db_do(tx->db, STMT_MESSAGE_REDIGEST, err,
                 db_blob(digest_str(&digest)), db_i64(tx->tenant),
                 db_i64(session), db_i64(seq));
}

enum footnote_rc mark_borrowed(struct tx *tx, int64_t session, int64_t seq,
                               struct str content, struct footnote_err *err)
{
    struct new_references list;
    struct sha256 digest;
    enum footnote_role role;
    int64_t question;

    TRY(message_above(tx, session, seq,
                      ROLE_BIT(FOOTNOTE_USER) | ROLE_BIT(FOOTNOTE_ASSISTANT),
                      &question, &role, err));
    if (question == 0 || role != FOOTNOTE_USER)
        return FOOTNOTE_OK;
    TRY(new_references_load_sound(tx, session, question, &list, err));
    TRY(new_references_mark(tx, content, &list, MARKING_BYTES_WRITER, err));
    message_digest(tx->store->hasher, FOOTNOTE_ASSISTANT, content, &digest,
                   NULL, 0);
    TRY(keep_verdicts(tx, session, seq, &digest, &list, false, err));
    return new_references_write(tx, session, question, &list, err);
}
