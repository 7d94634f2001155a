/* message.c - saving messages. */

#include "store/session/message.h"
#include "store/answer/lease.h"
#include "store/check.h"
#include "store/session/course_row.h"
#include "store/session/message_row.h"
#include "store/session/session_row.h"
#include "store/source/digest.h"
#include "store/source/marking.h"
#include "store/state.h"
#include "store/usage.h"

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
        TRY(message_keep_verdicts(tx, s->key, row->seq, &digest, &whole, true,
                                  err));
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
    return message_keep_verdicts(tx, s->key, n.seq, n.digest,
                                 &op->prepared->whole, true, err);
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
    TRY(message_ask(tx, str_c(op->id_text), &message, err));
    TRY(session_answer(tx, session, s, err));
    return message_answer(tx, str_c(op->id_text), message, row, err);
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
