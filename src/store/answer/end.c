/* end.c - sources of a running answer, its text, and its end. */
#include <assert.h>

#include "base/utf8.h"
#include "store/answer/answer.h"
#include "store/answer/event_row.h"
#include "store/answer/lease.h"
#include "store/answer/word_log.h"
#include "store/check.h"
#include "store/db_clock.h"
#include "store/seal.h"
#include "store/session/message.h"
#include "store/session/message_row.h"
#include "store/session/session_row.h"
#include "store/source/digest.h"
#include "store/source/marking.h"
#include "store/source/reference.h"
#include "store/state.h"
#include "store/strings.h"
#include "store/usage.h"

enum footnote_rc answer_ended(struct footnote_err *err)
{
    return err_set(err, FOOTNOTE_ENDED,
                   "the answer has ended, was deleted or was taken over");
}

/* ---- answer_cite -------------------------------------------------------- */

static enum footnote_rc cite_prepare(struct tx *tx, void *arg,
                                     struct footnote_err *err)
{
    AUTO(sha256_closep) struct sha256_ctx *c = NULL;
    struct answer_cite *op = arg;
    struct prepared_message *r =
        arena_new(tx->scratch, struct prepared_message);

    if (!r)
        return arena_rc(tx->scratch, err);
    TRY(check_text(op->query, STORE_QUESTION_BYTES_MAX, "query", err));
    uuid_v7(op->event_ids[false]);
    uuid_v7(op->event_ids[true]);
    TRY(sha256_open(&c, err));
    TRY(new_references_make(tx, c, op->sources, op->sources_n, &r->fresh, err));
    op->prepared = r;
    return FOOTNOTE_OK;
}

/* Holds the lease for this transaction; tells where numbers start. */
static enum footnote_rc hold(struct tx *tx, const struct answer *a,
                             uint32_t *numbers_from, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    TRY(db_one(tx->db, STMT_LEASE_HOLD, &cur, &row, err,
               db_i64(lease_until_ms(tx)), db_i64(a->tenant),
               db_i64(a->session), db_i64(a->seq), db_i64(a->epoch)));
    if (!row)
        return answer_ended(err);
    *numbers_from = (uint32_t)db_col_i64(cur, COL_LEASE_HOLD_NUMBERS_FROM);
    return FOOTNOTE_OK;
}

/* Adds the event of one kind, web or documents, with its sources.  A search
 * that found nothing counts as a search of documents. */
static enum footnote_rc add_kind(struct tx *tx, const struct answer_cite *op,
                                 struct event_new e, struct footnote_err *err)
{
    const struct new_references *all = &op->prepared->fresh;
    struct new_references some = {.n = 0};
    double *coverage = arena_many(tx->scratch, all->n + 1, double);

    some.items = arena_many(tx->scratch, all->n + 1, struct new_reference);
    if (!coverage || !some.items)
        return arena_rc(tx->scratch, err);
    for (size_t i = 0; i < all->n; i++) {
        if ((op->sources[i].source.type == FOOTNOTE_WEB) != e.web)
            continue;
        if (op->coverage)
            coverage[some.n] = op->coverage[i];
        some.items[some.n++] = all->items[i];
    }
    if (some.n == 0 && (e.web || all->n > 0))
        return FOOTNOTE_OK;
    e.id = str_c(op->event_ids[e.web]);
    e.coverage = op->coverage ? coverage : NULL;
    e.fresh = &some;
    return event_insert(tx, &e, err);
}

static enum footnote_rc add_events(struct tx *tx, const struct answer_cite *op,
                                   struct footnote_err *err)
{
    enum footnote_role role;
    struct event_new e = {.session = op->answer->session,
                          .answer = op->answer->seq,
                          .query = op->query,
                          .has_low_confidence = true,
                          .low_confidence = op->low_confidence};

    if (!op->query.p)
        return FOOTNOTE_OK;
    TRY(message_above(tx, e.session, e.answer, ROLE_BIT(FOOTNOTE_USER), &e.seq,
                      &role, err));
    if (e.seq == 0)
        e.seq = e.answer;
    TRY(add_kind(tx, op, e, err));
    e.web = true;
    return add_kind(tx, op, e, err);
}

static enum footnote_rc note_late(struct tx *tx, const struct answer *a,
                                  const struct new_references *list,
                                  struct footnote_err *err)
{
    for (size_t i = 0; i < list->n; i++)
        if (!list->items[i].stored) {
            TRY(seal_open(tx, SEALED_MESSAGE, err, db_i64(a->tenant),
                          db_i64(a->session), db_i64(a->seq)));
            return db_do(tx->db, STMT_ANSWER_LATE, err,
                         db_i64(list->items[i].number), db_i64(a->tenant),
                         db_i64(a->session), db_i64(a->seq));
        }
    return FOOTNOTE_OK;
}

static enum footnote_rc cite_run(struct tx *tx, void *arg,
                                 struct footnote_err *err)
{
    struct answer_cite *op = arg;
    const struct answer *a = op->answer;
    struct new_references there, whole;
    struct session_row s;
    uint32_t from = 1;

    TRY(hold(tx, a, &from, err));
    TRY(session_of(tx, a->session, &s, err));
    TRY(session_may_write(tx, &s, err));
    TRY(session_touch(tx, a->session, err));
    TRY(new_references_load(tx, a->session, a->seq, &there, err));
    TRY(new_references_number(tx, &there, &op->prepared->fresh, from, &whole,
                              err));
    if (a->parts > 0)
        TRY(note_late(tx, a, &whole, err));
    TRY(new_references_store(tx, a->session, a->seq, s.pool, &whole, err));
    new_references_numbers(&op->prepared->fresh, op->numbers);
    return add_events(tx, op, err);
}

const struct store_op answer_cite_op = {cite_prepare, cite_run};

/* ---- answer_finish ------------------------------------------------------ */

static enum footnote_rc parts_read(struct tx *tx, const struct answer *a,
                                   struct buf *b, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    TRY(db_run(tx->db, STMT_TEXT_READ, &cur, err, db_i64(a->tenant),
               db_i64(a->session), db_i64(a->seq)));
    for (;;) {
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return buf_rc(b, err);
        TRY(seal_check(tx, SEALED_TEXT, cur, 0, err));
        buf_add(b, db_col_str(cur, COL_TEXT_SEALED_TEXT));
    }
}

static bool is_sound(struct str s)
{
    return str_find(s, '\0') == s.n && utf8_valid(s);
}

/* Up to the first damage: whatever begins a sound text is sound, so halving
 * finds it. */
static struct str before_damage(struct str s)
{
    size_t low = 0, high = s.n;

    while (low < high) {
        size_t mid = low + (high - low + 1) / 2;

        if (is_sound((struct str){s.p, utf8_whole((struct str){s.p, mid})}))
            low = mid;
        else
            high = mid - 1;
    }
    return (struct str){s.p, utf8_whole((struct str){s.p, low})};
}

/* Nobody asked for it, and it has to end all the same. */
static bool is_swept(const struct tx *tx)
{
    return tx->account <= 0;
}

/* Parts are bytes, as a model's piece may end inside a character. */
static enum footnote_rc as_text(struct tx *tx, const struct buf *b,
                                struct arena *arena, struct str *out,
                                struct footnote_err *err)
{
    struct str all = buf_str(b);

    all.n = utf8_whole(all);
    if (all.p && !is_sound(all)) {
        if (!is_swept(tx))
            return err_set(err, FOOTNOTE_DAMAGED,
                           "the stored text of a running answer is damaged");
        all = before_damage(all);
    }
    *out = arena_str(arena, all.p ? all : STR(""));
    return arena_rc(arena, err);
}

enum footnote_rc answer_text(struct tx *tx, struct arena *arena,
                             const struct answer *a, struct str *out,
                             struct footnote_err *err)
{
    AUTO(buf_free) struct buf b = BUF((size_t)2 * STORE_CONTENT_BYTES_MAX);
    struct lease lease;

    TRY(lease_find(tx, a, &lease, err));
    TRY(parts_read(tx, a, &b, err));
    if (lease.epoch && !lease.unheld)
        TRY(word_log_read(tx, lease.epoch, lease.parts, &b, err));
    return as_text(tx, &b, arena, out, err);
}

/* What the sweep ends keeps what comes before a damaged row. */
static enum footnote_rc whole_text(struct tx *tx, const struct answer *a,
                                   const struct lease *lease, struct str *out,
                                   struct footnote_err *err)
{
    AUTO(buf_free) struct buf b = BUF((size_t)2 * STORE_CONTENT_BYTES_MAX);
    enum footnote_rc rc = parts_read(tx, a, &b, err);

    if (rc != FOOTNOTE_OK && (rc != FOOTNOTE_DAMAGED || !is_swept(tx)))
        return rc;
    if (rc == FOOTNOTE_OK && !lease->unheld)
        TRY((lease->ours ? word_log_take : word_log_read)(
            tx, lease->epoch, lease->parts, &b, err));
    return as_text(tx, &b, tx->scratch, out, err);
}

/* The sweep, which nobody asked for, ends answers as well. */
static enum footnote_rc owner_of(struct tx *tx, const struct answer *a,
                                 int64_t *out, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    *out = tx->account;
    if (tx->account > 0)
        return FOOTNOTE_OK;
    TRY(db_one(tx->db, STMT_SESSION_OWNER, &cur, &row, err, db_i64(a->tenant),
               db_i64(a->session)));
    if (row)
        *out = db_col_i64(cur, COL_SESSION_OWNER_OWNER);
    return FOOTNOTE_OK;
}

static enum footnote_rc end_row(struct tx *tx, const struct answer_finish *op,
                                struct str content, const struct sha256 *digest,
                                struct footnote_err *err)
{
    const struct answer *a = op->answer;
    bool counted = op->model.p != NULL;
    struct str doc_refs;
    int64_t owner;

    TRY(strings_pack(tx, op->doc_refs, op->doc_refs_n, &doc_refs, err));
    TRY(owner_of(tx, a, &owner, err));
    TRY(usage_add(tx, owner,
                  (struct usage){.bytes = (int64_t)(content.n + doc_refs.n)},
                  err));
    TRY(seal_open(tx, SEALED_MESSAGE, err, db_i64(a->tenant),
                  db_i64(a->session), db_i64(a->seq)));
    return db_do(tx->db, STMT_ANSWER_END, err, db_i64(op->status),
                 db_text(content), db_blob(digest_str(digest)),
                 db_opt(op->has_low_confidence, op->low_confidence),
                 db_text(op->failure), db_text(doc_refs),
                 db_text(op->image_s3key), db_text(op->image_slide),
                 db_opt(op->has_image_page, op->image_page), db_text(op->model),
                 db_opt(counted && op->tokens_in >= 0, op->tokens_in),
                 db_opt(counted && op->tokens_out >= 0, op->tokens_out),
                 db_i64(a->tenant), db_i64(a->session), db_i64(a->seq));
}

/* Text and references of a running answer only grow, so what was measured holds
 * if both are as long as they were. */
static void take_measured(const struct measured *m, struct str content,
                          struct new_references *refs)
{
    if (!m || m->content_bytes != content.n || m->n != refs->n)
        return;
    for (size_t i = 0; i < refs->n; i++)
        refs->items[i].support = m->support[i];
    refs->verdicts = m->verdicts;
}

/* Ends an answer whose lease was just deleted, from what is stored.  Nothing is
 * measured here: all writes wait for this thread. */
static enum footnote_rc end(struct tx *tx, const struct answer_finish *op,
                            const struct lease *lease, struct footnote_err *err)
{
    const struct answer *a = op->answer;
    struct new_references refs;
    struct sha256 digest;
    struct str content;

    assert(lease->epoch != 0 && op->status != FOOTNOTE_STREAMING);
    TRY(session_touch(tx, a->session, err));
    TRY(whole_text(tx, a, lease, &content, err));
    TRY(new_references_load_sound(tx, a->session, a->seq, &refs, err));
    TRY(new_references_mark(tx, content, &refs, 0, err));
    take_measured(op->measured, content, &refs);
    TRY(new_references_write(tx, a->session, a->seq, &refs, err));
    TRY(new_references_digest(tx, tx->store->hasher, FOOTNOTE_ASSISTANT,
                              content, &refs, &digest, err));
    TRY(end_row(tx, op, content, &digest, err));
    TRY(message_keep_verdicts(tx, a->session, a->seq, &digest, &refs, true,
                              err));
    TRY(db_do(tx->db, STMT_TEXT_TRIM, err, db_i64(a->tenant),
              db_i64(a->session), db_i64(a->seq)));
    return refs.n ? FOOTNOTE_OK
                  : mark_borrowed(tx, a->session, a->seq, content, err);
}

/* Deletes the lease.  *out is what it said; epoch 0 when there was none. */
static enum footnote_rc lease_close(struct tx *tx, const struct answer *a,
                                    struct lease *out, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    *out = (struct lease){.epoch = 0};
    TRY(db_one(tx->db, STMT_LEASE_CLOSE, &cur, &row, err, db_i64(a->tenant),
               db_i64(a->session), db_i64(a->seq), db_i64(a->epoch)));
    if (row)
        lease_read(tx, cur, out);
    return FOOTNOTE_OK;
}

/* After a lost connection: did our own earlier run end it? */
static enum footnote_rc ended_by_us(struct tx *tx,
                                    const struct answer_finish *op,
                                    struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    const struct answer *a = op->answer;
    bool row;

    if (!tx->again && !a->unsure)
        return answer_ended(err);
    TRY(db_one(tx->db, STMT_HISTORY_ONE, &cur, &row, err, db_i64(a->tenant),
               db_i64(a->session), db_i64(a->seq)));
    if (!row ||
        db_col_i64(cur, COL_MESSAGE_SEALED_STATUS) != (int64_t)op->status)
        return answer_ended(err);
    return FOOTNOTE_OK;
}

static enum footnote_rc finish_prepare(struct tx *tx, void *arg,
                                       struct footnote_err *err)
{
    struct answer_finish *op = arg;
    struct message m = {.role = FOOTNOTE_ASSISTANT,
                        .content = STR(""),
                        .doc_refs = op->doc_refs,
                        .doc_refs_n = op->doc_refs_n,
                        .has_image = op->image_s3key.p != NULL,
                        .image_s3key = op->image_s3key,
                        .image_slide = op->image_slide,
                        .has_image_page = op->has_image_page,
                        .image_page = op->image_page};

    (void)tx;
    if (!status_is_end(op->status))
        return err_field(err, FOOTNOTE_INVALID, "status", "%d is no end",
                         (int)op->status);
    TRY(check_text(op->failure, STORE_ID_BYTES_MAX, "failure", err));
    TRY(check_text(op->model, STORE_ID_BYTES_MAX, "model", err));
    return check_message(&m, err);
}

static enum footnote_rc finish_run(struct tx *tx, void *arg,
                                   struct footnote_err *err)
{
    struct answer_finish *op = arg;
    struct lease lease;

    TRY(lease_close(tx, op->answer, &lease, err));
    if (lease.epoch == 0)
        return ended_by_us(tx, op, err);
    return end(tx, op, &lease, err);
}

const struct store_op answer_finish_op = {finish_prepare, finish_run};

/* ---- Ended by others ---------------------------------------------------- */

enum footnote_rc answer_cut_off(struct tx *tx, const struct answer *a,
                                enum footnote_status status,
                                struct footnote_err *err)
{
    struct answer copy = *a;
    struct answer_finish op = {.answer = &copy, .status = status};
    struct lease lease;

    tx->tenant = a->tenant;
    TRY(lease_close(tx, a, &lease, err));
    return lease.epoch ? end(tx, &op, &lease, err) : FOOTNOTE_OK;
}

/* *runs: the answer that is named is the one that runs in the session. */
static enum footnote_rc find_named(struct tx *tx, struct answer_stop *op,
                                   int64_t session, bool *runs,
                                   struct footnote_err *err)
{
    struct message_row m;

    TRY(message_find(tx, op->answer, &m, err));
    op->found = m.found && m.session == session && m.role == FOOTNOTE_ASSISTANT;
    op->status = m.status;
    *runs = op->found && m.status == FOOTNOTE_STREAMING;
    return FOOTNOTE_OK;
}

static enum footnote_rc stop_run(struct tx *tx, void *arg,
                                 struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct answer_stop *op = arg;
    struct session_row s;
    struct answer a;
    bool row, ours;

    op->found = false;
    TRY(session_find(tx, op->session, &s, err));
    row = s.found && !s.deleted;
    if (row && op->answer.p)
        TRY(find_named(tx, op, s.key, &row, err));
    if (!row)
        return FOOTNOTE_OK;
    TRY(db_one(tx->db, STMT_LEASE_ANY, &cur, &row, err, db_i64(tx->tenant),
               db_i64(s.key)));
    if (!row)
        return FOOTNOTE_OK;
    ours = str_eq(db_col_str(cur, COL_LEASE_ANY_NODE), str_c(tx->store->node));
    if (ours && op->others)
        return FOOTNOTE_OK;
    a = (struct answer){.tenant = tx->tenant,
                        .session = s.key,
                        .seq = db_col_i64(cur, COL_LEASE_ANY_SEQ),
                        .epoch = db_col_i64(cur, COL_LEASE_ANY_EPOCH)};
    db_end(&cur);
    op->found = true;
    op->status = FOOTNOTE_STOPPED;
    return answer_cut_off(tx, &a, FOOTNOTE_STOPPED, err);
}

const struct store_op answer_stop_op = {NULL, stop_run};
