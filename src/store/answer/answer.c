/* answer.c - the life of one answer.
 *
 *     streaming --> complete | stopped | failed | interrupted
 *
 * A running answer has a row in answer_lease.  Every write names the epoch
 * that its holder was given; ending the answer deletes the row, so there is
 * one end, and a later writer is told ENDED.  The text arrives in parts,
 * gathers in the word log (word_log.c), and becomes the message's content at
 * the end, in the same transaction that finds the markers and makes the digest.
 */
#include <assert.h>

#include "base/utf8.h"
#include "store/answer/answer.h"
#include "store/answer/lease.h"
#include "store/answer/unsure.h"
#include "store/answer/word_log.h"
#include "store/check.h"
#include "store/db_clock.h"
#include "store/seal.h"
#include "store/session/message.h"
#include "store/session/message_row.h"
#include "store/session/session_row.h"
#include "store/source/digest.h"
#include "store/source/refs.h"
#include "store/state.h"
#include "store/sweep.h"
#include "store/usage.h"

enum { EPOCH_BITS = 48 };

static int64_t epoch_new(void)
{
    uint64_t v;

    random_bytes(&v, sizeof(v));
    return (int64_t)(v >> (64 - EPOCH_BITS)) + 1;
}

enum footnote_rc lease_none(struct tx *tx, int64_t session,
                            struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct answer a;
    bool row;

    TRY(db_one(tx->db, STMT_LEASE_ANY, &cur, &row, err, db_i64(tx->tenant),
               db_i64(session)));
    if (!row)
        return FOOTNOTE_OK;
    if (!lease_is_lost(tx, db_col_str(cur, COL_LEASE_ANY_NODE),
                       db_col_i64(cur, COL_LEASE_ANY_UNTIL_MS)))
        return err_set(err, FOOTNOTE_RUNNING,
                       "an answer is running in this session");
    a = (struct answer){.tenant = tx->tenant,
                        .session = session,
                        .seq = db_col_i64(cur, COL_LEASE_ANY_SEQ),
                        .epoch = db_col_i64(cur, COL_LEASE_ANY_EPOCH)};
    db_end(&cur);
    return answer_cut_off(tx, &a, FOOTNOTE_INTERRUPTED, err);
}

struct new_lease {
    int64_t session, seq, epoch, numbers_from;
    struct str node; /* "": only its writers renew it */
};

static enum footnote_rc lease_open(struct tx *tx, const struct new_lease *l,
                                   struct footnote_err *err)
{
    assert(l->epoch > 0);
    return db_do(tx->db, STMT_LEASE_OPEN, err, db_i64(tx->tenant),
                 db_i64(l->session), db_i64(l->seq), db_i64(l->epoch),
                 db_text(l->node), db_i64(lease_until_ms(tx)),
                 db_i64(l->numbers_from));
}

void lease_read(const struct tx *tx, struct db_cur *cur, struct lease *out)
{
    struct str node = db_col_str(cur, COL_LEASE_NODE);

    *out = (struct lease){.epoch = db_col_i64(cur, COL_LEASE_EPOCH),
                          .parts = db_col_i64(cur, COL_LEASE_PARTS),
                          .unheld = node.n == 0,
                          .ours = str_eq(node, str_c(tx->store->node))};
}

static enum footnote_rc lease_ask(struct tx *tx, enum stmt_id stmt,
                                  const struct answer *a, struct lease *out,
                                  struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    *out = (struct lease){.epoch = 0};
    TRY(db_one(tx->db, stmt, &cur, &row, err, db_i64(a->tenant),
               db_i64(a->session), db_i64(a->seq)));
    if (row)
        lease_read(tx, cur, out);
    return FOOTNOTE_OK;
}

enum footnote_rc lease_find(struct tx *tx, const struct answer *a,
                            struct lease *out, struct footnote_err *err)
{
    return lease_ask(tx, STMT_LEASE_FIND, a, out, err);
}

enum footnote_rc answer_open_unheld(struct tx *tx, int64_t session, int64_t seq,
                                    struct str content,
                                    struct footnote_err *err)
{
    struct new_lease l = {session, seq, epoch_new(), 1, STR("")};
    struct answer a = {tx->tenant, session, seq, l.epoch, 0, 0, {0}, 0, false};
    struct answer_append op = {.answer = &a, .text = content};

    TRY(lease_open(tx, &l, err));
    if (!content.p || content.n == 0)
        return FOOTNOTE_OK;
    TRY(answer_append_op.prepare(tx, &op, err));
    return answer_append_op.run(tx, &op, err);
}

/* ---- answer_begin ------------------------------------------------------- */

/* True for modes whose question was saved before. */
static bool is_there(const struct answer_begin *op)
{
    return op->mode != ANSWER_NEW && op->mode != ANSWER_NEW_OR_EDIT;
}

static enum footnote_rc begin_prepare(struct tx *tx, void *arg,
                                      struct footnote_err *err)
{
    AUTO(sha256_closep) struct sha256_ctx *c = NULL;
    struct answer_begin *op = arg;
    struct message *q = &op->question;
    struct prepared_message *r =
        arena_new(tx->scratch, struct prepared_message);

    if (!r)
        return arena_rc(tx->scratch, err);
    if (!q->session.p || (!q->id.p && is_there(op)))
        return err_field(err, FOOTNOTE_INVALID,
                         q->session.p ? "question" : "session", "is missing");
    q->role = FOOTNOTE_USER;
    q->status = FOOTNOTE_COMPLETE;
    if (is_there(op) && !q->content.p)
        q->content = STR("");
    TRY(check_id(q->session, "session", err));
    TRY(check_id(op->course, "courseId", err));
    TRY(check_id(op->answer_id, "answer", err));
    TRY(check_message(q, err));
    id_or_new(q->id, op->question_text);
    id_or_new(op->answer_id, op->id_text);
    id_or_new(STR_NONE, op->old_text);
    op->epoch = epoch_new();
    TRY(sha256_open(&c, err));
    message_digest(c, q->role, q->content, &r->digest, NULL, 0);
    request_digest(c, q, &r->fresh, &r->saved);
    op->prepared = r;
    return FOOTNOTE_OK;
}

static enum footnote_rc save_question(struct tx *tx, struct answer_begin *op,
                                      struct session_row *s, int64_t parent,
                                      int64_t *seq, struct footnote_err *err)
{
    struct message_new n = {.m = &op->question,
                            .id = str_c(op->question_text),
                            .session = s->key,
                            .digest = &op->prepared->digest,
                            .saved = &op->prepared->saved};

    TRY(session_next(tx, s, title_of(&op->question), &n.seq, err));
    *seq = n.seq;
    TRY(message_place(tx, parent, &n, err));
    return message_insert(tx, &n, err);
}

/* After `parent`, if the asker said so, else after the last one shown. */
static enum footnote_rc ask_new(struct tx *tx, struct answer_begin *op,
                                struct session_row *s, int64_t *seq,
                                struct footnote_err *err)
{
    int64_t parent;

    TRY(message_parent(tx, s->key, op->question.parent, &parent, err));
    return save_question(tx, op, s, parent, seq, err);
}

/* A question that was saved just before keeps its place; an answered question
 * is not asked twice. */
static enum footnote_rc reuse_question(const struct answer_begin *op,
                                       const struct session_row *s,
                                       const struct message_row *row,
                                       struct footnote_err *err)
{
    if (!row->has_saved || !sha256_eq(&row->saved, &op->prepared->saved) ||
        row->seq != s->last_seq)
        return err_set(err, FOOTNOTE_CONFLICT,
                       "message %s: is there already, or has other content",
                       op->question_text);
    return FOOTNOTE_OK;
}

/* Its row is a placeholder: sources found for it came first. */
static enum footnote_rc fill_question(struct tx *tx, struct answer_begin *op,
                                      const struct session_row *s,
                                      const struct message_row *row,
                                      struct footnote_err *err)
{
    struct message_new n = {.m = &op->question,
                            .session = s->key,
                            .seq = row->seq,
                            .digest = &op->prepared->digest,
                            .saved = &op->prepared->saved};

    if (row->seq != s->last_seq)
        return err_set(err, FOOTNOTE_CONFLICT, "message %s: is not the last",
                       op->question_text);
    return message_fill(tx, &n, err);
}

/* The new version has the same parent.  It takes over the id; the question that
 * was edited gets another. */
static enum footnote_rc edit_question(struct tx *tx, struct answer_begin *op,
                                      struct session_row *s,
                                      struct message_row *row,
                                      struct footnote_err *err)
{
    TRY(seal_open(tx, SEALED_MESSAGE, err, db_i64(tx->tenant), db_i64(s->key),
                  db_i64(row->seq)));
    TRY(db_do(tx->db, STMT_MESSAGE_RENAME, err, db_text(str_c(op->old_text)),
              db_i64(tx->tenant), db_i64(s->key), db_i64(row->seq)));
    return save_question(tx, op, s, row->parent, &row->seq, err);
}

/* *row: that of the question, afterwards. */
static enum footnote_rc begin_question(struct tx *tx, struct answer_begin *op,
                                       struct session_row *s,
                                       struct message_row *row,
                                       struct footnote_err *err)
{
    TRY(message_find(tx, str_c(op->question_text), row, err));
    if (!row->found && is_there(op))
        return err_field(err, FOOTNOTE_NOTFOUND, "question", "is not there");
    if (row->found && (row->session != s->key || row->role != FOOTNOTE_USER))
        return err_set(err, FOOTNOTE_CONFLICT,
                       "message %s: is in another session or role",
                       op->question_text);
    if (row->found && !row->has_saved && !is_there(op))
        return fill_question(tx, op, s, row, err);
    switch (op->mode) {
    case ANSWER_NEW:
        if (row->found)
            return reuse_question(op, s, row, err);
        return ask_new(tx, op, s, &row->seq, err);
    case ANSWER_NEW_OR_EDIT:
        if (!row->found)
            return ask_new(tx, op, s, &row->seq, err);
        if (row->has_saved && sha256_eq(&row->saved, &op->prepared->saved))
            return reuse_question(op, s, row, err);
        return edit_question(tx, op, s, row, err);
    case ANSWER_EDIT: return edit_question(tx, op, s, row, err);
    case ANSWER_REGENERATE:
    case ANSWER_CONTINUE: return FOOTNOTE_OK;
    }
    return err_field(err, FOOTNOTE_INVALID, "mode", "does not exist");
}

/* Raises *top to the highest number of these references. */
static enum footnote_rc top_of(struct str packed, int64_t *top,
                               struct footnote_err *err)
{
    struct refs refs;

    TRY(refs_begin(&refs, packed, err));
    while (refs.n) {
        struct ref r;

        TRY(refs_next(&refs, &r, err));
        if (r.number > *top)
            *top = r.number;
    }
    return FOOTNOTE_OK;
}

/* The first number of a continued answer: after all numbers of the question's
 * answers. */
static enum footnote_rc numbers_from(struct tx *tx, int64_t session,
                                     int64_t question, int64_t *out,
                                     struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    int64_t top = 0;

    TRY(db_run(tx->db, STMT_REFS_FROM, &cur, err, db_i64(tx->tenant),
               db_i64(session), db_i64(question)));
    for (;;) {
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            break;
        if (db_col_i64(cur, COL_REFS_FROM_SHOWN) == SHOWN_ON)
            TRY(top_of(db_col_str(cur, COL_REFS_FROM_REFS), &top, err));
    }
    *out = top + 1;
    return FOOTNOTE_OK;
}

/* What goes on stands at the end of the path through its question. */
static enum footnote_rc go_on(struct tx *tx, const struct message_row *question,
                              int64_t *first_number, struct footnote_err *err)
{
    if (question->shown != SHOWN_ON)
        TRY(path_show(tx, question->session, question->seq, err));
    return numbers_from(tx, question->session, question->seq, first_number,
                        err);
}

static enum footnote_rc begin_answer(struct tx *tx, struct answer_begin *op,
                                     struct session_row *s,
                                     const struct message_row *question,
                                     struct footnote_err *err)
{
    struct message m = {.role = FOOTNOTE_ASSISTANT,
                        .status = FOOTNOTE_STREAMING};
    struct message_new n = {
        .m = &m, .id = str_c(op->id_text), .session = s->key};
    struct new_lease l = {s->key, 0, op->epoch, 1, str_c(tx->store->node)};

    TRY(session_next(tx, s, STR_NONE, &n.seq, err));
    if (op->mode == ANSWER_CONTINUE)
        TRY(go_on(tx, question, &l.numbers_from, err));
    TRY(message_place(tx,
                      op->mode == ANSWER_CONTINUE ? PARENT_LAST : question->seq,
                      &n, err));
    TRY(message_insert(tx, &n, err));
    l.seq = n.seq;
    op->answer = (struct answer){.tenant = tx->tenant,
                                 .session = s->key,
                                 .seq = n.seq,
                                 .epoch = op->epoch};
    return lease_open(tx, &l, err);
}

/* The answer exists: an earlier run of this request was committed, or an
 * earlier call that was UNSURE. */
static enum footnote_rc begun(struct tx *tx, struct answer_begin *op,
                              const struct message_row *row,
                              struct footnote_err *err)
{
    struct answer *a = &op->answer;
    struct lease lease;
    int64_t due_ms;

    *a = (struct answer){
        .tenant = tx->tenant, .session = row->session, .seq = row->seq};
    TRY(lease_find(tx, a, &lease, err));
    a->epoch = lease.epoch;
    if (a->epoch == 0 ||
        (a->epoch != op->epoch && !orphan_find(tx->store, a->epoch, &due_ms)))
        return err_set(err, FOOTNOTE_CONFLICT, "message %s: is there already",
                       op->id_text);
    return FOOTNOTE_OK;
}

static enum footnote_rc begin_run(struct tx *tx, void *arg,
                                  struct footnote_err *err)
{
    struct answer_begin *op = arg;
    struct session_row s;
    struct message_row row, question;

    TRY(message_find(tx, str_c(op->id_text), &row, err));
    if (row.found)
        return begun(tx, op, &row, err);
    TRY(session_need(tx, op->question.session, op->course, &s, err));
    TRY(usage_check(
        tx, (struct usage){.bytes = (int64_t)op->question.content.n + 1}, err));
    TRY(lease_none(tx, s.key, err));
    TRY(begin_question(tx, op, &s, &question, err));
    if (!is_there(op))
        TRY(message_limit(tx, s.key, question.seq, op->question.scope, err));
    return begin_answer(tx, op, &s, &question, err);
}

const struct store_op answer_begin_op = {begin_prepare, begin_run};

/* ---- answer_append ------------------------------------------------------ */

/* Text may be cut inside a character, but all of it together is UTF-8: the
 * character that was cut is checked when its rest comes. */
static enum footnote_rc join_tail(struct answer *a, struct str *text,
                                  struct footnote_err *err)
{
    struct str tail = {a->tail, a->tail_n};

    while (text->n > 0 && utf8_whole(tail) == 0) {
        assert(a->tail_n < sizeof(a->tail));
        a->tail[a->tail_n++] = *text->p;
        *text = str_skip(*text, 1);
        tail.n = a->tail_n;
    }
    if (utf8_whole(tail) == 0)
        return FOOTNOTE_OK; /* still not whole */
    TRY(check_text(tail, SIZE_MAX, "content", err));
    a->tail_n = 0;
    return FOOTNOTE_OK;
}

enum footnote_rc answer_advance(struct answer *a, struct str text,
                                struct footnote_err *err)
{
    struct answer next = *a;
    size_t whole;

    next.parts++;
    next.bytes += text.n;
    if (next.bytes > STORE_CONTENT_BYTES_MAX)
        return err_field(err, FOOTNOTE_TOOBIG, "content", "over %d bytes",
                         STORE_CONTENT_BYTES_MAX);
    if (next.tail_n > 0)
        TRY(join_tail(&next, &text, err));
    whole = utf8_whole(text);
    TRY(check_text((struct str){text.p, whole}, SIZE_MAX, "content", err));
    if (text.n > whole) {
        next.tail_n = text.n - whole;
        assert(next.tail_n < sizeof(next.tail));
        memcpy(next.tail, text.p + whole, next.tail_n);
    }
    *a = next;
    return FOOTNOTE_OK;
}

static enum footnote_rc append_prepare(struct tx *tx, void *arg,
                                       struct footnote_err *err)
{
    struct answer_append *op = arg;

    (void)tx;
    if (!op->text.p)
        return err_field(err, FOOTNOTE_INVALID, "content", "is missing");
    op->next = *op->answer;
    return answer_advance(&op->next, op->text, err);
}

/* Adds a row to answer_text: one part, or all that gathered in a strip. */
static enum footnote_rc put_text(struct tx *tx, const struct answer *a,
                                 struct str text, struct footnote_err *err)
{
    struct db_value row[] = {db_i64(a->tenant), db_i64(a->session),
                             db_i64(a->seq),    db_i64(a->parts),
                             db_blob(text),     db_null()};

    row[COL_TEXT_SEALED_SEAL] = seal_of(SEALED_TEXT, row, COL_TEXT_SEALED_SEAL);
    TRY(db_do_n(tx->db, STMT_TEXT_ADD, row, sizeof(row) / sizeof(row[0]), err));
    return db_do(tx->db, STMT_LEASE_STEP, err, db_i64(a->parts),
                 db_i64(lease_until_ms(tx)), db_i64(a->tenant),
                 db_i64(a->session));
}

static enum footnote_rc move_on(struct tx *tx, const struct answer_append *op,
                                struct strip *s, struct footnote_err *err)
{
    char *text = arena_many(tx->scratch, s->n + op->text.n + 1, char);

    if (!text)
        return arena_rc(tx->scratch, err);
    assert(s->epoch == op->next.epoch && s->n <= STRIP_BYTES);
    memcpy(text, s->text, s->n);
    memcpy(text + s->n, op->text.p, op->text.n);
    TRY(put_text(tx, &op->next, (struct str){text, s->n + op->text.n}, err));
    s->parts = s->moved = op->next.parts;
    s->n = 0;
    return FOOTNOTE_OK;
}

/* Finds how many parts the answer has, and the strip where they gather; *s is
 * NULL for an answer that a caller writes. */
static enum footnote_rc find_end(struct tx *tx, const struct answer *a,
                                 struct strip **s, int64_t *parts,
                                 struct footnote_err *err)
{
    struct lease lease;

    TRY(word_log_strip_if_ours(tx, a->epoch, s, err));
    if (*s) {
        *parts = (*s)->parts;
        return FOOTNOTE_OK;
    }
    TRY(lease_ask(tx, STMT_LEASE_TAKE, a, &lease, err));
    if (lease.epoch != a->epoch)
        return answer_ended(err);
    if (lease.ours)
        TRY(word_log_strip(tx, a, lease.parts, s, err));
    *parts = *s ? (*s)->parts : lease.parts;
    return FOOTNOTE_OK;
}

enum footnote_rc answer_move_on(struct tx *tx, const struct strip *s,
                                struct footnote_err *err)
{
    struct answer a = {.tenant = s->tenant,
                       .session = s->session,
                       .seq = s->seq,
                       .parts = s->parts};
    struct lease lease;

    TRY(lease_ask(tx, STMT_LEASE_TAKE, &a, &lease, err));
    if (lease.epoch != s->epoch)
        return FOOTNOTE_OK;
    return put_text(tx, &a, (struct str){s->text, s->n}, err);
}

static enum footnote_rc append_run(struct tx *tx, void *arg,
                                   struct footnote_err *err)
{
    struct answer_append *op = arg;
    const struct answer *a = &op->next;
    struct strip *s;
    int64_t parts = 0;

    TRY(find_end(tx, a, &s, &parts, err));
    if (parts == a->parts && (tx->again || a->unsure))
        return FOOTNOTE_OK; /* an earlier run did it */
    if (parts != a->parts - 1)
        return answer_ended(err);
    if (!s)
        return put_text(tx, a, op->text, err);
    if (s->n + op->text.n > STRIP_BYTES ||
        word_log_is_old(tx->store->word_log, s))
        return move_on(tx, op, s, err);
    return word_log_add(tx, s, op->text, err);
}

const struct store_op answer_append_op = {append_prepare, append_run};
