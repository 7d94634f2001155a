/* feedback.c - what the reader of an answer says of it, in its message's row.
 *
 * It is under the row's seal and in no digest: it is said of an answer, and
 * changes nothing of it. */
#include "store/session/feedback.h"

#include "base/buf.h"
#include "base/json.h"
#include "store/check.h"
#include "store/session/message.h"
#include "store/session/message_row.h"
#include "store/session/scope.h"
#include "store/session/session_row.h"

enum { PACKED_BYTES_MAX = FEEDBACK_MAX * (8 * FEEDBACK_NOTE_BYTES_MAX) };

/* ---- As it is stored ---------------------------------------------------- */

enum footnote_rc feedback_pack(struct arena *a, const struct feedback *list,
                               size_t n, struct str *out,
                               struct footnote_err *err)
{
    AUTO(buf_free) struct buf b = BUF(PACKED_BYTES_MAX);
    struct json_out w = JSON_OUT(&b);

    *out = STR_NONE;
    if (n == 0)
        return FOOTNOTE_OK;
    json_array(&w);
    for (size_t i = 0; i < n; i++) {
        json_array(&w);
        json_i64(&w, list[i].number);
        json_i64(&w, list[i].rating);
        json_i64(&w, list[i].at_ms);
        json_str(&w, list[i].note.p ? list[i].note : STR(""));
        json_end(&w, ']');
    }
    json_end(&w, ']');
    TRY(buf_rc(&b, err));
    *out = arena_str(a, buf_str(&b));
    return arena_rc(a, err);
}

static bool unpack_one(struct arena *a, const struct json *v,
                       struct feedback *out)
{
    const struct json *f[4];
    size_t n = 0;

    if (v->type != JSON_ARRAY || v->n != 4)
        return false;
    for (const struct json *one = v->first; one && n < 4; one = one->next)
        f[n++] = one;
    if (n < 4 || f[0]->type != JSON_I64 || f[1]->type != JSON_I64 ||
        f[2]->type != JSON_I64 || f[3]->type != JSON_STR || f[0]->i < 0 ||
        f[0]->i > STORE_NUMBER_MAX || f[1]->i < FEEDBACK_GOOD ||
        f[1]->i > FEEDBACK_MISSING)
        return false;
    *out = (struct feedback){.number = (uint32_t)f[0]->i,
                             .rating = (enum feedback_rating)f[1]->i,
                             .at_ms = f[2]->i};
    if (f[3]->s.n)
        out->note = arena_str(a, f[3]->s);
    return true;
}

enum footnote_rc feedback_unpack(struct arena *a, struct str packed,
                                 const struct feedback **out, size_t *n,
                                 struct footnote_err *err)
{
    struct feedback *list;
    struct json *all;

    *n = 0;
    *out = NULL;
    if (!packed.p)
        return FOOTNOTE_OK;
    TRY(json_read(a, packed, &all, err));
    list = arena_many(a, all->n + 1, struct feedback);
    if (!list)
        return arena_rc(a, err);
    for (const struct json *v = all->type == JSON_ARRAY ? all->first : NULL; v;
         v = v->next)
        if (!unpack_one(a, v, &list[(*n)++]))
            return err_set(err, FOOTNOTE_DAMAGED,
                           "feedback is not of its form");
    *out = list;
    return arena_rc(a, err);
}

static enum footnote_rc check_one(const struct feedback *f,
                                  struct footnote_err *err)
{
    if (f->rating > FEEDBACK_MISSING)
        return err_field(err, FOOTNOTE_INVALID, "rating", "is none of ours");
    if (f->number > STORE_NUMBER_MAX)
        return err_field(err, FOOTNOTE_INVALID, "number", "is too large");
    return check_text(f->note, FEEDBACK_NOTE_BYTES_MAX, "note", err);
}

enum footnote_rc feedback_check(const struct feedback *list, size_t n,
                                struct footnote_err *err)
{
    if (n > FEEDBACK_MAX)
        return err_field(err, FOOTNOTE_INVALID, "feedback", "is too much");
    for (size_t i = 0; i < n; i++) {
        if (list[i].rating == FEEDBACK_NONE || list[i].at_ms < 0 ||
            (i && list[i].number <= list[i - 1].number))
            return err_field(err, FOOTNOTE_INVALID, "feedback",
                             "is not of its form");
        TRY(check_one(&list[i], err));
    }
    return FOOTNOTE_OK;
}

/* ---- Saying it ---------------------------------------------------------- */

static enum footnote_rc put_prepare(struct tx *tx, void *arg,
                                    struct footnote_err *err)
{
    struct feedback_put *op = arg;

    (void)tx;
    return check_one(&op->one, err);
}

static enum footnote_rc find_answer(struct tx *tx,
                                    const struct feedback_put *op,
                                    struct message_row *out,
                                    struct footnote_err *err)
{
    struct session_row s;

    TRY(message_find(tx, op->id, out, err));
    if (!out->found)
        return err_field(err, FOOTNOTE_NOTFOUND, "message", "is not there");
    TRY(session_of(tx, out->session, &s, err));
    if (s.deleted && scope_confines(tx->scope))
        return err_field(err, FOOTNOTE_NOTFOUND, "message", "is not there");
    TRY(session_may_write(tx, &s, err));
    if (out->role != FOOTNOTE_ASSISTANT || !out->has_content ||
        !status_is_end(out->status))
        return err_field(err, FOOTNOTE_INVALID, "message",
                         "is no answer that has ended");
    return FOOTNOTE_OK;
}

/* One without sources of its own shows those of its question. */
static enum footnote_rc check_number(struct tx *tx, const struct message_row *m,
                                     uint32_t number, struct footnote_err *err)
{
    struct new_references refs;

    if (number == 0)
        return FOOTNOTE_OK;
    TRY(new_references_load_sound(tx, m->session, m->seq, &refs, err));
    for (size_t i = 0; i < refs.n; i++)
        if (refs.items[i].number == number)
            return FOOTNOTE_OK;
    if (refs.n == 0)
        return FOOTNOTE_OK;
    return err_field(err, FOOTNOTE_INVALID, "number", "%u has no source",
                     (unsigned)number);
}

/* The list with one entry more, less or changed; by number. */
static enum footnote_rc put_one(struct tx *tx, const struct feedback *one,
                                const struct feedback *was, size_t was_n,
                                struct str *packed, struct footnote_err *err)
{
    struct feedback *list = arena_many(tx->scratch, was_n + 2, struct feedback);
    bool placed = one->rating == FEEDBACK_NONE;
    size_t n = 0;

    if (!list)
        return arena_rc(tx->scratch, err);
    for (size_t i = 0; i < was_n; i++) {
        if (!placed && was[i].number >= one->number) {
            list[n++] = *one;
            placed = true;
        }
        if (was[i].number != one->number)
            list[n++] = was[i];
    }
    if (!placed)
        list[n++] = *one;
    TRY(feedback_check(list, n, err));
    return feedback_pack(tx->scratch, list, n, packed, err);
}

static enum footnote_rc put_run(struct tx *tx, void *arg,
                                struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct db_value row[SEAL_COLUMNS_MAX];
    struct feedback_put *op = arg;
    const struct feedback *was;
    struct message_row m;
    struct str packed = STR_NONE;
    size_t was_n;

    TRY(find_answer(tx, op, &m, err));
    if (op->one.rating != FEEDBACK_NONE)
        TRY(check_number(tx, &m, op->one.number, err));
    TRY(message_read_row(tx, m.session, m.seq, &cur, row, err));
    TRY(feedback_unpack(tx->scratch,
                        db_value_str(&row[COL_MESSAGE_SEALED_FEEDBACK]), &was,
                        &was_n, err));
    db_end(&cur);
    op->one.at_ms = tx->now_ms;
    TRY(put_one(tx, &op->one, was, was_n, &packed, err));
    TRY(seal_open(tx, SEALED_MESSAGE, err, db_i64(tx->tenant),
                  db_i64(m.session), db_i64(m.seq)));
    TRY(db_do(tx->db, STMT_MESSAGE_FEEDBACK, err, db_text(packed),
              db_i64(tx->tenant), db_i64(m.session), db_i64(m.seq)));
    /* A new version, for what is cached; its activity does not move. */
    return db_do(tx->db, STMT_SESSION_TOUCH, err, db_i64(0), db_i64(tx->tenant),
                 db_i64(m.session));
}

const struct store_op feedback_put_op = {put_prepare, put_run};
